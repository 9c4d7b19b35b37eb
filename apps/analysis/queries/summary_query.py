"""Query of result summaries: a selection and the options of a view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import django_filters as filters
from django.http import QueryDict
from django.utils.functional import Promise

from apps.analysis.queries.errors import query_error
from apps.analysis.queries.filters import SelectionFilter
from apps.analysis.queries.selection import PARTS
from apps.analysis.result import AnalysisResult
from apps.results.selectors.results import comparable_summaries

FilterT = TypeVar("FilterT", bound=filters.FilterSet)


@dataclass(frozen=True)
class SummaryQuery(Generic[FilterT]):
    """Valid query; `query` is its canonical form."""

    query: str
    filterset: FilterT


def empty_result(
    view: str, title: Promise, query: SummaryQuery[Any], reason: str
) -> AnalysisResult:
    """Return a result that states why it has nothing to show."""
    return AnalysisResult(view, str(title), query.query, empty=reason)


def parse_summary_query(data: QueryDict, kind: type[FilterT]) -> SummaryQuery[FilterT]:
    """Parse a query. Raises: ServiceError (400) with the invalid names."""
    filterset = kind(data, queryset=comparable_summaries())
    if not filterset.form.is_valid():
        raise query_error(filterset.form.errors)
    order = list(filterset.form.fields)
    if not isinstance(filterset, SelectionFilter):
        return SummaryQuery(canonical(data, order), filterset)
    options = data.copy()
    for name in PARTS:
        options.pop(name, None)
    parts = (filterset.selection.urlencode(), canonical(options, order))
    return SummaryQuery("&".join(part for part in parts if part), filterset)


def canonical(data: QueryDict, order: Iterable[str]) -> str:
    """Return the query with its names in this order, without empty values.

    Other names are sorted after them. The values of a name keep their order.
    """
    ordered = [name for name in order if name in data]
    names = [*ordered, *sorted(set(data) - set(ordered))]
    return urlencode([(name, one) for name in names for one in data.getlist(name) if one])
