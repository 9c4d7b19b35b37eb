"""Files that the jobs of an attempt left on their hosts, as the attempt's artifacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from apps.blobs.services.spool import CompressedFile, Spool, concatenate
from apps.remote.answers import Exit, moment_of
from apps.runs.models import AttemptJob
from apps.runs.schemas import Places

# A command's words: those of all acts go into one file, in order.
STREAMS = ("stdout", "stderr")


@dataclass(frozen=True)
class CollectedJob:
    """One job as its host left it: its row with the host's last word, and its files."""

    row: AttemptJob
    files: Mapping[str, CompressedFile]


def gathered_files(brought: Sequence[CollectedJob], spool: Spool) -> dict[str, CompressedFile]:
    """Every file, byte for byte, where several hosts take part as "<host>/<file>". A later act's
    file of a name that is taken has its act before its name. What is joined waits in `spool`.

    Each row is told the `places` of its own bytes.
    """
    files: dict[str, CompressedFile] = {}
    words: dict[str, list[CompressedFile]] = {}
    for job in brought:
        prefix = f"{job.row.name}/" if job.row.name else ""
        for name, content in sorted(job.files.items()):
            if name in STREAMS:
                words.setdefault(prefix + name, []).append(content)
            else:
                taken = prefix + name in files
                files[f"{prefix}act{job.row.act}.{name}" if taken else prefix + name] = content
    _tell_places(brought)
    for place, parts in words.items():
        files[place] = parts[0] if len(parts) == 1 else concatenate(parts, spool)
    return files


def moments(brought: Sequence[CollectedJob], name: Literal["started", "ended"]) -> list[float]:
    """Each job's "started" or "ended" by its host's own clock, seconds since 1970. The end follows
    from the start and the monotonic clock, as somebody may set the clock in between."""
    found = [_moment(job.row.exit, name) for job in brought]
    return [moment for moment in found if moment is not None]


def _moment(ended: Exit, name: Literal["started", "ended"]) -> float | None:
    began = moment_of(ended, "started", "realtime")
    first, last = (moment_of(ended, which, "monotonic") for which in ("started", name))
    if began is None or first is None or last is None:
        return moment_of(ended, name, "realtime")
    return began + last - first


def _tell_places(brought: Sequence[CollectedJob]) -> None:
    """Writes down the places of each job's bytes in the host's joined stdout and stderr: [begin,
    end].
    """
    ends: dict[tuple[str, str], int] = {}
    for job in brought:
        places: Places = {}
        for stream in STREAMS:
            begin = ends.get((job.row.name, stream), 0)
            own = job.files.get(stream)
            ends[job.row.name, stream] = begin + (own.size_bytes if own else 0)
            places[stream] = (begin, ends[job.row.name, stream])
        job.row.places = places
