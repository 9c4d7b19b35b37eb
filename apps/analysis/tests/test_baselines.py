"""Baselines: naming, ending, and where they are offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, Team, User
from apps.analysis.tests.compare.factories import Setup, create_measured_run, create_target
from apps.analysis.verdicts.baseline_links import baseline_links
from apps.inventory.models import Disk
from apps.inventory.tests.factories import create_disk_model
from apps.results.models import Baseline, Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run
from apps.runs.services.versions import runs_touch

Api = Callable[[User | None], APIClient]


@pytest.fixture
def disk(owner: User) -> Disk:
    found = create_target(owner)
    Disk.objects.filter(pk=found.pk).update(model=create_disk_model("S4510"))
    found.refresh_from_db()
    return found


def run_on(owner: User, disk: Disk, iops: float, **more: Any) -> Run:
    run = create_measured_run(
        Setup(owner, disk=disk, tunings=("Host defaults",), repeats=3, **more)
    )
    Measurement.objects.filter(case__run=run).update(iops=iops)
    summaries_rebuild()
    return run


@pytest.fixture
def first(owner: User, disk: Disk) -> Run:
    return run_on(owner, disk, 1000.0)


def target_key(run: Run) -> int:
    key = run.targets.get().target_id
    assert key is not None
    return key


def test_an_operator_names_a_run_as_baseline(first: Run, owner_client: Client) -> None:
    address = reverse("baseline_new", args=[first.pk])
    params = {"name": "as delivered", "of": f"target:{target_key(first)}"}
    assert "S4510" in owner_client.get(address).content.decode()
    found = owner_client.post(address, params)
    assert found.status_code == 302
    row = Baseline.objects.get()
    assert (row.run, row.target_id, row.disk_model, row.case) == (
        first,
        target_key(first),
        None,
        None,
    )
    assert AuditEntry.objects.filter(object_type="baseline", action="create").exists()
    again = owner_client.post(address, params)
    assert again.status_code == 400
    assert "already" in again.content.decode()
    assert "as delivered" in owner_client.get(reverse("baseline_list")).content.decode()


def test_results_of_something_else_are_no_baseline(
    first: Run, owner: User, api: Api, disk: Disk
) -> None:
    other = run_on(owner, create_target(owner), 5.0)
    post = api(owner).post
    for body, wrong in (
        ({"run": first.pk}, "target"),
        ({"run": first.pk, "target": target_key(first), "disk_model": "S4510"}, "target"),
        ({"run": other.pk, "target": target_key(first)}, "target"),
        ({"run": other.pk, "disk_model": "S4510"}, "disk_model"),
        ({"run": first.pk, "disk_model": "S4510", "case": other.cases.all()[0].pk}, "case"),
    ):
        found = post("/api/v1/baselines/", body, format="json")
        assert found.status_code == 400, body
        assert list(found.json()["error"]["fields"]) == [wrong]
    assert not Baseline.objects.exists()


def test_nobody_gives_one_to_a_team_of_others(
    first: Run, owner: User, api: Api, disk: Disk
) -> None:
    team = Team.objects.create(name="others")
    body = {"run": first.pk, "disk_model": "S4510", "team": team.pk}
    answer = api(owner).post("/api/v1/baselines/", body, format="json")
    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["team"])


def test_who_may_name_and_end_one(
    first: Run, owner: User, api: Api, viewer: User, stranger: User
) -> None:
    body = {"run": first.pk, "disk_model": "S4510"}
    assert api(viewer).post("/api/v1/baselines/", body, format="json").status_code == 403
    made = api(owner).post("/api/v1/baselines/", body, format="json")
    assert made.status_code == 201, made.json()
    address = f"/api/v1/baselines/{made.json()['id']}/"
    assert api(viewer).get(address).json()["of"] == "S4510"
    assert api(stranger).delete(address).status_code == 403
    assert api(owner).delete(address).status_code == 204
    assert Run.objects.filter(pk=first.pk).exists()


def history(api: Api, user: User, run: Run, **query: Any) -> Any:
    key = run.cases.all()[0].workload.key
    params = {"workload": key, "metric": "iops"} | query
    found = api(user).get("/api/v1/analysis/history/", params)
    assert found.status_code == 200, found.json()
    return found.json()


@pytest.mark.parametrize("of_model", [False, True])
def test_a_history_is_held_against_it(
    first: Run, owner: User, api: Api, viewer: User, disk: Disk, of_model: bool
) -> None:
    of = (
        {"disk_model": create_disk_model("S4510")} if of_model else {"target_id": target_key(first)}
    )
    Baseline.objects.create(owner=owner, run=first, name="as delivered", **of)
    run_on(owner, disk, 900.0)
    data = history(api, viewer, first, target=disk.pk)
    table = next(one for one in data["tables"] if one["key"] == "baselines")
    (row,) = table["rows"]
    assert row[1:3] == [first.pk, 1000.0]
    assert row[4:] == [900.0, pytest.approx(0.9)]
    assert "−10.0 % of the baseline “as delivered" in data["headline"]
    shapes = data["figures"][0]["figure"]["layout"]["shapes"]
    assert any(shape["y0"] == 1000.0 and shape["xref"] == "paper" for shape in shapes)
    # One result of it, where it is a baseline alone.
    test = first.cases.order_by("sequence")[0]
    Measurement.objects.filter(case=test).update(iops=1800.0)
    summaries_rebuild()
    Baseline.objects.update(case=test)
    runs_touch([first.pk])
    data = history(api, viewer, first, target=disk.pk)
    assert next(t for t in data["tables"] if t["key"] == "baselines")["rows"][0][2] == 1800.0


def test_other_targets_are_not_held_against_it(
    first: Run, owner: User, api: Api, viewer: User
) -> None:
    Baseline.objects.create(owner=owner, run=first, target_id=target_key(first))
    other = create_target(owner)
    run_on(owner, other, 900.0)
    data = history(api, viewer, first, target=other.pk)
    assert "baselines" not in {table["key"] for table in data["tables"]}


def test_pages_offer_it(first: Run, owner: User, viewer_client: Client, disk: Disk) -> None:
    Baseline.objects.create(
        owner=owner, run=first, disk_model=create_disk_model("S4510"), name="as <delivered>"
    )
    later = run_on(owner, disk, 900.0)
    texts = viewer_client.get(reverse("run_findings", args=[later.pk])).content.decode()
    assert f"?run={first.pk}&amp;run={later.pk}&amp;factor=run" in texts
    assert "Name as baseline" not in texts
    own = viewer_client.get(reverse("run_findings", args=[first.pk])).content.decode()
    assert "Against the baseline" not in own
    key = first.cases.all()[0].workload.key
    page = viewer_client.get(reverse("history"), {"workload": key, "metric": "iops"})
    assert "Against baselines" in page.content.decode()
    assert "as <delivered>" not in page.content.decode()


def test_a_fleet_is_held_against_the_models_and_the_disks_own(
    first: Run, owner: User, api: Api, viewer: User, disk: Disk
) -> None:
    Baseline.objects.create(
        owner=owner, run=first, disk_model=create_disk_model("S4510"), name="as delivered"
    )
    Baseline.objects.create(owner=owner, run=first, target_id=target_key(first), name="own")
    other, foreign = create_target(owner), create_target(owner)
    Disk.objects.filter(pk=other.pk).update(model=create_disk_model("S4510"))
    Disk.objects.filter(pk=foreign.pk).update(model=create_disk_model("P4610"))
    for one, iops in ((other, 800.0), (disk, 900.0), (foreign, 500.0)):
        run_on(owner, one, iops, facts={"disks": []})
    params = {"workload": first.cases.all()[0].workload.key, "metric": "iops"}
    data = api(viewer).get("/api/v1/analysis/fleet/", params).json()
    table = next(one for one in data["tables"] if one["key"] == "baselines")
    told = {(row[1], row[4].partition(":")[0]): row[2] for row in table["rows"]}
    assert told == {
        (900.0, "as delivered"): pytest.approx(0.9),
        (900.0, "own"): pytest.approx(0.9),
        (800.0, "as delivered"): pytest.approx(0.8),
    }
    shapes = data["figures"][0]["figure"]["layout"]["shapes"]
    assert [shape["y0"] for shape in shapes] == [1000.0]


def test_a_comparison_offers_the_baselines_of_what_it_compares(
    first: Run, owner: User, viewer_client: Client, api: Api, viewer: User, disk: Disk
) -> None:
    Baseline.objects.create(
        owner=owner, run=first, disk_model=create_disk_model("S4510"), name="as delivered"
    )
    later = run_on(owner, disk, 900.0)
    again = run_on(owner, disk, 950.0)
    params: Any = {"run": [later.pk, again.pk], "factor": "run"}
    page = viewer_client.get(reverse("compare"), params)
    (link,) = page.context["against"]
    assert link.address in page.content.decode().replace("&amp;", "&")
    told = viewer_client.get(link.address)
    assert told.status_code == 200
    assert told.context["shown"].levels[0] == f"Run {first.pk}"
    data = api(viewer).get("/api/v1/analysis/compare/", params).json()
    assert link.address in [one["address"] for one in data["next_steps"]]
    # Another disk of the model is compared by disk, the baseline's first.
    other = create_target(owner)
    Disk.objects.filter(pk=other.pk).update(model=create_disk_model("S4510"))
    (link,) = baseline_links([run_on(owner, other, 700.0).pk])
    levels = viewer_client.get(link.address).context["shown"].levels
    assert levels == (
        f"{disk.host.name}: {disk.device_path}",
        f"{other.host.name}: {other.device_path}",
    )


def test_pages_of_targets_show_their_baselines(
    first: Run, owner: User, viewer_client: Client, disk: Disk
) -> None:
    address = reverse("disk_baselines", args=[disk.pk])
    assert "Name as baseline" in viewer_client.get(address).content.decode()
    Baseline.objects.create(
        owner=owner, run=first, disk_model=create_disk_model("S4510"), name="as <delivered>"
    )
    shown = viewer_client.get(address).content.decode()
    assert "as &lt;delivered&gt;" in shown
    disk.refresh_from_db()
    page = viewer_client.get(reverse("disk_detail", args=[disk.pk])).content.decode()
    assert address in page
    listed = reverse("baseline_list")
    assert "delivered" in viewer_client.get(listed, {"disk_model": "S4510"}).content.decode()
    assert "delivered" not in viewer_client.get(listed, {"disk_model": "P4610"}).content.decode()
