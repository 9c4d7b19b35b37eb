"""Questions about runs: which they are, and what else a query says, for rooms whose choices depend
on what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from apps.analysis.compare.question import Question, question_of
from apps.analysis.compare.selectors import runs_of
from apps.runs.models import Run

SELECTED = ("run", "plan")


@dataclass(frozen=True)
class OfRuns:
    """`choices`: what is shown of the runs, by name, in the order of names."""

    selected: Question
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def chosen(self) -> Mapping[str, str]:
        return dict(self.choices)

    def runs(self) -> list[Run]:
        """The runs, oldest first."""
        return runs_of(self.selected)

    def query(self) -> str:
        """The query in its one order."""
        return urlencode([*self.selected.pairs(), *self.choices])


def of_runs(data: QueryDict) -> OfRuns:
    """The question in a query. Raises Refused (400) for runs that are no numbers."""
    asked = data.copy()
    for name in [name for name in asked if name not in SELECTED]:
        asked.pop(name)
    chosen = sorted((name, str(value)) for name, value in data.items() if name not in SELECTED)
    return OfRuns(question_of(asked), tuple(chosen))


def of_run(data: QueryDict, run: int) -> str:
    """The query of a page about one run, as its room's own query."""
    asked = without(data, "view", *SELECTED)
    return urlencode([("run", str(run)), *asked.items()])


def without(data: QueryDict, *names: str) -> QueryDict:
    """A query without these names."""
    found = data.copy()
    for name in names:
        found.pop(name, None)
    return found
