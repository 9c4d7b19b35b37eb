"""/api/v1/plans/."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.plans.models import TestPlan
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.tests.factories import create_disk, create_plan

API = "/api/v1/plans/"
Api = Callable[[User | None], APIClient]
STEP = {"tool": "fio", "params": {"rw": "randread", "iodepth": [1, 4], "size": "1G"}}


def body(**values: Any) -> dict[str, object]:
    return {"name": "nightly", "steps": [STEP]} | values


def test_a_script_creates_and_reads(api: Api, owner: User, viewer: User) -> None:
    disk = create_disk()
    answer = api(owner).post(API, body(targets=[f"disk:{disk.pk}"], repeats=3))
    assert answer.status_code == 201, answer.json()
    read = api(viewer).get(f"{API}{answer.json()['id']}/").json()
    measured = {"role": "measured", "target": "", "settle_seconds": 5.0}
    assert read["steps"] == [{"name": "", "expectations": [], **measured, **STEP}]
    assert read["targets"] == [f"disk:{disk.pk}"]
    assert (read["repeats"], read["order"], read["owner"]) == (3, "interleaved", "owner")


def test_baseline_of_thousands_of_digits_is_refused(api: Api, owner: User) -> None:
    answer = api(owner).post(API, body(baseline="9" * 5000))
    assert answer.status_code == 400
    assert list(answer.json()["error"]["fields"]) == ["baseline"]


def test_a_draft_is_checked_and_not_stored(api: Api, viewer: User, owner: User) -> None:
    disk = create_disk()
    draft = body(targets=[f"disk:{disk.pk}"], repeats=3)
    answer = api(viewer).post(f"{API}check/", draft)
    assert answer.status_code == 200, answer.json()
    assert not TestPlan.objects.exists()
    stored = api(owner).post(API, draft).json()["id"]
    assert answer.json() == api(viewer).get(f"{API}{stored}/preview/").json()
    wrong = api(viewer).post(f"{API}check/", body(steps=[{"tool": "fio", "params": {"bs": "big"}}]))
    (problem,) = [one for one in wrong.json()["problems"] if one["field"] == "steps.0.params.bs"]
    assert problem["message"]
    assert api(viewer).post(f"{API}check/", body(steps="nonsense")).status_code == 400


def test_a_change_leaves_the_rest_as_it_was(api: Api, owner: User) -> None:
    plan = create_plan(owner=owner)
    answer = api(owner).patch(f"{API}{plan.pk}/", {"repeats": 9})
    assert answer.status_code == 200, answer.json()
    assert answer.json()["repeats"] == 9
    assert len(answer.json()["steps"]) == 1
    assert len(answer.json()["targets"]) == 1


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"steps": [{"tool": "fio", "params": {"bs": "huge"}}]}, "steps.0.params.bs"),
        ({"steps": [{"tool": "fio", "params": {"nope": 1}}]}, "steps.0.params.nope"),
        ({"steps": [{"tool": "nonsense", "params": {}}]}, "steps.0.tool"),
        ({"steps": [{"tool": "fio", "params": []}]}, "steps.0.params"),
        ({"steps": [{**STEP, "extra": 1}]}, "steps.0.extra"),
        ({"steps": []}, "steps"),
        ({"targets": ["disk:99999"]}, "targets"),
        ({"targets": ["nonsense"]}, "targets"),
        ({"repeats": 0}, "repeats"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_what_is_wrong_is_named(
    api: Api, owner: User, values: dict[str, object], field: str
) -> None:
    answer = api(owner).post(API, body(**values))
    assert answer.status_code == 400
    assert field in answer.json()["error"]["fields"]
    assert not TestPlan.objects.exists()


def test_the_preview_has_every_case(api: Api, owner: User, viewer: User) -> None:
    plan = create_plan(owner=owner, repeats=2)
    read = api(viewer).get(f"{API}{plan.pk}/preview/").json()
    assert read["case_count"] == len(read["cases"]) == 2
    assert read["bytes_written"] is None
    assert read["cases"][0]["target"]["kind"] == "disk"
    assert [w["field"] for w in read["warnings"]] == ["repeats"]


def test_templates_can_be_posted_as_they_are(api: Api, owner: User) -> None:
    templates = {each.pop("template"): each for each in api(owner).get(f"{API}templates/").json()}
    for template in templates.values():
        answer = api(owner).post(API, template)
        assert answer.status_code == 201, answer.json()
        kept = answer.json()
        assert {name: kept[name] for name in template if name != "steps"} == {
            name: value for name, value in template.items() if name != "steps"
        }
    assert len(templates["standard-four"]["steps"]) == 4
    assert templates["pts-iops"]["steady_state"]["max_rounds"] == 25


def test_roles(api: Api, owner: User, viewer: User, stranger: User) -> None:
    plan = create_plan(owner=owner)
    one = f"{API}{plan.pk}/"
    assert api(viewer).post(API, body()).status_code == 403
    assert api(stranger).patch(one, {"repeats": 1}).status_code == 403
    assert api(stranger).delete(one).status_code == 403
    assert api(stranger).post(f"{one}archive/", {}).status_code == 403
    assert api(viewer).post(f"{one}clone/", {}).status_code == 403
    assert api(None).get(one).status_code == 401
    copy = api(stranger).post(f"{one}clone/", {})
    assert (copy.status_code, copy.json()["owner"]) == (201, "stranger")
    assert api(owner).delete(one).status_code == 204


def test_archived_plans_leave_the_list(api: Api, owner: User) -> None:
    plan = create_plan(owner=owner)
    api(owner).post(f"{API}{plan.pk}/archive/", {})
    assert api(owner).get(API).json()["results"] == []
    assert len(api(owner).get(f"{API}?archived=true").json()["results"]) == 1
    restored = api(owner).post(f"{API}{plan.pk}/archive/", {"archived": False})
    assert restored.json()["archived_at"] is None


def test_the_list_costs_the_same_however_long(
    api: Api, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    disk = create_disk()
    for _number in range(8):
        create_plan(owner=owner, targets=[disk])
    client = api(owner)
    with django_assert_max_num_queries(5):
        assert len(client.get(API).json()["results"]) == 8


JOBS = "[global]\nsize=1g\n[a]\nrw=randwrite\n[b]\nstonewall\nrw=read\nexec_prerun=x\n"


def test_a_job_file_becomes_steps(api: Api, owner: User) -> None:
    answer = api(owner).post(f"{API}from-text/", {"tool": "fio", "text": JOBS})
    assert answer.status_code == 200, answer.json()
    (only,) = answer.json()["steps"]
    assert (only["name"], only["tool"], only["params"]["rw"]) == ("a", "fio", "randwrite")
    assert only["line"] == 3
    refused = [note["line"] for note in answer.json()["notes"] if note["kind"] == "refused"]
    assert refused == [8]
    made = api(owner).post(API, body(steps=answer.json()["steps"]))
    assert made.status_code == 201, made.json()


@pytest.mark.parametrize(
    "sent",
    [{"tool": "iostat", "text": JOBS}, {"tool": "fio"}, {"text": "x" * 65537}],
)
def test_a_text_nobody_reads_is_refused(api: Api, owner: User, sent: dict[str, str]) -> None:
    client = api(owner)
    client.force_login(owner)  # a large body is read from whoever is logged in
    assert client.post(f"{API}from-text/", sent).status_code == 400


def test_a_viewer_pastes_nothing(api: Api, viewer: User) -> None:
    sent = {"tool": "fio", "text": JOBS}
    assert api(viewer).post(f"{API}from-text/", sent).status_code == 403


def test_expectations_are_stored_or_refused(owner: User, api: Api) -> None:
    wanted = {"metric": "latency_p99", "direction": "most", "value": 1e7, "unit": "ms"}
    client = api(owner)
    told = client.post(API, body(steps=[STEP | {"expectations": [wanted]}]), format="json")
    assert told.status_code == 201, told.content
    usual = {"tolerance": 0.0, "source": "own", "operation": ""}
    assert told.json()["steps"][0]["expectations"] == [wanted | usual]
    for wrong, words in (
        ({"value": None}, "needs a value"),
        ({"value": -1.0}, "above zero"),
        ({"tolerance": 100.0}, "less than 100"),
        ({"operation": "rand"}, "no operation rand"),
    ):
        step = STEP | {"expectations": [wanted | wrong]}
        refused = client.post(API, body(name="other", steps=[step]), format="json")
        assert refused.status_code == 400
        assert words in refused.content.decode(), refused.json()


def test_patch_of_a_group_without_its_required_member_is_refused(api: Api, owner: User) -> None:
    plan = create_plan(owner=owner)

    answer = api(owner).patch(f"{API}{plan.pk}/", {"stopping_rule": {"max_blocks": 5}})

    assert answer.status_code == 400
    assert "stopping_rule.precision_percent" in answer.json()["error"]["fields"]


def test_patch_of_a_group_replaces_it_as_a_whole(api: Api, owner: User) -> None:
    plan = create_plan(owner=owner, preconditioning=Preconditioning(random_fills=2))

    answer = api(owner).patch(f"{API}{plan.pk}/", {"preconditioning": {"purge": "discard"}})

    assert answer.status_code == 200, answer.json()
    plan.refresh_from_db()
    assert plan.spec.preconditioning == Preconditioning(purge="discard")
