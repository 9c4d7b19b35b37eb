"""The database refuses a figure that is negative or not finite."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.results.models import Measurement
from apps.runs.tests.factories import create_attempt, create_run

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("figure", [-1.0, float("inf"), float("nan")])
@pytest.mark.parametrize("column", ["iops", "latency_p99"])
def test_impossible_figure_is_refused(owner: User, column: str, figure: float) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    fields = {"attempt": attempt, "case": attempt.case, "workload": attempt.case.workload}
    with pytest.raises(IntegrityError), transaction.atomic():
        Measurement.objects.create(**fields, operation="read", parser_version=1, **{column: figure})
    Measurement.objects.create(**fields, operation="read", parser_version=1, **{column: 0.0})
