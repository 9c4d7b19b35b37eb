"""Compare bytes reported by the tool with the kernel's block counters.

Below 90 % the page cache, holes or file system caches served the rest; above 115 % other I/O or
write amplification is present; less than 16 MiB is ignored. Source: Documentation/block/stat.rst.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.results.selectors.jobs import DoneJob
from apps.tools.devices.blockstat import SECTOR, Sample
from apps.tools.messages import message
from apps.tools.param_values import format_size
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.translation import gettext_noop

# Accepted shares of the tool's bytes that the device moved.
MIN_SHARE, MAX_SHARE = 0.9, 1.15
# Metadata and read-ahead are of this size.
FLOOR = 16 * 1024**2
READING = frozenset({"read", "reread", "random_read", "backward_read", "stride_read"}) | frozenset(
    {"fread", "freread", "pread", "repread"}
)

Verb = Literal["read", "wrote"]
READ: Verb = "read"
WROTE: Verb = "wrote"
LESS_DIRECT: Mapping[Verb, str] = {
    READ: gettext_noop(
        "the tool read %(tool)s, the device only %(device)s: the rest never reached it: holes of a "
        "file, or a cache below the file system; these figures are not those of the device alone"
    ),
    WROTE: gettext_noop(
        "the tool wrote %(tool)s, the device only %(device)s: the rest never reached it: holes of "
        "a file, or a cache below the file system; these figures are not those of the device alone"
    ),
}
LESS: Mapping[Verb, str] = {
    READ: gettext_noop(
        "the tool read %(tool)s, the device only %(device)s: the page cache answered the rest; "
        "these figures are not those of the device alone"
    ),
    WROTE: gettext_noop(
        "the tool wrote %(tool)s, the device only %(device)s: the rest was still in the page "
        "cache, or was overwritten there, when the test ended; these figures are not those of the "
        "device alone"
    ),
}
MORE: Mapping[Verb, str] = {
    READ: gettext_noop(
        "the device read %(device)s where the tool's rate explains %(tool)s: something else used "
        "it, or each request cost several (a journal, parity, read-ahead)"
    ),
    WROTE: gettext_noop(
        "the device wrote %(device)s where the tool's rate explains %(tool)s: something else used "
        "it, or each request cost several (a journal, parity, read-ahead)"
    ),
}


@dataclass(frozen=True)
class BytesMoved:
    """Bytes in each direction."""

    read: float
    written: float


def tool_seconds(jobs: Sequence[DoneJob]) -> float | None:
    """Return how long the tool ran, if it was the only command of the only host.

    Otherwise None: a command that lays out a file moves bytes as well.
    """
    if len(jobs) != 1 or len(jobs[0].exit.get("codes") or ()) != 1:
        return None
    began, ended = jobs[0].exit.get("started"), jobs[0].exit.get("ended")
    return ended["monotonic"] - began["monotonic"] if began and ended else None


def disagreements(
    parsed: Parsed, log: Mapping[str, Sequence[Sample]], *, seconds: float | None, direct: bool
) -> list[str]:
    """Return a warning for each direction in which tool and device disagree.

    `log`: the samples of each watched device, from before the first command to after the last;
    `seconds`: duration of all commands; `direct`: the tool bypassed the page cache. Empty without
    counters, and for a tool that does not count bytes.
    """
    tool = _tool_moved(parsed.measurements)
    device = _device_moved(log)
    if tool is None or device is None:
        return []
    if direct and device.read + device.written == 0:
        return []  # a device that the kernel counts elsewhere (multipath) has no I/O of its own
    warnings = [
        _less(READ, tool.read, device.read, direct),
        _less(WROTE, tool.written, device.written, direct),
        *_more(parsed, device, seconds),
    ]
    return [text for text in warnings if text]


def tool_bytes_written(parsed: Parsed) -> int:
    """Return the bytes that the tool wrote, 0 if it does not count them."""
    moved = _tool_moved(parsed.measurements)
    return int(moved.written) if moved else 0


def _tool_moved(measurements: Iterable[Measurement]) -> BytesMoved | None:
    read = written = 0.0
    known = False
    for each in measurements:
        moved = each.values.get("io_bytes", each.values.get("bytes"))
        if each.component or not isinstance(moved, int | float):
            continue
        known = True
        if each.operation in READING:
            read += moved
        elif each.operation != "trim":
            written += moved
    return BytesMoved(read, written) if known else None


def _device_moved(log: Mapping[str, Sequence[Sample]]) -> BytesMoved | None:
    ends = [(samples[0].stat, samples[-1].stat) for samples in log.values() if len(samples) > 1]
    if not ends:
        return None
    read, written = (
        float(SECTOR * sum(after[field] - before[field] for before, after in ends))
        for field in (2, 6)
    )
    return BytesMoved(read, written)


def _less(verb: Verb, tool: float, device: float, direct: bool) -> str:
    if tool < FLOOR or device >= MIN_SHARE * tool:
        return ""
    words = LESS_DIRECT[verb] if direct else LESS[verb]
    return message(words, tool=format_size(int(tool)), device=format_size(int(device)))


def _more(parsed: Parsed, device: BytesMoved, seconds: float | None) -> list[str]:
    """Compare the device with the tool's rate over the whole duration, ramp time included.

    Only a single direction is checked: the tool itself writes the files that it lays out first.
    """
    # Syncs stand beside the writes and move no bytes of their own.
    moving = [
        each for each in parsed.measurements if not each.component and each.bandwidth is not None
    ]
    if seconds is None or len(moving) != 1:
        return []
    reading = moving[0].operation in READING
    moved = device.read if reading else device.written
    expected = (moving[0].bandwidth or 0.0) * seconds
    if moved <= MAX_SHARE * expected + FLOOR:
        return []
    words = MORE[READ if reading else WROTE]
    return [message(words, device=format_size(int(moved)), tool=format_size(int(expected)))]
