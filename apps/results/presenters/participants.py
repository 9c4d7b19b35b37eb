"""Participants of a case: hosts, what each did, the CPUs it was given, and when it started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.results.selectors.jobs import job_rows, jobs_of
from apps.runs.models import Attempt, Case, RunTargetMember
from apps.runs.selectors.start_skew import StartSkew, starts_of
from apps.runs.services.freeze import is_alone


@dataclass(frozen=True)
class HostPart:
    """A disk, directory, pool or end of a pair. `cpus`: those its threads were placed on."""

    member: RunTargetMember
    cpus: str

    @property
    def role(self) -> str:
        if self.member.kind != "pair":
            return ""
        return _("server") if self.member.role == "server" else _("client")


@dataclass(frozen=True)
class HostRow:
    """`late`: seconds it started after the first host; None where nobody measured it."""

    host: int
    name: str
    parts: tuple[HostPart, ...]
    late: float | None


def host_rows(case: Case, attempt: Attempt | None) -> list[HostRow]:
    """A row a host, the first one first; empty where a single disk or directory was used as it is:
    the rest of the page says that already.
    """
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
    """ "All started within 3 ms of each other (measured to ± 0.2 ms)." """
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
    """The chosen CPUs by the part's label. A job names them target by target."""
    found: dict[str, str] = {}
    for job in jobs_of(attempt):
        own = [member for member in members if member.host_id == job.host]
        for member, cpus in zip(own, job.exit.get("cpus") or (), strict=False):
            found[member.label] = ", ".join(map(str, cpus))
    return found
