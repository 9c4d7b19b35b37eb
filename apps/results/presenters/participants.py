"""Participating hosts of a case: components, CPUs and start skew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.results.selectors.jobs import job_rows, jobs_of
from apps.runs.models import Attempt, Case, RunTargetMember
from apps.runs.selectors.start_skew import StartSkew, starts_of
from apps.runs.services.snapshot import is_alone


@dataclass(frozen=True)
class HostPart:
    """Disk, directory, pool or end of a host pair. `cpus`: of its pinned threads."""

    member: RunTargetMember
    cpus: str

    @property
    def role(self) -> str:
        if self.member.kind != "pair":
            return ""
        return _("server") if self.member.role == "server" else _("client")


@dataclass(frozen=True)
class HostRow:
    """Participating host. `late`: seconds after the start of the first, None if unknown."""

    host: int
    name: str
    parts: tuple[HostPart, ...]
    late: float | None


def host_rows(case: Case, attempt: Attempt | None) -> list[HostRow]:
    """Return a row per host; empty for a single disk or directory without pinning."""
    members = case.members
    cpus = _cpus(attempt, members) if attempt is not None else {}
    if is_alone(case.run_target) and not cpus:
        return []
    starts = starts_of(job_rows(attempt)).after if attempt is not None else {}
    hosts = dict.fromkeys((member.host_id, member.host_name) for member in members)
    return [
        HostRow(
            host,
            name,
            tuple(HostPart(m, cpus.get(m.label, "")) for m in members if m.host_id == host),
            starts.get(name),
        )
        for host, name in hosts
    ]


def starts_words(attempt: Attempt | None) -> str:
    """Return the start skew as a sentence, with its uncertainty; empty for one host."""
    starts = starts_of(job_rows(attempt)) if attempt is not None else StartSkew()
    if len(starts.after) < 2:
        return ""
    most = _milliseconds(max(starts.after.values()))
    words = _("All hosts started within %s of each other") % most
    unsure = starts.uncertainty.values()
    if unsure:
        words += _(", measured to ± %s") % _milliseconds(max(unsure))
    return f"{words}."


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.0995 else f"{seconds * 1000:,.0f} ms"


def _cpus(attempt: Attempt, members: Sequence[RunTargetMember]) -> dict[str, str]:
    """Return the pinned CPUs by the component's label."""
    result: dict[str, str] = {}
    for job in jobs_of(attempt):
        own = [member for member in members if member.host_id == job.host]
        for member, cpus in zip(own, job.exit.get("cpus") or (), strict=False):
            result[member.label] = ", ".join(map(str, cpus))
    return result
