"""Rows of one page of a long table, found by their keys."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import F, QuerySet

# Keys next to the page's position that are read first: more than the results of the largest run.
NEAR = 30_000


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


def position_value(queryset: QuerySet[Any], column: str, raw: str | None) -> Any:
    """A position of an address as a value of the column; None where it is none."""
    if not raw or "\0" in raw:
        return None
    meta = queryset.model._meta
    try:
        field: Any = meta.pk if column == "pk" else meta.get_field(column)
        return field.to_python(raw)
    except (ValidationError, FieldDoesNotExist):
        return None
