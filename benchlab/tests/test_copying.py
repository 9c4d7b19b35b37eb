"""Rows copied into a table are read back the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.common.database.copying import keys_taken, rows_copy
from apps.results.models import Histogram, Measurement
from apps.results.tests.factories import create_results
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.messages import message

pytestmark = pytest.mark.django_db


@pytest.fixture
def measurement(owner: User) -> Measurement:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    create_results(attempt)
    return Measurement.objects.filter(attempt=attempt).latest("pk")


def copied(row: Measurement, **changed: Any) -> Measurement:
    """A copy of a measurement with other values."""
    fields = Measurement._meta.concrete_fields
    (key,) = keys_taken(Measurement, 1)
    values = {field.attname: getattr(row, field.attname) for field in fields}
    new = values | {"id": key, "operation": "copied"} | changed
    rows_copy(Measurement, list(new), [list(new.values())])
    return Measurement.objects.get(pk=key)


def test_copy_of_a_measurement_reads_back_the_same(measurement: Measurement) -> None:
    reason = message("it ran %(hours)d hours", hours=3)
    again = copied(measurement, iops=None, invalid_reason=reason, component="día\tµ\\N\n")
    assert (again.iops, again.component, again.bandwidth) == (
        None,
        "día\tµ\\N\n",
        measurement.bandwidth,
    )
    assert (again.invalid_reason, again.created_at) == (reason, measurement.created_at)


def test_copy_of_unstorable_json_replaces_what_cannot_be_stored(measurement: Measurement) -> None:
    values = {"nul": "a\0b", "escaped": "\\u0000", "nan": [float("nan")], "large": 2**70}
    again = copied(measurement, values=values | {"surrogate": "a\ud800b"})
    assert again.values == {
        "nul": "a\ufffdb",
        "escaped": "\\u0000",
        "nan": [None],
        "large": 2**70,
        "surrogate": "a\ufffdb",
    }


def test_copy_of_arrays_reads_back_the_same(measurement: Measurement) -> None:
    Histogram.objects.filter(measurement=measurement).delete()
    names = ("measurement_id", "bins", "counts")
    rows_copy(Histogram, names, [(measurement.pk, [-1, 2**62], (1, 0))])
    again = Histogram.objects.get(measurement=measurement)
    assert (again.bins, again.counts) == ([-1, 2**62], [1, 0])


def test_copy_that_breaks_a_constraint_stores_nothing(measurement: Measurement) -> None:
    before = Measurement.objects.count()
    with pytest.raises(IntegrityError), transaction.atomic():
        copied(measurement, id=measurement.pk)
    assert Measurement.objects.count() == before
