"""Lists page by position, not by number: a page costs the same at the end of a million rows as at
the beginning."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import F, Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from apps.common.web.request import own_address

AnyModel = TypeVar("AnyModel", bound=Model)
LARGEST = 500
PAGING = frozenset({"cursor", "page_size"})
# So many of the rows next to the page's position are looked at one by one before an index of what
# is asked for is read: most filters find a page among them. Where many rows should fit, so many
# more: they reach beyond the results of the largest run.
NEAR, FAR, MANY = 2_000, 30_000, 10_000


class NewestFirst(CursorPagination):
    """The API's lists: newest first, `page_size` up to 500, `next` and `previous` as addresses.

    A view may set `cursor_ordering` to another unique column.
    """

    ordering = "-id"
    page_size = 50
    max_page_size = LARGEST
    page_size_query_param = "page_size"
    page_size_query_description = "Rows on a page, 1 to 500."

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, ...]:
        return (getattr(view, "cursor_ordering", self.ordering),)

    def get_page_size(self, request: Request) -> int:
        raw = request.query_params.get("page_size", str(self.page_size))
        if not (raw.isascii() and raw.isdigit() and len(raw) < 5 and 1 <= int(raw) <= LARGEST):
            raise exceptions.ValidationError({"page_size": [_("A page has 1 to 500 rows.")]})
        return int(raw)

    def paginate_queryset(
        self, queryset: Any, request: Request, view: Any = None
    ) -> list[Any] | None:
        self.request = request
        cursor = self.decode_cursor(request) or Cursor(0, False, None)
        (ordering,) = self.get_ordering(request, queryset, view)
        position = None
        if cursor.position is not None:
            position = _value(queryset, ordering.removeprefix("-"), str(cursor.position))
            if position is None:
                raise _bad_cursor()
        if getattr(view, "is_archive", False) and view.is_filtered:
            queryset = self._page_alone(queryset, cursor, position, view)
        return super().paginate_queryset(queryset, request, view)

    def _page_alone(
        self, rows: QuerySet[Any], cursor: Cursor, position: Any, view: Any
    ) -> QuerySet[Any]:
        """The rows of the page at a cursor and one more, found by their keys. All that is joined to
        show a row is joined for these alone.
        """
        order = "pk" if cursor.reverse else "-pk"
        number = cursor.offset + self.get_page_size(self.request) + 1
        keys: set[int] = set()
        for source in view.sources_of_keys(rows):
            find = first_keys if source.in_order else page_keys
            keys.update(find(source.rows, order=order, number=number, beyond=position))
        first = sorted(keys, reverse=not cursor.reverse)[:number]
        shown: QuerySet[Any] = view.get_queryset()
        return shown.filter(pk__in=first)

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            return super().decode_cursor(request)
        except exceptions.NotFound as error:
            raise _bad_cursor() from error

    def encode_cursor(self, cursor: Cursor) -> str:
        return own_address(self.request, super().encode_cursor(cursor))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == "page_size":
                parameter["schema"] = {"type": "integer", "minimum": 1, "maximum": LARGEST}
        return cast(list[dict[str, object]], parameters)


@dataclass(frozen=True)
class Source:
    """Rows that have the keys of a list. `in_order`: an index has all that fit next to each other
    in the order of their keys, so that its first ones are the page's.
    """

    rows: QuerySet[Any]
    in_order: bool = False


def page_keys(
    rows: QuerySet[Any], *, order: str, number: int, beyond: int | None = None
) -> list[int]:
    """The first `number` keys of `rows` in `order` ("-pk" or "pk"), beyond a position.

    PostgreSQL takes rows in the order of their keys until enough fit when it believes that many do.
    Where they lie together in another part of the archive (a host of the first year, a state of a
    bad week) it would read millions. So only some rows are read like that; then all that fit are
    gathered by the index of what is asked for, and put in order.
    """
    falling = order.startswith("-")
    rows = _beyond(rows, order, beyond)
    ends = rows.model._default_manager.order_by(order).values_list("pk", flat=True)
    first = beyond if beyond is not None else next(iter(ends[:1]), None)
    if first is None:
        return []
    keys = rows.order_by(order).values_list("pk", flat=True)
    for distance in (NEAR, FAR):
        if distance == FAR and _expected(keys) < MANY:
            break
        near = {"pk__gte": first - distance} if falling else {"pk__lte": first + distance}
        found = list(keys.filter(**near)[:number])
        if len(found) == number:
            return found
    # An expression: no index has this order, so the planner looks for one of the filter instead.
    place = F("pk") + 0
    return list(keys.order_by(place.desc() if falling else place.asc())[:number])


def first_keys(
    rows: QuerySet[Any], *, order: str, number: int, beyond: int | None = None
) -> list[int]:
    """As page_keys(), of rows that an index has in the order of their keys."""
    keys = _beyond(rows, order, beyond).order_by(order).values_list("pk", flat=True)
    return list(keys[:number])


def _beyond(rows: QuerySet[Any], order: str, position: int | None) -> QuerySet[Any]:
    if position is None:
        return rows
    return rows.filter(**{"pk__lt" if order.startswith("-") else "pk__gt": position})


def _expected(rows: QuerySet[Any, Any]) -> int:
    """The number of rows that the planner expects; 0 where Django knows that none can fit."""
    plan = rows.order_by().explain(format="json")
    if not plan:
        return 0
    (told,) = json.loads(plan)
    return int(told["Plan"]["Plan Rows"])


def _bad_cursor() -> exceptions.ValidationError:
    return exceptions.ValidationError({"cursor": [_("This is not a position in the list.")]})


@dataclass(frozen=True)
class Page(Generic[AnyModel]):
    """One page of a list: its rows, and the query strings of its neighbours ("" where there is
    none)."""

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
    """The page that the address asks for with `?after=` or `?before=`, in `order`: one unique
    column.

    One query, whatever the length of the list. A position that is no value of the column shows the
    first page. `of_many`: `queryset` without its filters, of a table that may have millions of
    rows; the page is then found by its keys first.
    """
    column, falling = order.removeprefix("-"), order.startswith("-")
    before = _value(queryset, column, request.GET.get("before"))
    after = None if before is not None else _value(queryset, column, request.GET.get("after"))
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


def _value(queryset: QuerySet[AnyModel], column: str, raw: str | None) -> Any:
    """A position of an address as a value of the column; None where it is none."""
    if not raw or "\0" in raw:
        return None
    meta = queryset.model._meta
    try:
        field: Any = meta.pk if column == "pk" else meta.get_field(column)
        return field.to_python(raw)
    except (ValidationError, FieldDoesNotExist):
        return None


def _link(request: HttpRequest, side: str, row: list[AnyModel], column: str) -> str:
    query = request.GET.copy()
    query.pop("before", None)
    query.pop("after", None)
    if row:
        query[side] = str(getattr(row[0], column))
    return f"?{query.urlencode()}"
