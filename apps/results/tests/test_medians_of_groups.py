"""Median and spread of the repeats in the groups of a run's table of cases."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.results.models import Measurement
from apps.results.tests.factories import create_results
from apps.runs.models import Attempt, AttemptState, Case
from apps.runs.tests.factories import create_attempt, create_run, end_run, tuning_of


def measured(case: Case, iops: float, *, invalid_reason: str = "") -> Attempt:
    attempt = create_results(
        create_attempt(case, valid=not invalid_reason), invalid_reason=invalid_reason
    )
    Measurement.objects.filter(attempt=attempt, component="").update(iops=iops)
    return attempt


def medians(client: Client, address: str) -> list[Any]:
    (group,) = client.get(address).context["table"].groups
    return [line.result for line in group.medians]


def test_group_has_one_median_per_tuning(owner: User, viewer_client: Client) -> None:
    """100, 110 and 150: median 110; mean 120, deviation of the sample 26.458, so 22.05 %."""
    run = create_run(owner=owner, repeats=5)
    *first, other, _unmeasured = run.cases.order_by("sequence")
    Case.objects.filter(pk=other.pk).update(run_tuning=tuning_of(run, "other"))
    for case, iops in zip(first, (100.0, 150.0, 110.0), strict=True):
        measured(case, iops)
    measured(Case.objects.get(pk=other.pk), 7.0)
    end_run(run)
    mine, single = sorted(
        medians(viewer_client, reverse("run_detail", args=[run.pk])), key=lambda one: -one.number
    )
    assert (mine.number, mine.operation) == (3, "read")
    assert mine.figures[0].median == pytest.approx(110)
    assert mine.figures[0].spread == pytest.approx(0.22048, rel=1e-4)
    assert (single.tuning_name, single.number) == ("other", 1)
    assert (single.figures[0].median, single.figures[0].spread) == (7.0, None)


def test_medians_leave_out_what_does_not_count(owner: User, viewer_client: Client) -> None:
    """Invalid results do not count, nor those of an attempt that a later one replaced."""
    run = create_run(owner=owner, repeats=3)
    first, second, third = run.cases.order_by("sequence")
    measured(first, 100.0)
    measured(first, 200.0)
    measured(second, 900.0, invalid_reason="settings changed")
    measured(third, 300.0)
    create_attempt(third, state=AttemptState.FAILED)
    end_run(run)
    (result,) = medians(viewer_client, reverse("run_detail", args=[run.pk]))
    assert (result.number, result.figures[0].median) == (1, 200.0)


def test_live_run_and_filtered_table_have_no_medians(owner: User, viewer_client: Client) -> None:
    """Their pages may show a part of a group."""
    run = create_run(owner=owner, repeats=2)
    for case in run.cases.all():
        measured(case, 100.0)
    address = reverse("run_detail", args=[run.pk])
    assert medians(viewer_client, address) == []
    end_run(run)
    assert len(medians(viewer_client, address)) == 1
    assert medians(viewer_client, f"{address}?state=succeeded") == []
