"""Keyset pagination of the API: the last page of a million rows costs as much as the first."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from apps.common.database.pages import page_keys, position_value
from apps.common.web.request import own_address

LARGEST = 500
PAGING = frozenset({"cursor", "page_size"})


class NewestFirst(CursorPagination):
    """Newest first, `page_size` up to 500, `next` and `previous` as URLs.

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
            position = position_value(queryset, ordering.removeprefix("-"), str(cursor.position))
            if position is None:
                raise _bad_cursor()
        if getattr(view, "is_archive", False) and view.is_filtered:
            queryset = self._page_alone(queryset, cursor, position, view)
        return super().paginate_queryset(queryset, request, view)

    def _page_alone(
        self, rows: QuerySet[Any], cursor: Cursor, position: Any, view: Any
    ) -> QuerySet[Any]:
        """Return the rows of the page at a cursor and one more, selected by primary key.

        Only these rows are joined with what is displayed.
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


def _bad_cursor() -> exceptions.ValidationError:
    return exceptions.ValidationError({"cursor": [_("This is not a position in the list.")]})
