"""Query of runs with the choices of views whose form depends on the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from apps.analysis.queries.comparison_query import ComparisonQuery, parse_comparison_query
from apps.analysis.queries.comparison_runs import query_runs
from apps.analysis.queries.selection import (
    CHOSEN_BY_NAME,
    Selection,
    is_number,
    only,
    parts_of,
)
from apps.runs.models import Run


@dataclass(frozen=True)
class RunQuery:
    """Selected runs; `choices`: what a view shows of them, sorted by name."""

    selected: ComparisonQuery
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def chosen(self) -> Mapping[str, str]:
        return dict(self.choices)

    @property
    def within(self) -> Selection:
        """Return the selection within the runs."""
        return self.selected.whole

    def runs(self) -> list[Run]:
        """Return the runs, oldest first."""
        return query_runs(self.selected)

    def urlencode(self) -> str:
        """Return the canonical query string."""
        return urlencode([*self.selected.pairs(), *self.choices])


def parse_run_query(data: QueryDict, view: str) -> RunQuery:
    """Parse the query of a view. Raises: ServiceError (400) for an invalid selection."""
    own = [name for name in CHOSEN_BY_NAME.get(view, ()) if _is_choice(data, name)]
    parts = tuple(name for name in parts_of(view) if name not in own)
    chosen = sorted((name, str(value)) for name, value in data.items() if name not in parts)
    return RunQuery(parse_comparison_query(only(data, *parts)), tuple(chosen))


def _is_choice(data: QueryDict, name: str) -> bool:
    """Return True for one name, which is a choice; numbers are part of the selection."""
    values = data.getlist(name)
    return len(values) < 2 and not any(map(is_number, values))


def run_page_query(data: QueryDict, run: int) -> str:
    """Return the query of a run's page as the view's own query."""
    rest = without(data, "view", "run", "plan")
    return urlencode([("run", str(run)), *rest.items()])


def without(data: QueryDict, *names: str) -> QueryDict:
    """Return a query without these names."""
    result = data.copy()
    for name in names:
        result.pop(name, None)
    return result
