"""Advice on a disk that is an array, and its snapshot in a run."""

from __future__ import annotations

from django.test import Client

from apps.accounts.models import User
from apps.inventory.schemas.backing_arrays import BackingArray
from apps.plans.selectors.plans import plan_preview
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_plan


def test_address_space_within_controller_cache_gets_advice_and_run_keeps_array(
    owner: User, client: Client
) -> None:
    disk = create_disk(host=create_host(), owner=owner)
    disk.size = 10**12
    disk.backing = BackingArray("raid5", 12, cache_bytes=2 * 1024**3)
    disk.save()
    params = {"rw": "randread", "size": "1G"}
    plan = create_plan(owner=owner, target=disk, params=params)
    assert any("controller cache 2 GiB" in str(one.text) for one in plan_preview(plan).advice)
    run = run_launch(plan=plan, user=owner)
    disk.backing = None
    disk.save()
    (member,) = run.targets.get().members.all()
    assert member.backing == BackingArray("raid5", 12, cache_bytes=2 * 1024**3)
    case = create_attempt(run.cases.all()[0]).case
    client.force_login(owner)
    assert "RAID 5 of 12" in client.get(f"/cases/{case.pk}/").content.decode()


def test_run_keeps_array_read_from_host_and_case_api_carries_it(
    owner: User, client: Client
) -> None:
    disk = create_disk(host=create_host(), owner=owner)
    disk.facts = {**disk.facts, "array": {"level": "raid6", "disks": 8, "degraded": False}}
    disk.save()
    run = run_launch(plan=create_plan(owner=owner, target=disk), user=owner)
    case = create_attempt(run.cases.all()[0]).case
    client.force_login(owner)
    array = client.get(f"/api/v1/cases/{case.pk}/").json()["array"]
    assert (array["level"], array["disks"], array["source"]) == ("raid6", 8, "host")
    assert "read from the host" in client.get(f"/cases/{case.pk}/").content.decode()
