"""Facts, settings, versions and plans of runs, tests, hosts and moments, side by side."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import (
    PARAMS,
    Setup,
    create_measured_run,
    create_target,
    facts_of,
)
from apps.inventory.domain.facts import differences
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.runs.models import Origin, Run

Api = Callable[[User | None], APIClient]


def test_several_sides_differ_in_the_innermost_part_that_all_have() -> None:
    sides = [{"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 2, "d": 4}}, {"a": 1, "b": None}]
    assert dict(differences(sides[:2])) == {"b d": ("3", "4")}
    assert [name for name, _texts in differences(sides)] == ["b"]
    assert list(differences([sides[0]] * 3)) == []


@pytest.fixture
def two(owner: User) -> tuple[Run, Run]:
    disk = create_target(owner)
    old = create_measured_run(Setup(owner, disk=disk, repeats=1, tool_version="fio-3.33"))
    new = create_measured_run(
        Setup(owner, disk=disk, repeats=1, tool_version="fio-3.36", facts={"kernel": "6.6.0"})
    )
    return old, new


def answer(api: Api, user: User, **query: Any) -> Any:
    found = api(user).get("/api/v1/analysis/config-diff/", query)
    assert found.status_code == 200, found.json()
    return found.json()


def rows(data: Any, key: str) -> dict[str, list[str]]:
    table: Any = next((one for one in data["tables"] if one["key"] == key), {"rows": []})
    return {name: texts for name, *texts in table["rows"]}


def test_two_runs_show_what_changed_between_them(
    two: tuple[Run, Run], api: Api, viewer: User
) -> None:
    data = answer(api, viewer, run=[run.pk for run in two])
    assert rows(data, "facts") == {"kernel": ["6.1.0-18", "6.6.0"]}
    assert rows(data, "versions") == {"fio": ["fio-3.33", "fio-3.36"]}
    assert rows(data, "settings") == {}
    assert data["headline"] == "2 differences in Hosts, Versions of tools."


def test_two_plans_name_the_parameter_that_differs(
    two: tuple[Run, Run], api: Api, viewer: User
) -> None:
    for run, rw in zip(two, ("read", "write"), strict=True):
        run.spec = PlanSpec(steps=(StepSpec("fio", {"rw": rw}),))
        run.save()

    data = answer(api, viewer, run=[run.pk for run in two])

    assert rows(data, "plan") == {"steps 0 params rw": ["read", "write"]}


def test_a_selection_finds_its_runs_and_a_host_narrows_them(
    two: tuple[Run, Run], owner: User, api: Api, viewer: User
) -> None:
    case = two[0].cases.select_related("run_target__target__disk__host")[0]
    assert case.run_target.target is not None
    disk, elsewhere = case.run_target.target.disk, create_target(owner)
    data = answer(api, viewer, target=disk.pk)
    assert rows(data, "facts") == {"kernel": ["6.1.0-18", "6.6.0"]}
    assert data["selection"] == {"target": [disk.pk]}
    assert data["query"] == f"target={disk.pk}"
    keys = [run.pk for run in two]
    assert answer(api, viewer, run=keys, host=disk.host.name)["headline"] == data["headline"]
    assert answer(api, viewer, run=keys, host=elsewhere.host_id)["empty"]
    assert answer(api, viewer, tool="fio")["empty"]
    params = json.dumps({"target": [disk.pk]})
    assert answer(api, viewer, selection=params)["headline"] == data["headline"]


def test_the_newest_stand_side_by_side(owner: User, api: Api, viewer: User) -> None:
    disk = create_target(owner)
    runs = [create_measured_run(Setup(owner, disk=disk, repeats=1)) for _n in range(7)]
    data = answer(api, viewer, host=disk.host_id, tool="fio")
    assert data["basis"][0]["text"] == ", ".join(str(run) for run in runs[1:])
    assert "The newest 6 of 7 that fit." in data["notes"]


def test_equal_values_are_shown_on_request(two: tuple[Run, Run], api: Api, viewer: User) -> None:
    told = rows(answer(api, viewer, run=[run.pk for run in two], all="true"), "facts")
    assert told["kernel"] == ["6.1.0-18", "6.6.0"]
    assert told["cpu model"] == ["EPYC 7302"] * 2
    assert "uptime" not in told


def test_two_tests_show_their_settings_and_workloads(owner: User, api: Api, viewer: User) -> None:
    points = [PARAMS, PARAMS | {"iodepth": 1}]
    run = create_measured_run(Setup(owner, points=points, repeats=1))
    one = run.cases.get(workload__params__iodepth=32, run_tuning__name="Host defaults")
    two = run.cases.get(workload__params__iodepth=1, run_tuning__name="Scheduler none")
    data = answer(api, viewer, case=[one.pk, two.pk])
    assert rows(data, "settings") == {"queue scheduler": ["", "none"]}
    assert rows(data, "plan")["workload iodepth"] == ["32", "1"]
    assert "workload bs" not in rows(data, "plan")


def test_hosts_and_moments_stand_side_by_side(owner: User, api: Api, viewer: User) -> None:
    disk, other = create_target(owner), create_target(owner)
    moments = [facts_of(disk), facts_of(disk, kernel="6.6.0")]
    data = answer(api, viewer, moment=[one.pk for one in moments])
    assert rows(data, "facts") == {"kernel": ["6.1.0-18", "6.6.0"]}
    disk.host.facts, other.host.facts = moments[0], facts_of(other)
    disk.host.save()
    other.host.save()
    told = rows(answer(api, viewer, host=[disk.host_id, other.host_id]), "facts")
    assert told["host"] == [disk.host.name, other.host.name]
    assert "kernel" not in told
    assert told[f"disks {disk.identity}"][1] == ""


def test_equal_sides_say_so(owner: User, api: Api, viewer: User) -> None:
    disk = create_target(owner)
    run = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=2, disk=disk))
    found = facts_of(disk)
    same = answer(api, viewer, moment=[found.pk, found.pk])
    assert "All that is known" in same["headline"]
    cases = [case.pk for case in run.cases.all()]
    assert set(rows(answer(api, viewer, case=cases), "plan")) == {"block", "repeat"}
    again = create_measured_run(Setup(owner, tunings=("Host defaults",), repeats=1, disk=disk))
    assert "Nothing differs" in answer(api, viewer, run=[run.pk, again.pk])["headline"]


@pytest.mark.parametrize("who", ["owner_client", "viewer_client", "stranger_client"])
def test_everybody_who_is_logged_in_sees_the_page(
    two: tuple[Run, Run], who: str, request: pytest.FixtureRequest, client: Client
) -> None:
    seen: Client = request.getfixturevalue(who)
    page = seen.get(reverse("config_diff"), {"run": [run.pk for run in two]})
    assert page.status_code == 200
    assert "6.6.0" in page.content.decode()
    assert "Name two runs" in seen.get(reverse("config_diff")).content.decode()
    assert client.get(reverse("config_diff")).status_code == 302


def test_names_of_hosts_are_text(owner: User, viewer_client: Client) -> None:
    disk = create_target(owner)
    found = facts_of(disk, kernel="<script>alert(1)</script>")
    page = viewer_client.get(reverse("config_diff"), {"moment": found.pk}).content.decode()
    assert "<script>alert" not in page


def test_settings_of_an_import_are_neither_equal_nor_different(
    owner: User, api: Api, viewer: User
) -> None:
    disk = create_target(owner)
    own, old = (create_measured_run(Setup(owner, repeats=1, disk=disk)) for _ in range(2))
    Run.objects.filter(pk=old.pk).update(origin=Origin.IMPORTED)
    alone = answer(api, viewer, run=[old.pk])
    assert rows(alone, "settings") == {"Effective settings": ["not known"]}
    for told in (
        answer(api, viewer, run=[own.pk, old.pk], all="true"),
        answer(api, viewer, run=[own.pk, old.pk]),
        answer(api, viewer, case=[own.cases.all()[0].pk, old.cases.all()[0].pk]),
    ):
        assert rows(told, "settings") == {}
        assert "Settings" not in told["headline"]
        assert any("not known: Effective settings" in note for note in told["notes"])
    same = answer(api, viewer, run=[own.pk, old.pk])
    assert same["headline"] == "Nothing differs in Hosts, Versions of tools."
    known = answer(api, viewer, run=[own.pk])
    assert rows(known, "settings")["Host defaults:"] == ["nothing is set"]
