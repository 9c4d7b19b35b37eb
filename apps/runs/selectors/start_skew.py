"""Start skew of the hosts of an attempt, with clock offsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.remote.responses import exit_timestamp
from apps.runs.models import AttemptJob


@dataclass(frozen=True)
class StartSkew:
    """Seconds that each host (by name) started after the first, and the uncertainty in seconds.

    Empty without a common start.
    """

    after: Mapping[str, float] = field(default_factory=dict)
    uncertainty: Mapping[str, float] = field(default_factory=dict)


def starts_of(jobs: Sequence[AttemptJob]) -> StartSkew:
    """Return the largest skew of any common stage, without servers, which start earlier."""
    after: dict[str, float] = {}
    uncertainty: dict[str, float] = {}
    for stage in dict.fromkeys(job.stage for job in jobs):
        own = [job for job in jobs if job.stage == stage and job.has_ended and not job.listens]
        moments = {job.name: moment for job in own if (moment := _start(job)) is not None}
        if len(moments) < 2:
            continue
        first = min(moments.values())
        for name, moment in moments.items():
            after[name] = max(after.get(name, 0.0), moment - first)
        unsure = {job.name: job.clock_uncertainty for job in own}
        uncertainty |= {name: much for name, much in unsure.items() if much is not None}
    return StartSkew(after, uncertainty)


def _start(job: AttemptJob) -> float | None:
    """Return the start of the longest command on the worker's monotonic clock, in seconds."""
    times = job.exit.get("times") or []
    moment = exit_timestamp(job.exit, "started", "monotonic")
    if times:
        moment = max(times, key=lambda span: float(span[1] - span[0]))[0]
    return None if moment is None or job.clock_offset is None else float(moment) - job.clock_offset
