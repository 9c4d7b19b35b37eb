"""Lists page by position, not by number: a page costs the same at the end of a million rows as at
the beginning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from apps.common.request import own_address

Row = TypeVar("Row", bound=Model)
LARGEST = 500


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
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, TypeError, ValidationError) as error:
            # The position inside a made-up cursor is not a value of the column.
            raise _bad_cursor() from error

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except exceptions.NotFound as error:
            raise _bad_cursor() from error
        if cursor is not None and "\0" in str(cursor.position):
            raise _bad_cursor()
        return cursor

    def encode_cursor(self, cursor: Cursor) -> str:
        return own_address(self.request, super().encode_cursor(cursor))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == "page_size":
                parameter["schema"] = {"type": "integer", "minimum": 1, "maximum": LARGEST}
        return cast(list[dict[str, Any]], parameters)


def _bad_cursor() -> exceptions.ValidationError:
    return exceptions.ValidationError({"cursor": [_("This is not a position in the list.")]})


@dataclass(frozen=True)
class Page(Generic[Row]):
    """One page of a list: its rows, and the query strings of its neighbours ("" where there is
    none)."""

    rows: list[Row]
    newer: str
    older: str

    @property
    def has_other_pages(self) -> bool:
        return bool(self.newer or self.older)


def keyset(
    queryset: QuerySet[Row], request: HttpRequest, *, size: int = 50, order: str = "-pk"
) -> Page[Row]:
    """The page that the address asks for with `?after=` or `?before=`, in `order`: one unique
    column.

    One query, whatever the length of the list. A position that is no value of the column shows the
    first page.
    """
    column, falling = order.removeprefix("-"), order.startswith("-")
    before = _position(queryset, column, request.GET.get("before"))
    after = None if before is not None else _position(queryset, column, request.GET.get("after"))
    backwards = before is not None
    position = before if backwards else after
    if position is not None:
        lookup = "lt" if falling != backwards else "gt"
        queryset = queryset.filter(**{f"{column}__{lookup}": position})
    descending = falling != backwards
    rows = list(queryset.order_by(f"-{column}" if descending else column)[: size + 1])
    more, rows = len(rows) > size, rows[:size]
    if backwards:
        rows.reverse()
    has_newer, has_older = (more, True) if backwards else (position is not None, more)
    return Page(
        rows,
        newer=_link(request, "before", rows[:1], column) if has_newer else "",
        older=_link(request, "after", rows[-1:], column) if has_older else "",
    )


def _position(queryset: QuerySet[Row], column: str, raw: str | None) -> Any:
    if not raw or "\0" in raw:
        return None
    meta = queryset.model._meta
    try:
        field: Any = meta.pk if column == "pk" else meta.get_field(column)
        return field.to_python(raw)
    except (ValidationError, FieldDoesNotExist):
        return None


def _link(request: HttpRequest, side: str, row: list[Row], column: str) -> str:
    query = request.GET.copy()
    query.pop("before", None)
    query.pop("after", None)
    if row:
        query[side] = str(getattr(row[0], column))
    return f"?{query.urlencode()}"
