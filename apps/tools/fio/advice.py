"""Advice on parameters of fio."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.advice import LONG_ENOUGH_SECONDS, RAMP_SECONDS, ParamAdvice, TestedTarget
from apps.tools.messages import message
from apps.tools.param_values import format_size

from .options.newer import NVME
from .params import SYNCHRONOUS, FioParams

CACHE_BYTES = 8 * 1024**3
"""Largest caches of RAID cards and arrays' front ends at the time of writing (2026)."""
CACHES_PER_SPACE = 2
"""Address spaces up to twice a cache: a random read hits it with a chance of half or more."""


def advice_for(params: FioParams, target: TestedTarget) -> Iterator[ParamAdvice]:
    """Yield the advice on one test."""
    if not params.direct and params.ioengine != "rbd":
        yield _buffered(params)
        yield from _server_memory(params, target)
    if params.ioengine == NVME:
        yield _block_layer_bypassed(params)
    if target.kind == "disk":
        yield from _address_space(params, target)
    if params.time_based:
        yield from _duration(params)


def _buffered(params: FioParams) -> ParamAdvice:
    if params.ioengine in SYNCHRONOUS:
        return ParamAdvice(
            "direct",
            True,
            message("Buffered: the page cache of the host is measured as well."),
            message("Reads come from memory and writes end in it until the kernel writes back."),
        )
    return ParamAdvice(
        "direct",
        True,
        message(
            "Buffered with %(engine)s: the queue depth is not reached.", engine=params.ioengine
        ),
        message(
            "The kernel submits buffered operations one after the other, so a depth of %(depth)d "
            "has no effect.",
            depth=params.iodepth,
        ),
    )


def _server_memory(params: FioParams, target: TestedTarget) -> Iterator[ParamAdvice]:
    """Yield advice for buffered I/O on a file that the server may hold in its memory."""
    if not target.server or params.size is None:
        return
    files = 1 if params.shared_file else params.numjobs
    size, memory = params.size * files, target.server_memory_bytes
    if memory is None:
        yield ParamAdvice(
            "size",
            None,
            message("Buffered files of %(size)s on %(server)s.", size=format_size(size),
                    server=target.server),
            message("The memory of this server is not known: it may hold all of them."),
        )  # fmt: skip
    elif size <= memory:
        yield ParamAdvice(
            "size",
            None,
            message(
                "Files of %(size)s fit the memory of %(server)s (%(memory)s).",
                size=format_size(size), server=target.server, memory=format_size(memory),
            ),
            message("The server answers from its memory; its disks are not measured."),
        )  # fmt: skip


def _block_layer_bypassed(params: FioParams) -> ParamAdvice:
    return ParamAdvice(
        "ioengine",
        None,
        message("%(engine)s bypasses the block layer.", engine=params.ioengine),
        message(
            "The kernel's counters of the disk do not see these commands, so device metrics are "
            "absent and not compared with the result. I/O schedulers have no effect."
        ),
    )


def _address_space(params: FioParams, target: TestedTarget) -> Iterator[ParamAdvice]:
    if params.size is None or target.size_bytes is None or params.size >= target.size_bytes // 2:
        return
    if target.cache_bytes is not None and params.size <= CACHES_PER_SPACE * target.cache_bytes:
        yield _controller_cache(params.size, target.cache_bytes)
        return
    is_random = "rand" in params.rw
    if not is_random and params.size > CACHE_BYTES:
        return
    yield ParamAdvice(
        "size",
        None,
        message(
            "%(size)s of a disk of %(whole)s.",
            size=format_size(params.size),
            whole=format_size(target.size_bytes),
        ),
        message(
            "A small part measures caches of the disk or its controller, and on a rotating disk "
            "short seeks."
        ),
    )


def _controller_cache(size: int, cache: int) -> ParamAdvice:
    return ParamAdvice(
        "size",
        None,
        message(
            "Address space %(size)s, controller cache %(cache)s.",
            size=format_size(size),
            cache=format_size(cache),
        ),
        message("The cache answers half of the operations or more; the disks are not measured."),
    )


def _duration(params: FioParams) -> Iterator[ParamAdvice]:
    if params.runtime < LONG_ENOUGH_SECONDS:
        yield ParamAdvice(
            "runtime",
            LONG_ENOUGH_SECONDS,
            message("The test lasts only %(seconds)d s.", seconds=params.runtime),
            message("A single stall or flush decides the mean of such a test."),
        )
    elif params.ramp_time == 0:
        yield ParamAdvice(
            "ramp_time",
            RAMP_SECONDS,
            message("No ramp: the start of the load is measured as well."),
            message("Caches, burst credits and clocks change in the first seconds."),
        )
