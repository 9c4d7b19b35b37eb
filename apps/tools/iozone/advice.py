"""Advice on parameters of iozone."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.messages import message
from apps.tools.param_values import format_size

from .params import IozoneParams


def advice_for(params: IozoneParams, target: TestedTarget) -> Iterator[ParamAdvice]:
    """Yield the advice on one test."""
    memory, bytes_used = target.memory_bytes, params.file_size * params.threads
    if params.direct or params.mmap or memory is None or bytes_used >= 2 * memory:
        return
    yield ParamAdvice(
        "direct",
        True,
        message(
            "Files of %(size)s on a host with %(memory)s of memory.",
            size=format_size(bytes_used),
            memory=format_size(memory // 1024**2 * 1024**2),
        ),
        message("Rewrites and reads come from the page cache: use direct I/O or larger files."),
    )
