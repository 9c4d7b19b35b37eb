"""Groups and pools beside what their disks and networks did alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run, create_target
from apps.inventory.models import Disk, TargetGroup
from apps.results.models import Measurement, ResultSummary
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run, RunTargetMember
from apps.runs.tests.factories import create_attempt, create_run, target_of
from tests.harness.documents import Document

Api = Callable[[User | None], APIClient]


def alone(owner: User, disk: Disk, iops: float, **params: Any) -> Run:
    setup = Setup(owner, tunings=("Host defaults",), repeats=3, disk=disk, points=[PARAMS | params])
    run = create_measured_run(setup)
    Measurement.objects.filter(case__run=run).update(iops=iops)
    summaries_rebuild()
    return run


def together(owner: User, disks: list[Disk], iops: float) -> Run:
    """A run on a group of these disks."""
    run = alone(owner, disks[0], iops)
    group = TargetGroup.objects.create(owner=owner, name=f"all {run.pk}")
    group.disks.set(disks)
    found = run.targets.get()
    found.members.all().delete()
    for place, disk in enumerate(disks):
        RunTargetMember.objects.create(
            run_target=found, position=place, host=disk.host, kind="disk",
            target=disk, label=f"sd{place}", identity=disk.identity,
        )  # fmt: skip
    run.targets.update(target=group, kind="group", name=group.name)
    summaries_rebuild()
    return run


@pytest.fixture
def disks(owner: User) -> list[Disk]:
    found = [create_target(owner) for _number in range(2)]
    for disk, iops in zip(found, (1000.0, 3000.0), strict=True):
        alone(owner, disk, iops)
    return found


def answer(api: Api, user: User, **query: Any) -> Any:
    found = api(user).get("/api/v1/analysis/bottleneck/", query)
    assert found.status_code == 200, found.json()
    return found.json()


def row_of(data: Any, key: str, place: int = 0) -> Document:
    table = next(one for one in data["tables"] if one["key"] == key)
    names = [column["key"] for column in table["columns"]]
    return dict(zip(names, table["rows"][place], strict=True))


def test_a_group_is_held_against_the_sum_of_its_disks(
    owner: User, disks: list[Disk], api: Api, viewer: User
) -> None:
    run = together(owner, disks, 3800.0)
    assert set(
        ResultSummary.objects.filter(run=run).values_list("run_target__kind", flat=True)
    ) == {"group"}
    data = answer(api, viewer, run=run.pk)
    row = row_of(data, "iops")
    assert (row["disks"], row["disks_sum"], row["array"], row["measured"]) == (
        2, 4000.0, 4000.0, 3800.0,
    )  # fmt: skip
    assert (row["share"], row["bottleneck"]) == (95.0, "the disks")
    assert "95 % of the lowest limit" in data["headline"]
    assert [trace["x"] for trace in data["figures"][0]["figure"]["data"]] == [
        [4000.0], [4000.0], [3800.0],
    ]  # fmt: skip
    assert row_of(data, "parts", 1)["iops"] == 3000.0


def test_a_level_that_somebody_tells_lowers_the_ceiling_of_writes_alone(
    owner: User, disks: list[Disk], api: Api, viewer: User
) -> None:
    run = together(owner, disks, 900.0)
    reads = row_of(answer(api, viewer, run=run.pk, level="raid5"), "iops")
    assert reads["array"] == 4000.0
    Measurement.objects.update(operation="write")
    summaries_rebuild()
    writes = row_of(answer(api, viewer, run=run.pk, level="raid5"), "iops")
    assert (writes["level"], writes["array"]) == ("RAID 5", 1000.0)
    assert writes["bottleneck"] == "the array's level"
    run.targets.update(level="raid10")
    kept = row_of(answer(api, viewer, run=run.pk), "iops")
    assert (kept["level"], kept["array"]) == ("RAID 10", 2000.0)
    told = row_of(answer(api, viewer, run=run.pk, level="none"), "iops")
    assert told["array"] == 4000.0


def test_level_is_stored_with_the_results_of_a_group(
    owner: User, disks: list[Disk], api: Api, viewer: User, viewer_client: Client
) -> None:
    members = [f"disk:{disk.pk}" for disk in disks]
    body = {"name": "array", "members": members, "level": "raid5"}
    made = api(owner).post("/api/v1/groups/", body, format="json")
    assert (made.status_code, made.json()["level"]) == (201, "raid5")
    group = TargetGroup.objects.get()
    run = create_run(owner=owner, target=disks[0])
    case = run.cases.get()
    case.run_target = target_of(run, group)
    case.save()
    summaries_rebuild()
    group.level = "raid6"
    group.save()
    create_attempt(case)
    assert api(viewer).get(f"/api/v1/cases/{case.pk}/").json()["level"] == "raid5"
    page = viewer_client.get(f"/cases/{case.pk}/").content.decode()
    assert "RAID 5 of 2: a small write costs 4 operations of its disks" in page
    text = viewer_client.get("/groups/").content.decode()
    assert "RAID 6" in text


def test_other_loads_of_a_disk_do_not_count(owner: User, api: Api, viewer: User) -> None:
    found = [create_target(owner) for _number in range(2)]
    alone(owner, found[0], 1000.0)
    alone(owner, found[1], 9000.0, bs=65536)
    alone(owner, found[1], 9000.0, rw="read")
    data = answer(api, viewer, run=together(owner, found, 1500.0).pk)
    assert row_of(data, "iops")["disks_sum"] is None
    assert any("sd1" in note and "sd0" not in note for note in data["notes"])
    # A depth of its own does: the ceiling is what the disk can do at most.
    alone(owner, found[1], 2000.0, iodepth=256)
    data = answer(api, viewer, run=together(owner, found, 1500.0).pk)
    assert row_of(data, "iops")["disks_sum"] == 3000.0


def test_one_disk_has_no_ceiling(owner: User, disks: list[Disk], api: Api, viewer: User) -> None:
    run = alone(owner, disks[0], 10.0)
    assert "group of disks or a pool" in answer(api, viewer, run=run.pk)["empty"]
    assert "Name runs" in answer(api, viewer)["empty"]


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_everybody_who_is_logged_in_sees_the_page(
    owner: User, disks: list[Disk], who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    run = together(owner, disks, 3800.0)
    seen: Client = request.getfixturevalue(who)
    page = seen.get(reverse("bottleneck"), {"run": run.pk})
    assert page.status_code == 200
    assert "bottleneck: the disks" in page.content.decode()
    assert client.get(reverse("bottleneck"), {"run": run.pk}).status_code == 302
    for wanted in ("csv", "xlsx", "json", "md"):
        export = seen.get(
            reverse("analysis_export", args=["bottleneck"]), {"run": run.pk, "format": wanted}
        )
        assert export.status_code == 200
        assert export.getvalue()
