"""Another kind of target is a model with a link and a row in the table of kinds: plans, runs,
results and lists know it then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models
from django.urls import get_resolver
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Disk, Host, Target
from apps.plans.schemas.targets import PlannedTarget
from apps.plans.selectors.target_kinds import KINDS, TargetKindEntry
from apps.plans.selectors.target_names import target_value, targets_named
from apps.plans.selectors.target_rows import disk_data, host_data
from apps.plans.services.plans import plan_create
from apps.plans.tests.factories import a_draft, a_step
from apps.runs.models import Run
from apps.runs.selectors.resources import resources_of
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_disk, create_host, create_run

Api = Callable[[User | None], APIClient]


def shelf_data(shelf: Any) -> PlannedTarget:
    """All disks of its host."""
    disks = [disk_data(disk) for disk in shelf.host.disks.order_by("pk")]
    parts = tuple(part for disk in disks for part in disk.parts)
    return PlannedTarget(
        "shelf", shelf.pk, "", f"shelf {shelf.name}", host_data(shelf.host), members=parts
    )


@pytest.fixture
def shelf_model(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A model of a kind that benchlab does not have, for the time of the test. The addresses are
    loaded before: what they keep for good must not know it.
    """
    assert get_resolver().url_patterns

    class Shelf(Target):
        KIND = "shelf"

        target = models.OneToOneField(
            Target,
            on_delete=models.CASCADE,
            parent_link=True,
            primary_key=True,
            related_name=KIND,
        )
        name = models.CharField(max_length=80)
        host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="+")

        class Meta:
            app_label = "inventory"

        def __str__(self) -> str:
            return f"shelf {self.name}"

    with connection.schema_editor() as editor:
        editor.create_model(Shelf)
    monkeypatch.setitem(
        KINDS, "shelf", TargetKindEntry("shelf", Shelf, shelf_data, ("host__facts",), host="host")
    )
    yield Shelf
    del apps.all_models["inventory"]["shelf"]
    del Target.shelf  # type: ignore[attr-defined] # the link's other end
    apps.clear_cache()


@pytest.fixture
def shelf(shelf_model: Any, owner: User) -> Any:
    """Two disks in one shelf."""
    host = create_host(name="node1")
    for path in ("/dev/sdb", "/dev/sdc"):
        create_disk(host=host, owner=owner, device_path=path)
    return shelf_model.objects.create(name="upper", host=host)


def run_on(owner: User, shelf: Any) -> Run:
    draft = a_draft(targets=[shelf], steps=[a_step(rw="read", size="16M")], repeats=1)
    return run_launch(plan=plan_create(user=owner, draft=draft), user=owner)


def test_it_is_named_planned_and_launched(owner: User, shelf: Any) -> None:
    assert target_value(shelf) == f"shelf:{shelf.pk}"
    assert targets_named([f"shelf:{shelf.pk}"]) == [shelf]
    case = run_on(owner, shelf).cases.get()
    assert (case.target, case.target_kind, case.target_words) == (shelf, "shelf", "shelf upper")
    assert [member.label for member in case.members] == ["sdb", "sdc"]
    claims = {f"disk:{disk.claim}" for disk in Disk.objects.all()}
    assert claims <= set(resources_of(case.run))


def test_it_is_shown_and_found(owner: User, viewer: User, api: Api, shelf: Any) -> None:
    run = run_on(owner, shelf)
    create_run(owner=owner)
    plan = api(viewer).get(f"/api/v1/plans/{run.plan_id}/").json()
    assert plan["targets"] == [f"shelf:{shelf.pk}"]
    disk = Disk.objects.order_by("pk").first()
    assert disk is not None
    (row,) = api(viewer).get("/api/v1/cases/", {"target": disk.pk}).json()["results"]
    assert (row["run"], row["target_name"], row["target_kind"]) == (run.pk, "shelf upper", "shelf")
    assert [member["label"] for member in row["members"]] == ["sdb", "sdc"]
