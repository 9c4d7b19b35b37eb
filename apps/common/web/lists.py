"""Lists of pages: columns, sorting by `?sort=`, and keyset pages in the order of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.exceptions import BadRequest
from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import Combinable
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from apps.common.database.pages import position_value
from apps.common.web.page_context import page_context
from apps.common.web.pagination import Page, keyset

AnyModel = TypeVar("AnyModel", bound=Model)
SORT = "sort"
POSITIONS = ("before", "after")
VALUE = "sort_value"


@dataclass(frozen=True)
class ListColumn:
    """A column of a list. `sort`: the column or expression that sorts it; None: not sortable."""

    key: str
    label: str | Promise
    sort: str | Combinable | None = None
    is_number: bool = False


@dataclass(frozen=True)
class HeadCell:
    """The head of a column. `address`: sorts by it, "" if it is not sortable."""

    key: str
    label: str | Promise
    is_number: bool
    address: str
    direction: str


@dataclass(frozen=True)
class ListPage(Page[AnyModel]):
    """Rows of a page with the heads of its columns.

    `sort`: `?sort=` of the request; `selects`: name of the check boxes of its rows, "" without;
    `saved_views`: menu of saved views, which accounts adds.
    """

    head: list[HeadCell] = field(default_factory=list)
    sort: str = ""
    columns: str = ""
    selects: str = ""
    saved_views: object = None


def list_page(
    queryset: QuerySet[AnyModel],
    request: HttpRequest,
    columns: Sequence[ListColumn],
    *,
    default: str = "",
    size: int = 50,
    of_many: QuerySet[AnyModel] | None = None,
    selects: str = "",
) -> ListPage[AnyModel]:
    """Return a page in the order of `?sort=`, else of `default`, else the newest first.

    `of_many`: as in `keyset`, for the order without a column.
    Raises: BadRequest for a column that does not exist or cannot be sorted.
    """
    given = request.GET.get(SORT, "")
    order = given or default
    page = (
        _sorted_page(queryset, request, _sort_of(columns, order), order.startswith("-"), size)
        if order
        else keyset(queryset, request, size=size, of_many=of_many)
    )
    return ListPage(
        page.rows,
        page.newer,
        page.older,
        head=[_head_cell(column, request, order) for column in columns],
        sort=given,
        columns=request.GET.get("columns", ""),
        selects=selects,
        saved_views=page_context("list", request).get("saved_views"),
    )


def _sort_of(columns: Sequence[ListColumn], order: str) -> Combinable:
    sorts = {column.key: column.sort for column in columns if column.sort is not None}
    result = sorts.get(order.removeprefix("-"))
    if result is None:
        text = _("The list cannot be sorted by “%(column)s”. It can be sorted by: %(columns)s.")
        raise BadRequest(text % {"column": order[:40], "columns": ", ".join(sorts)})
    return F(result) if isinstance(result, str) else result


def _sorted_page(
    queryset: QuerySet[AnyModel], request: HttpRequest, sort: Combinable, falling: bool, size: int
) -> Page[AnyModel]:
    """Return the page beside the row whose key is in the address; rows without a value come last.

    Equal values are in the order of their keys.
    """
    rows = queryset.annotate(**{VALUE: sort})
    side, position = _position(rows, request)
    backwards = side == "before"
    if position is not None:
        rows = rows.filter(_beyond(position, falling=falling, backwards=backwards))
    down = falling != backwards
    nulls = {"nulls_first": True} if backwards else {"nulls_last": True}
    by_value = F(VALUE).desc(**nulls) if down else F(VALUE).asc(**nulls)
    result = list(rows.order_by(by_value, "-pk" if down else "pk")[: size + 1])
    more, result = len(result) > size, result[:size]
    if backwards:
        result.reverse()
    has_previous, has_next = (more, True) if backwards else (position is not None, more)
    return Page(
        result,
        newer=_address(request, before=result[0].pk) if has_previous and result else "",
        older=_address(request, after=result[-1].pk) if has_next and result else "",
    )


def _position(rows: QuerySet[Any], request: HttpRequest) -> tuple[str, tuple[Any, int] | None]:
    """Return the side and the value and key of the row in the address; None without one."""
    for side in POSITIONS:
        key = position_value(rows, "pk", request.GET.get(side))
        if key is not None:
            return side, rows.filter(pk=key).order_by().values_list(VALUE, "pk").first()
    return "", None


def _beyond(position: tuple[Any, int], *, falling: bool, backwards: bool) -> Q:
    """Return the condition of rows after a position, or before it if `backwards`."""
    value, key = position
    lookup = "lt" if falling != backwards else "gt"
    further_keys = Q(**{f"pk__{lookup}": key})
    if value is None:
        same = Q(**{f"{VALUE}__isnull": True}) & further_keys
        return same | Q(**{f"{VALUE}__isnull": False}) if backwards else same
    beyond = Q(**{f"{VALUE}__{lookup}": value}) | (Q(**{VALUE: value}) & further_keys)
    return beyond if backwards else beyond | Q(**{f"{VALUE}__isnull": True})


def _head_cell(column: ListColumn, request: HttpRequest, order: str) -> HeadCell:
    key, falling = order.removeprefix("-"), order.startswith("-")
    is_current = bool(order) and key == column.key
    direction = ("descending" if falling else "ascending") if is_current else ""
    other = f"-{column.key}" if direction == "ascending" else column.key
    address = _address(request, **{SORT: other}) if column.sort is not None else ""
    return HeadCell(column.key, column.label, column.is_number, address, direction)


def _address(request: HttpRequest, **changes: object) -> str:
    """Return the query of the page with changes, at the first page unless they name a position."""
    query = request.GET.copy()
    for side in POSITIONS:
        query.pop(side, None)
    for name, value in changes.items():
        query[name] = str(value)
    return f"?{query.urlencode()}"
