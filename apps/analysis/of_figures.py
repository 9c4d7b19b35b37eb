"""Questions about figures, wherever they were measured: a filter that names them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

import django_filters as filters
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.common.errors import Refused
from apps.results.selectors import figures_that_count

Asked = TypeVar("Asked", bound=filters.FilterSet)


@dataclass(frozen=True)
class OfFigures(Generic[Asked]):
    """A query that was found right; `query` is the same for every way of writing it."""

    query: str
    asked: Asked


def of_figures(data: QueryDict, kind: type[Asked]) -> OfFigures[Asked]:
    """The question in a query. Raises Refused (400) with the names that are wrong."""
    asked = kind(data, queryset=figures_that_count())
    if not asked.form.is_valid():
        wrong = {name: [str(text) for text in texts] for name, texts in asked.form.errors.items()}
        raise Refused(_("This cannot be asked so."), wrong, status=400)
    return OfFigures(canonical(data, asked.form.fields), asked)


def canonical(data: QueryDict, order: Iterable[str]) -> str:
    """The query with its names in this order, others behind them by name; without empty values. The
    values of one name stay as they are: they are in the order that somebody chose.
    """
    known = [name for name in order if name in data]
    names = [*known, *sorted(set(data) - set(known))]
    return urlencode([(name, one) for name in names for one in data.getlist(name) if one])
