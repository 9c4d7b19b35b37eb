"""Questions about figures, wherever they were measured: a filter that names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import django_filters as filters
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.common.errors import Refused
from apps.results.selectors import figures_that_count

Asked = TypeVar("Asked", bound=filters.FilterSet)


@dataclass(frozen=True)
class OfFigures(Generic[Asked]):
    """A query that was found right."""

    query: str
    asked: Asked


def of_figures(data: QueryDict, kind: type[Asked]) -> OfFigures[Asked]:
    """The question in a query. Raises Refused (400) with the names that are wrong."""
    asked = kind(data, queryset=figures_that_count())
    if not asked.form.is_valid():
        wrong = {name: [str(text) for text in texts] for name, texts in asked.form.errors.items()}
        raise Refused(_("This cannot be asked so."), wrong, status=400)
    return OfFigures(data.urlencode(), asked)
