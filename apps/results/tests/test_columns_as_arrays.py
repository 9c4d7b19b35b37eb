"""Columns of the database as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.db.models import QuerySet

from apps.common.database.columns import as_datetime, column, figures, rows_with_arrays
from apps.inventory.models import Host

pytestmark = pytest.mark.django_db


def collected(**arrays: Any) -> QuerySet[Any, Any]:
    return Host.objects.order_by().values_list("kind").annotate(**arrays)


def test_numbers_flags_and_times_come_as_they_are_stored() -> None:
    now = "2026-03-01T10:00:00.000001Z"
    for number in range(3):
        name, seconds = f"node{number}", number / 3 if number else None
        Host.objects.create(
            name=name, port=1000 + number, round_trip_seconds=seconds, checked_at=now
        )
    names = ("pk", "port", "enabled", "checked_at")
    arrays = {f"all_{name}": column(name) for name in names}
    found = rows_with_arrays(collected(**arrays, seconds=figures("round_trip_seconds")))
    ((kind, ids, ports, enabled, at, seconds),) = found
    order = np.argsort(ids)
    assert kind == Host.Kind.SSH
    assert ids[order].tolist() == list(Host.objects.values_list("pk", flat=True).order_by("pk"))
    assert ports[order].tolist() == [1000, 1001, 1002]
    assert enabled.tolist() == [True] * 3
    assert seconds[order].tolist() == pytest.approx([np.nan, 1 / 3, 2 / 3], nan_ok=True)
    assert {as_datetime(each).isoformat() for each in at.tolist()} == {now.replace("Z", "+00:00")}


def test_a_column_that_may_be_null_is_refused() -> None:
    Host.objects.create(name="unchecked")
    with pytest.raises(ValueError, match="holds NULL"):
        rows_with_arrays(collected(at=column("checked_at")))


def test_no_rows_are_no_rows() -> None:
    assert rows_with_arrays(collected(ids=column("pk"))) == []
    assert rows_with_arrays(collected(ids=column("pk")).filter(pk__in=[])) == []
