"""Lists page by position, not by number: a page costs the same at the end of a million rows as at
the beginning."""

from __future__ import annotations

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
# Keys next to the page's position that are read first: more than the results of the largest run.
NEAR = 30_000


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
        keys = page_keys(rows, order=order, number=number, beyond=position)
        shown: QuerySet[Any] = view.get_queryset()
        return shown.filter(pk__in=keys)

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


def page_keys(
    rows: QuerySet[Any], *, order: str, number: int, beyond: int | None = None
) -> list[int]:
    """The first `number` keys of `rows` in `order` ("-pk" or "pk"), beyond a position.

    For a filter that fits old rows only, PostgreSQL may walk the whole primary key. So it walks
    NEAR keys at most; if they do not fill the page, the keys of all rows that fit are materialised
    and sorted.
    """
    falling = order.startswith("-")
    first = beyond
    if beyond is not None:
        rows = rows.filter(**{"pk__lt" if falling else "pk__gt": beyond})
    else:
        keys = rows.model._default_manager.order_by(order).values_list("pk", flat=True)
        first = next(iter(keys[:1]), None)
    if first is None:
        return []
    near = {"pk__gte": first - NEAR} if falling else {"pk__lte": first + NEAR}
    found = list(rows.filter(**near).order_by(order).values_list("pk", flat=True)[:number])
    if len(found) == number:
        return found
    # No index has the order of an expression, so all keys that fit are read before they are sorted.
    key = F("pk") + 0
    sorted_rows = rows.order_by(key.desc() if falling else key.asc())
    return list(sorted_rows.values_list("pk", flat=True)[:number])


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
