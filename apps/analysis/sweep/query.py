"""Query of a sweep: that of a comparison, so that both agree, and the choices of its chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from apps.analysis.queries.comparison_query import NAMES as COMPARED_NAMES
from apps.analysis.queries.comparison_query import ComparisonQuery, parse_comparison_query
from apps.analysis.repeats.choices_form import FIXED

CHART_OPTIONS = ("x", "tool", "show")
"""Choices of the chart.

`show`: the shown operation. Unlike a comparison's `operation` it does not reduce the family of
corrected comparisons.
"""


@dataclass(frozen=True)
class SweepQuery:
    """Query of a sweep; `shown`: choices of the chart by name, which change no verdict."""

    compared: ComparisonQuery
    shown: tuple[tuple[str, str], ...] = ()

    def pairs(self) -> list[tuple[str, str]]:
        """Return names and values of the query in canonical order."""
        return [*self.compared.pairs(), *self.shown]

    def urlencode(self) -> str:
        """Return the query string."""
        return urlencode(self.pairs())

    @property
    def choices(self) -> Mapping[str, str]:
        return dict(self.shown)


def parse_sweep_query(data: QueryDict) -> SweepQuery:
    """Parse a query. Raises: ServiceError (400) with the invalid names."""
    shown = sorted((name, value) for name, value in data.items() if is_chart_option(name) and value)
    compared = data.copy()
    for name in CHART_OPTIONS:
        compared.pop(name, None)
    return SweepQuery(
        parse_comparison_query(compared), tuple((name, str(value)) for name, value in shown)
    )


def is_chart_option(name: str) -> bool:
    """Return True if this query name is a choice of the chart."""
    return name in CHART_OPTIONS or name.startswith(FIXED)


def accepts(name: str) -> bool:
    """Return True if a sweep query may contain this name."""
    return name in COMPARED_NAMES or is_chart_option(name)
