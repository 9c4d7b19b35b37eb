"""The question of a sweep: a comparison's, so that both say the same of it, and the choices of its
chart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from apps.analysis.queries.comparison_query import NAMES as COMPARED_NAMES
from apps.analysis.queries.comparison_query import ComparisonQuery, parse_comparison_query

FIXED = "at-"
CHART_OPTIONS = ("x", "tool", "show")
"""`show`: the operation on the chart. Unlike a comparison's `operation` it leaves the others in the
family of comparisons that are corrected together."""


@dataclass(frozen=True)
class SweepQuery:
    """`shown`: what the chart shows, by name: the parameter along the bottom, the operation, a
    value for other parameters. It decides no verdict.
    """

    compared: ComparisonQuery
    shown: tuple[tuple[str, str], ...] = ()

    def pairs(self) -> list[tuple[str, str]]:
        """The query's names and values in their one order."""
        return [*self.compared.pairs(), *self.shown]

    def query(self) -> str:
        """The query string, without the question mark."""
        return urlencode(self.pairs())

    @property
    def choices(self) -> Mapping[str, str]:
        return dict(self.shown)


def parse_sweep_query(data: QueryDict) -> SweepQuery:
    """The question in a query. Raises ServiceError (400) with the names that are wrong."""
    shown = sorted((name, value) for name, value in data.items() if is_chart_option(name) and value)
    compared = data.copy()
    for name in CHART_OPTIONS:
        compared.pop(name, None)
    return SweepQuery(
        parse_comparison_query(compared), tuple((name, str(value)) for name, value in shown)
    )


def is_chart_option(name: str) -> bool:
    """Whether this name of a query says what the chart shows."""
    return name in CHART_OPTIONS or name.startswith(FIXED)


def accepts(name: str) -> bool:
    """Whether a sweep knows this name of a query."""
    return name in COMPARED_NAMES or is_chart_option(name)
