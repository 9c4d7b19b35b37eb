"""Keyset pagination of pages: the last page of a million rows costs as much as the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from apps.common.database.pages import page_keys, position_value

AnyModel = TypeVar("AnyModel", bound=Model)


@dataclass(frozen=True)
class Page(Generic[AnyModel]):
    """Rows of a page, and the query strings of its neighbours ("" without one)."""

    rows: list[AnyModel]
    newer: str
    older: str

    @property
    def has_other_pages(self) -> bool:
        return bool(self.newer or self.older)


def keyset(
    queryset: QuerySet[AnyModel],
    request: HttpRequest,
    *,
    size: int = 50,
    order: str = "-pk",
    of_many: QuerySet[AnyModel] | None = None,
) -> Page[AnyModel]:
    """Return the page at `?after=` or `?before=`, in `order` of one unique column.

    One query for any length of the list. An invalid position shows the first page. `of_many`:
    `queryset` without its filters, of a table that may have millions of rows; the page is then
    found by its keys first.
    """
    column, falling = order.removeprefix("-"), order.startswith("-")
    before = position_value(queryset, column, request.GET.get("before"))
    after = (
        None if before is not None else position_value(queryset, column, request.GET.get("after"))
    )
    backwards = before is not None
    position = before if backwards else after
    if position is not None:
        lookup = "lt" if falling != backwards else "gt"
        queryset = queryset.filter(**{f"{column}__{lookup}": position})
    ordered = f"-{column}" if falling != backwards else column
    if of_many is not None:
        keys = page_keys(queryset, order=ordered, number=size + 1, beyond=position)
        queryset = of_many.filter(pk__in=keys)
    rows = list(queryset.order_by(ordered)[: size + 1])
    more, rows = len(rows) > size, rows[:size]
    if backwards:
        rows.reverse()
    has_newer, has_older = (more, True) if backwards else (position is not None, more)
    return Page(
        rows,
        newer=_link(request, "before", rows[:1], column) if has_newer else "",
        older=_link(request, "after", rows[-1:], column) if has_older else "",
    )


def _link(request: HttpRequest, side: str, row: list[AnyModel], column: str) -> str:
    query = request.GET.copy()
    query.pop("before", None)
    query.pop("after", None)
    if row:
        query[side] = str(getattr(row[0], column))
    return f"?{query.urlencode()}"
