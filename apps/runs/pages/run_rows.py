"""Runs as rows of their list."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString

from apps.common.stored.sentences import said
from apps.common.templatetags.benchlab_badges import status_badge
from apps.common.templatetags.benchlab_format import ago, count, duration, missing
from apps.runs.live.progress import done_counts
from apps.runs.models import Run
from apps.runs.pages.bars import ProgressBar, bar_of
from apps.runs.selectors import hosts_met


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


@dataclass(frozen=True)
class ListedRow:
    """A run in the list: its cells, each made once. `number` is its id, `reason` in the reader's
    language.
    """

    number: str
    name: str
    note: str
    tags: tuple[str, ...]
    title: str
    is_final: bool
    is_imported: bool
    is_archived: bool
    badge: SafeString
    reason: str
    cases: str
    hosts: str
    owner: str
    launched: SafeString
    took: SafeString


def listed_rows(runs: list[Run], queue: list[Run]) -> tuple[list[ListedRow], list[RunRow]]:
    """Rows of the list of runs and of those that run and wait: two queries, as `run_rows`."""
    rows = run_rows([*runs, *queue])
    return [_listed(row) for row in rows[: len(runs)]], rows[len(runs) :]


def _listed(row: RunRow) -> ListedRow:
    run, reason, cases = row.run, said(row.run.reason), count(row.run.case_count)
    return ListedRow(
        number=str(run.pk),
        name=run.name,
        note=run.note,
        tags=tuple(run.tags),
        title=str(run),
        is_final=run.is_final,
        is_imported=run.is_imported,
        is_archived=run.archived_at is not None,
        badge=status_badge(row.state, reason),
        reason=reason,
        cases=cases if run.is_final else SafeString(f"{count(row.done)} / {cases}"),
        hosts=row.hosts or missing(),
        owner=run.owner.username,
        launched=ago(run.queued_at),
        took=duration(row.seconds),
    )


def run_rows(runs: list[Run]) -> list[RunRow]:
    """Rows of the list of runs: one query for their hosts, one for those that have not ended."""
    done = done_counts(runs)
    met = hosts_met(runs)
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
    """Seconds an ended run took."""
    if run.started_at is None or run.finished_at is None:
        return None
    return (run.finished_at - run.started_at).total_seconds()
