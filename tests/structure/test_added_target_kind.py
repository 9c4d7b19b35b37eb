"""A kind of target added as a model and one line of KINDS is in form, API, plan, run and case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Host, Target
from apps.inventory.models.targets import models_of_kinds
from apps.plans.models import TestPlan
from apps.plans.schemas.targets import PlannedMember, PlannedTarget
from apps.plans.selectors.target_kinds import KINDS, TargetKindEntry
from apps.plans.selectors.target_rows import host_data
from apps.plans.tests.factories import create_host
from apps.plans.tests.test_plan_form import NEW
from apps.runs.services.runs import run_launch

Row = Any
"""A row of the added model, which no type checker has seen."""


def share_data(share: Row) -> PlannedTarget:
    """A share is used as a directory of its host."""
    host = host_data(share.host)
    member = PlannedMember("directory", share.pk, share.path, share.path, str(share), host)
    return PlannedTarget("share", share.pk, share.path, str(share), host, members=(member,))


@pytest.fixture
def share_model(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Row]]:
    class Share(Target):
        KIND = "share"

        target = models.OneToOneField(
            Target, models.CASCADE, parent_link=True, primary_key=True, related_name=KIND
        )
        host = models.ForeignKey(Host, models.CASCADE, related_name="+")
        path = models.CharField(max_length=100)

        class Meta:
            app_label = "inventory"

        def __str__(self) -> str:
            return f"share {self.path}"

    with connection.schema_editor() as editor:
        editor.create_model(Share)
    kind = TargetKindEntry(
        "share", Share, share_data, ("host__facts",), host="host",
        offered=Share.objects.all, title=lambda _row: "Network shares",
    )  # fmt: skip
    monkeypatch.setitem(KINDS, "share", kind)
    yield Share
    del apps.all_models["inventory"]["share"]
    del Target.share  # type: ignore[attr-defined] # the added relation
    apps.clear_cache()


@pytest.fixture
def share(share_model: type[Row]) -> Row:
    return share_model.objects.create(host=create_host(), path="/mnt/share")


def test_kind_that_is_added_is_one_of_the_models_of_kinds(share_model: type[Row]) -> None:
    assert models_of_kinds()["share"] is share_model


def test_plan_form_with_an_added_kind_offers_its_rows(share: Row, owner_client: Client) -> None:
    html = owner_client.get(NEW).content.decode()

    assert "Network shares" in html
    assert f'<option value="share:{share.pk}">share /mnt/share</option>' in html


def test_plan_on_an_added_kind_is_saved_shown_and_launched(
    share: Row, owner: User, owner_client: Client
) -> None:
    client = APIClient()
    client.force_authenticate(owner)
    step = {"tool": "fio", "params": {"rw": "randread", "size": "1G"}}
    body = {"name": "shared", "steps": [step], "targets": [f"share:{share.pk}"], "repeats": 1}

    made = client.post("/api/v1/plans/", body, format="json")
    assert made.status_code == 201, made.json()
    assert made.json()["targets"] == [f"share:{share.pk}"]
    plan = TestPlan.objects.get()
    page = owner_client.get(reverse("plan_detail", args=[plan.pk])).content.decode()
    assert "share /mnt/share" in page

    run = run_launch(plan=plan, user=owner)

    target = run.targets.get()
    assert (target.kind, target.target, target.name) == ("share", share.target, "share /mnt/share")
    assert target.target is not None
    assert target.target.row == share
    page = owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert "share /mnt/share" in page
    (case,) = client.get("/api/v1/cases/", {"run": run.pk}).json()["results"]
    assert (case["target_kind"], case["target_name"]) == ("share", "share /mnt/share")
