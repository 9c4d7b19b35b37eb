"""Notes in the event logs of runs that may disturb each other."""

from __future__ import annotations

from collections.abc import Sequence

from apps.runs.models import Run, RunEvent
from apps.runs.selectors.interference import KIND, interfering_runs
from apps.tools.messages import message


def interference_record(run: Run, resources: Sequence[str]) -> None:
    """Record an event in the log of a run that starts and in those of the runs it may disturb."""
    for other, reason in interfering_runs(run, resources):
        RunEvent.objects.bulk_create(
            RunEvent(
                run_id=one,
                kind=KIND,
                text=message("at the same time as run %(run)d: %(why)s", run=two, why=reason),
            )
            for one, two in ((run.pk, other), (other, run.pk))
        )
