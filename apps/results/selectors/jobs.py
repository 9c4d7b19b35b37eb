"""Jobs of an ended attempt: commands, exits, and their part of the stored output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from django.db.models import Prefetch, prefetch_related_objects

from apps.remote.job_spec import CommandSpec, JobSpec
from apps.remote.responses import Exit, JobRefusal
from apps.runs.models import Attempt, AttemptJob, JobState
from apps.runs.models.jobs import BACKGROUND, OSD_HOST, SETTINGS, SPANNING

Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Ended:
    """Command that was started. `stdout`: its own output; `code`: None if a signal ended it."""

    role: str
    code: int | None
    signal: str | int | None
    always: bool
    may_fail: bool
    stdout: bytes

    @property
    def failed(self) -> bool:
        """Return True if the command has no result."""
        return not self.may_fail and (self.signal is not None or self.code != 0)


@dataclass(frozen=True)
class DoneJob:
    """Ended job.

    `host`, `host_name`: of its host; `name`: the host's name if several take part, else empty.
    `state`: done, refused, lost or invalid_response (the last two with `error`).
    `prefix`: of its file names; `output_ranges`: its bytes of the stored stdout and stderr.
    """

    host: int
    name: str
    role: str
    stage: int
    spec: JobSpec
    exit: Exit
    host_name: str = ""
    state: str = JobState.DONE
    refusal: JobRefusal | None = None
    error: str = ""
    output_ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, row: AttemptJob) -> DoneJob:
        """Return the job of a row."""
        return cls(
            host=row.host_id,
            name=row.name,
            role=row.role,
            stage=row.stage,
            spec=row.spec,
            exit=row.exit,
            host_name=row.host.name,
            state=row.state,
            refusal=row.refusal,
            error=row.error,
            output_ranges=row.output_ranges,
        )

    @property
    def prefix(self) -> str:
        return f"{self.name}/" if self.name else ""

    @property
    def is_osd_host(self) -> bool:
        """Return True if the job only applies settings or observes its host."""
        return self.role in (OSD_HOST, SETTINGS)

    @property
    def spans_stages(self) -> bool:
        """Return True if it begins before the first stage and ends after the last one."""
        return self.role in SPANNING

    @property
    def is_background(self) -> bool:
        """Return True if it loads a target beside the test."""
        return self.role == BACKGROUND

    @property
    def measures(self) -> bool:
        """Return True if its output is part of the result."""
        return not (self.is_osd_host or self.is_background)

    @property
    def listens(self) -> bool:
        """Return True for a server or a job that only applies settings: these end last."""
        return not self.measures or any(
            command.get("listens") for command in self.spec.get("commands") or ()
        )

    def text(self, files: Files, name: str) -> bytes:
        """Return its own bytes of "stdout" or "stderr"."""
        whole = files.get(self.prefix + name, b"")
        byte_range = self.output_ranges.get(name)
        return whole[byte_range[0] : byte_range[1]] if byte_range else whole

    def commands(self, files: Files) -> list[Ended]:
        """Return the started commands in order."""
        return list(_ended(self, self.text(files, "stdout")))


def jobs_of(attempt: Attempt) -> list[DoneJob]:
    """Return the ended jobs of an attempt, stage by stage, the lead's first."""
    return [DoneJob.of(row) for row in job_rows(attempt) if row.has_ended]


def job_rows(attempt: Attempt) -> list[AttemptJob]:
    """Return the jobs of an attempt with their hosts, prefetched once."""
    with_hosts = AttemptJob.objects.select_related("host")
    prefetch_related_objects([attempt], Prefetch("jobs", with_hosts))
    return list(attempt.jobs.all())


def _ended(job: DoneJob, stdout: bytes) -> Iterator[Ended]:
    commands = job.spec.get("commands") or []
    codes, signals = job.exit.get("codes") or [], job.exit.get("signals") or []
    # An agent of before did not say which commands it ran: they were all, in order.
    ran = job.exit.get("ran") or list(range(len(codes)))
    parts = job.exit.get("parts") or []
    for position, index in enumerate(ran[: len(codes)]):
        command: CommandSpec = (
            commands[index] if index < len(commands) else {"role": "main", "argv": []}
        )
        begin, end = (parts[position]["stdout"] if position < len(parts) else (0, len(stdout)))[:2]
        yield Ended(
            role=str(command.get("role", "main")),
            code=codes[position],
            signal=signals[position] if position < len(signals) else None,
            always=bool(command.get("always")),
            may_fail=bool(command.get("may_fail")),
            stdout=stdout[begin:end],
        )
