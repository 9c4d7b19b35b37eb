"""Whether the tool and the device agree about how many bytes moved.

A tool counts what it asked for; the kernel counts what reached the device. Where the device moved
much less, memory answered (page cache, holes, a file system's own caches); where it moved much
more, something else used it or each request cost several. Either way the figure is not one of the
device alone, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.results.selectors.jobs import DoneJob, Files, jobs_of
from apps.results.services.devices import device_samples
from apps.runs.models import Attempt
from apps.tools.base import Measurement, Parsed
from apps.tools.devices.blockstat import SECTOR, Sample
from apps.tools.messages import message
from apps.tools.params import format_size
from apps.tools.words import gettext_noop

# Below this share of the tool's bytes the device did not do the work; above it, it did more.
LEAST, MOST = 0.9, 1.15
# So little tells nothing: metadata and read-ahead are of this size.
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


def byte_accounting_warnings(attempt: Attempt, files: Files, parsed: Parsed) -> list[str]:
    """The sentences for an ended attempt, from what is stored of it."""
    log = {f"{host} {device}": rows for host, device, rows in device_samples(attempt, files)}
    direct = bool(attempt.case.params.get("direct"))
    return disagreements(parsed, log, seconds=_alone(jobs_of(attempt)), direct=direct)


def _alone(jobs: Sequence[DoneJob]) -> float | None:
    """Seconds the tool ran, where it was the only command of the only host: what laid out a file
    moved bytes as well.
    """
    if len(jobs) != 1 or len(jobs[0].exit.get("codes") or ()) != 1:
        return None
    began, ended = jobs[0].exit.get("started"), jobs[0].exit.get("ended")
    return ended["monotonic"] - began["monotonic"] if began and ended else None


def disagreements(
    parsed: Parsed, log: Mapping[str, Sequence[Sample]], *, seconds: float | None, direct: bool
) -> list[str]:
    """A sentence for each direction in which the device's counters tell another story.

    `log`: the samples of each watched device, from before the first command to after the last;
    `seconds`: how long all commands took together; `direct`: whether the tool went past the page
    cache. Empty where nothing can be said: no counters, a tool that does not count bytes.
    """
    tool = _tool_moved(parsed.measurements)
    device = _device_moved(log)
    if tool is None or device is None:
        return []
    if direct and device.read + device.written == 0:
        return []  # a device whose counters are kept elsewhere (multipath) has moved nothing at all
    said = [
        _less(READ, tool.read, device.read, direct),
        _less(WROTE, tool.written, device.written, direct),
        *_more(parsed, device, seconds),
    ]
    return [text for text in said if text]


def _tool_moved(measurements: Iterable[Measurement]) -> BytesMoved | None:
    read = written = 0.0
    known = False
    for each in measurements:
        moved = each.values.get("io_bytes", each.values.get("bytes"))
        if each.part or not isinstance(moved, int | float):
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
    if tool < FLOOR or device >= LEAST * tool:
        return ""
    words = LESS_DIRECT[verb] if direct else LESS[verb]
    return message(words, tool=format_size(int(tool)), device=format_size(int(device)))


def _more(parsed: Parsed, device: BytesMoved, seconds: float | None) -> list[str]:
    """Bytes the device moved beyond the tool's rate over the whole time (ramp time included). Only
    a single direction can be judged: files that are laid out first are written by the tool itself.
    """
    # Syncs stand beside the writes and move no bytes of their own.
    moving = [each for each in parsed.measurements if not each.part and each.bandwidth is not None]
    if seconds is None or len(moving) != 1:
        return []
    reading = moving[0].operation in READING
    moved = device.read if reading else device.written
    expected = (moving[0].bandwidth or 0.0) * seconds
    if moved <= MOST * expected + FLOOR:
        return []
    words = MORE[READ if reading else WROTE]
    return [message(words, device=format_size(int(moved)), tool=format_size(int(expected)))]
