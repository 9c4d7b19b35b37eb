"""Select the rows of one page of a long table by primary key."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import F, QuerySet

# Keys that are scanned first: more than the results of the largest run.
NEAR = 30_000


def page_keys(
    rows: QuerySet[Any], *, order: str, number: int, beyond: int | None = None
) -> list[int]:
    """Return the first `number` keys of `rows` in `order` ("-pk" or "pk"), beyond a position.

    For a filter that matches old rows only, PostgreSQL may scan the whole primary key. So NEAR keys
    at most are scanned first; if they do not fill the page, all matching keys are materialised and
    sorted.
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
    result = list(rows.filter(**near).order_by(order).values_list("pk", flat=True)[:number])
    if len(result) == number:
        return result
    # No index has the order of an expression, so all matching keys are read and then sorted.
    key = F("pk") + 0
    sorted_rows = rows.order_by(key.desc() if falling else key.asc())
    return list(sorted_rows.values_list("pk", flat=True)[:number])


def position_value(queryset: QuerySet[Any], column: str, raw: str | None) -> Any:
    """Return a position of a URL as a value of the column; None if it is invalid."""
    if not raw or "\0" in raw:
        return None
    meta = queryset.model._meta
    try:
        field: Any = meta.pk if column == "pk" else meta.get_field(column)
        return field.to_python(raw)
    except (ValidationError, FieldDoesNotExist):
        return None
