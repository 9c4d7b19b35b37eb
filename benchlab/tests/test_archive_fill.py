"""The made-up archive of benchmarks is one that benchlab could have measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Count, F, Q
from django.test import Client
from django.urls import reverse

from apps.accounts.tests.factories import create_user
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_difference
from apps.runs.models import Attempt, AttemptJob, Case, Run, RunTargetMember
from tests.bench.archive.fill import Filled, fill

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("small filled archive")]


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield fill(create_user(username="archivist"), 5_000)
        transaction.set_rollback(True)


def test_runs_have_the_cases_they_say(filled: Filled) -> None:
    assert 4_000 < Case.objects.count() < 7_000
    counted = Run.objects.annotate(found=Count("cases"))
    assert not counted.exclude(found=F("case_count")).exists()
    large = counted.filter(found__gt=200).values_list("pk", flat=True)
    assert {filled.large, filled.middle} <= set(large)
    assert set(Run.objects.values_list("state", flat=True)) >= {"succeeded", "failed", "queued"}


def test_keys_and_constraints_hold(filled: Filled) -> None:
    """The rows are written without the triggers that check keys."""
    connection.check_constraints()
    assert not Attempt.objects.filter(valid=True, case__state="failed").exists()
    assert AttemptJob.objects.exclude(name="").exclude(pk=F("attempt_id")).exists()


def test_what_succeeded_was_measured(filled: Filled) -> None:
    measured = Count("measurements", filter=Q(measurements__component=""))
    cases = Case.objects.filter(state="succeeded").annotate(found=measured)
    assert not cases.filter(found=0).exists()
    assert Measurement.objects.exclude(component="").exists()
    assert not summaries_difference()


@pytest.mark.parametrize("state", ["succeeded", "failed", "running"])
def test_the_page_of_a_case_opens(filled: Filled, client: Client, state: str) -> None:
    """The stored end of an attempt is one that an agent says."""
    case = Case.objects.filter(state=state)[0]
    client.force_login(case.run.owner)
    assert client.get(reverse("case_detail", args=[case.pk])).status_code == 200


def test_the_next_row_has_a_key_of_its_own(filled: Filled) -> None:
    run = Run.objects.create(name="next", owner=filled.lab.owner)
    assert run.pk > filled.large
    assert not RunTargetMember.objects.filter(run_target__run=run).exists()
