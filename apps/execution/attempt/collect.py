"""Combine the files of an attempt's jobs to the files of the attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from apps.blobs.services.spool import CompressedFile, SpoolFile, concatenate
from apps.execution.attempt.driven_job import DrivenJob
from apps.execution.services.artifacts import EndFields, utc_time
from apps.inventory.models import HostFacts
from apps.remote.responses import Exit, exit_timestamp
from apps.runs.models import AttemptJob, JobState
from apps.runs.models.jobs import SETTINGS
from apps.runs.schemas import OutputRanges

# Output streams: those of all stages are concatenated in order.
STREAMS = ("stdout", "stderr")


@dataclass(frozen=True)
class CollectedJob:
    """A job's row with its final state, and its files."""

    row: AttemptJob
    files: Mapping[str, CompressedFile]


async def collected_job(job: DrivenJob, spool: SpoolFile) -> CollectedJob:
    """Return an ended job with its files; the settings of a lost job are restored first."""
    assert job.status is not None
    job.note_end()
    if job.row.state == JobState.LOST:
        await job.on_host.recover()
        if job.status.journal:
            await job.look()  # reads the outcome of the restore
    if job.row.state != JobState.DONE or job.row.role == SETTINGS:
        return CollectedJob(job.row, {})
    return CollectedJob(job.row, await job.on_host.collect(job.status, spool))


def end_fields(
    jobs: Sequence[DrivenJob], collected: Sequence[CollectedJob], facts: HostFacts | None
) -> EndFields:
    """Return the columns of the attempt that follow from the ends of its jobs."""
    argvs: list[Any] = [job.status.argv or [] for job in jobs if job.status]
    fields: EndFields = {
        "argv": [words for argv in argvs for words in argv],
        "started_at": utc_time(min(timestamps(collected, "started"), default=None)),
        "ended_at": utc_time(max(timestamps(collected, "ended"), default=None)),
    }
    if facts is not None:
        fields["facts"] = facts
    return fields


def gathered_files(
    collected: Sequence[CollectedJob], spool: SpoolFile
) -> dict[str, CompressedFile]:
    """Return every unchanged file by its name, with several hosts as "<host>/<file>".

    A name that an earlier stage used gets the stage as a prefix. `spool` holds concatenated files.
    Sets the `output_ranges` of each row: the byte ranges of its own output.
    """
    files: dict[str, CompressedFile] = {}
    words: dict[str, list[CompressedFile]] = {}
    for job in collected:
        prefix = f"{job.row.name}/" if job.row.name else ""
        for name, content in sorted(job.files.items()):
            if name in STREAMS:
                words.setdefault(prefix + name, []).append(content)
            else:
                taken = prefix + name in files
                files[f"{prefix}stage{job.row.stage}.{name}" if taken else prefix + name] = content
    _set_output_ranges(collected)
    for name, parts in words.items():
        files[name] = parts[0] if len(parts) == 1 else concatenate(parts, spool)
    return files


def timestamps(collected: Sequence[CollectedJob], name: Literal["started", "ended"]) -> list[float]:
    """Return each job's start or end by its host's clock, in seconds since 1970.

    The end is computed from the start and the monotonic clock, as the clock may be set between.
    """
    result = [_timestamp(job.row.exit, name) for job in collected if not job.row.spans_stages]
    return [timestamp for timestamp in result if timestamp is not None]


def _timestamp(ended: Exit, name: Literal["started", "ended"]) -> float | None:
    began = exit_timestamp(ended, "started", "realtime")
    first, last = (exit_timestamp(ended, which, "monotonic") for which in ("started", name))
    if began is None or first is None or last is None:
        return exit_timestamp(ended, name, "realtime")
    return began + last - first


def _set_output_ranges(collected: Sequence[CollectedJob]) -> None:
    """Set the byte ranges of each job in the host's concatenated stdout and stderr."""
    ends: dict[tuple[str, str], int] = {}
    for job in collected:
        output_ranges: OutputRanges = {}
        for stream in STREAMS:
            begin = ends.get((job.row.name, stream), 0)
            own = job.files.get(stream)
            ends[job.row.name, stream] = begin + (own.size_bytes if own else 0)
            output_ranges[stream] = (begin, ends[job.row.name, stream])
        job.row.output_ranges = output_ranges
