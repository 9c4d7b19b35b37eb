"""Runs as rows of their list."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.core.signals import setting_changed
from django.dispatch import receiver
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from apps.common.preferences import preferences
from apps.common.stored.sentences import read, said
from apps.common.templatetags.benchlab_badges import status_badge
from apps.common.templatetags.benchlab_format import (
    count,
    duration,
    missing,
    passed_html,
    relative,
)
from apps.runs.live.progress import done_counts
from apps.runs.models import FINAL_RUN, Origin, Run
from apps.runs.pages.bars import ProgressBar, bar_of
from apps.runs.selectors import hosts_met

MOST = 2_048
"""Lines that a process keeps."""


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


class RunLine(NamedTuple):
    """A row of `selectors.runs_as_lines`: a run's columns, its owner's name, and its reason as it
    is stored.
    """

    pk: int
    name: str
    note: str
    tags: tuple[str, ...]
    origin: str
    state: str
    case_count: int
    owner: str
    archived_at: datetime | None
    cancel_requested_at: datetime | None
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    stored_reason: str

    @property
    def is_final(self) -> bool:
        return self.state in FINAL_RUN

    @property
    def shown_state(self) -> str:
        cancelling = self.cancel_requested_at is not None and not self.is_final
        return "cancelling" if cancelling else self.state


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


def listed_rows(
    told: Iterable[Sequence[Any]], queue: Sequence[Run]
) -> tuple[list[ListedRow], list[RunRow]]:
    """Rows of the list of runs, of `selectors.runs_as_lines`, and of those that run and wait: two
    queries, as `run_rows`.
    """
    # Of one tuple: a list of tags could be no key.
    lines = [RunLine._make((*row[:3], tuple(row[3]), *row[4:])) for row in told]
    done, met = done_counts([*lines, *queue]), hosts_met([*lines, *queue])
    reader = (get_language(), preferences().stamp)
    rows = [
        _listed(
            line,
            ", ".join(met.get(line.pk, ())),
            done.get(line.pk, line.case_count),
            relative(line.queued_at),
            reader,
        )
        for line in lines
    ]
    return rows, _rows_of(queue, done, met)


@lru_cache(maxsize=MOST)
def _listed(line: RunLine, hosts: str, done: int, passed: str, _reader: Hashable) -> ListedRow:
    """Made once in a process for equal values, and for readers with one language and one way to
    write figures. `passed`: how long ago it was launched, in words.
    """
    reason, cases = said(read(line.stored_reason)), count(line.case_count)
    return ListedRow(
        number=str(line.pk),
        name=line.name,
        note=line.note,
        tags=line.tags,
        title=f"{line.name} #{line.pk}",
        is_final=line.is_final,
        is_imported=line.origin == Origin.IMPORTED,
        is_archived=line.archived_at is not None,
        badge=status_badge(line.shown_state, reason),
        reason=reason,
        cases=cases if line.is_final else SafeString(f"{count(done)} / {cases}"),
        hosts=hosts or missing(),
        owner=line.owner,
        launched=passed_html(line.queued_at, passed),
        took=duration(seconds_of(line)),
    )


@receiver(setting_changed)
def _forget(**_: Any) -> None:
    """Addresses of icons change with the settings of tests."""
    _listed.cache_clear()


def run_rows(runs: Sequence[Run]) -> list[RunRow]:
    """Rows of the list of runs: one query for their hosts, one for those that have not ended."""
    return _rows_of(runs, done_counts(runs), hosts_met(runs))


def _rows_of(
    runs: Sequence[Run], done: Mapping[int, int], met: Mapping[int, Sequence[str]]
) -> list[RunRow]:
    return [
        RunRow(
            run,
            ", ".join(met.get(run.pk, ())),
            done.get(run.pk, run.case_count),
            seconds_of(run),
        )
        for run in runs
    ]


def seconds_of(run: Run | RunLine) -> float | None:
    """Seconds an ended run took."""
    if run.started_at is None or run.finished_at is None:
        return None
    return (run.finished_at - run.started_at).total_seconds()
