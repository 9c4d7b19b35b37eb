"""Runs as rows of their list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.runs.models import Run
from apps.runs.presenters.bars import ProgressBar, bar_of
from apps.runs.selectors.progress import done_counts
from apps.runs.selectors.runs import hosts_met


@dataclass(frozen=True)
class RunRow:
    """A run in a list."""

    run: Run
    hosts: str
    done: int
    seconds: float | None

    @property
    def state(self) -> str:
        return "cancelling" if self.run.is_cancelling else self.run.state

    @property
    def bar(self) -> ProgressBar:
        return bar_of({"ended": self.done}, self.run.case_count)


def run_rows(runs: Sequence[Run]) -> list[RunRow]:
    """Return the rows of a list of runs, with one query for hosts and one for open runs."""
    done, met = done_counts(runs), hosts_met(runs)
    return [
        RunRow(
            run,
            ", ".join(met.get(run.pk, ())),
            done.get(run.pk, run.case_count),
            seconds_of(run),
        )
        for run in runs
    ]


def seconds_of(run: Run) -> float | None:
    """Return the duration of an ended run in seconds."""
    if run.started_at is None or run.finished_at is None:
        return None
    return (run.finished_at - run.started_at).total_seconds()
