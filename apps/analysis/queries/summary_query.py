"""Questions about figures, wherever they were measured: a selection and what a room asks of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

import django_filters as filters
from django.http import QueryDict

from apps.analysis.queries.filters import SelectionFilter, query_error
from apps.analysis.queries.selection import PARTS
from apps.results.selectors.results import figures_that_count

FilterT = TypeVar("FilterT", bound=filters.FilterSet)


@dataclass(frozen=True)
class SummaryQuery(Generic[FilterT]):
    """A query that was found right; `query` is the same for every way of writing it."""

    query: str
    filterset: FilterT


def parse_summary_query(data: QueryDict, kind: type[FilterT]) -> SummaryQuery[FilterT]:
    """The question in a query. Raises ServiceError (400) with the names that are wrong."""
    asked = kind(data, queryset=figures_that_count())
    if not asked.form.is_valid():
        raise query_error(asked)
    order = list(asked.form.fields)
    if not isinstance(asked, SelectionFilter):
        return SummaryQuery(canonical(data, order), asked)
    options = data.copy()
    for name in PARTS:
        options.pop(name, None)
    parts = (asked.selection.query(), canonical(options, order))
    return SummaryQuery("&".join(part for part in parts if part), asked)


def canonical(data: QueryDict, order: Iterable[str]) -> str:
    """The query with its names in this order, others behind them by name; without empty values. The
    values of one name stay as they are: they are in the order that somebody chose.
    """
    known = [name for name in order if name in data]
    names = [*known, *sorted(set(data) - set(known))]
    return urlencode([(name, one) for name in names for one in data.getlist(name) if one])
