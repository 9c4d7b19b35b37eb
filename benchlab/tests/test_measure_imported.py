"""An imported run opens the form of a plan that repeats its workloads."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.services import import_store
from apps.imports.tests.factories import create_import, sample
from apps.plans.models import TestPlan
from apps.plans.selectors.repeated_tests import MAX_WORKLOADS, repeated_draft
from apps.runs.models import Run
from apps.runs.selectors.runs import measured_workloads


def imported_run(owner: User, *files: ArchiveEntry) -> Run:
    stored = import_store(imported=create_import(owner, files or None), user=owner)
    assert stored.run is not None
    return stored.run


def test_rados_outputs_of_three_operations_become_one_step(owner: User) -> None:
    run = imported_run(owner)
    draft = repeated_draft(measured_workloads(run), run.name)
    (step,) = draft.spec.steps
    assert step.tool == "rados"
    expected = {"operations": "write+seq+rand", "bs": 4 * 1024**2, "threads": 16, "seconds": 10}
    assert {name: step.params.get(name) for name in expected} == expected
    assert not draft.targets


def test_form_of_imported_run_is_filled_in_and_unsaved(owner: User, client: Client) -> None:
    run = imported_run(owner)
    client.force_login(owner)
    assert "/measure/" in client.get(f"/runs/{run.pk}/").content.decode()
    answer = client.get(f"/runs/{run.pk}/measure/", follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[0][0].startswith("/plans/new/?workload=")
    assert "write+seq+rand" in answer.content.decode()
    assert not TestPlan.objects.exists()


def test_form_of_run_without_runnable_tool_is_refused(owner: User, client: Client) -> None:
    data = sample("iostat", "11.6.1--megabytes")
    run = imported_run(owner, ArchiveEntry("iostat.txt", data))
    client.force_login(owner)
    answer = client.get(f"/runs/{run.pk}/measure/", follow=True)
    assert answer.redirect_chain[-1][0] == "/plans/"


@pytest.mark.django_db
def test_draft_of_too_many_workloads_is_refused() -> None:
    with pytest.raises(ServiceError):
        repeated_draft(range(MAX_WORKLOADS + 1), "many")
