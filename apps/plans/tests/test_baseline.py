"""The tuning of a plan that its others are compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.plans.models import TestPlan
from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.plan import PlanSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import plan_draft
from apps.plans.services.plans import plan_clone, plan_create
from apps.plans.tests.factories import a_step, create_disk
from apps.plans.tests.test_plan_form import plan as typed_plan
from apps.plans.tests.test_plan_form import step
from apps.tuning.domain.baseline import imported_baseline
from apps.tuning.models import TuningProfile
from apps.tuning.services import TuningDraft, default_profile_ensure, tuning_create

API = "/api/v1/plans/"
Api = Callable[[User | None], APIClient]


@pytest.fixture
def tunings(owner: User) -> dict[str, TuningProfile]:
    """Three of which the alphabet has another first than the order below."""
    names = {"mq-deadline": "mq-deadline", "bfq": "bfq", "none": "none"}
    made = {name: _tuning(owner, name, value) for name, value in names.items()}
    return {"Host defaults": default_profile_ensure(user=owner), **made}


def _tuning(owner: User, name: str, value: str) -> TuningProfile:
    setting = {"kind": "queue", "name": "scheduler", "value": value}
    return tuning_create(user=owner, draft=TuningDraft(name, settings=[setting]))


def _plan(owner: User, *tunings: TuningProfile, **values: Any) -> TestPlan:
    spec = PlanSpec(steps=(a_step(rw="randread"),))
    draft = PlanDraft("mine", spec=spec, targets=[create_disk()], tunings=tunings, **values)
    return plan_create(user=owner, draft=draft)


def _baseline(plan: TestPlan) -> str:
    return plan.baseline.name if plan.baseline else ""


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (["none", "bfq", "Host defaults"], "Host defaults"),
        (["none", "bfq"], "none"),
        (["bfq"], "bfq"),
        ([], ""),
    ],
)
def test_baseline_unset_is_host_defaults_else_first_chosen(
    owner: User, tunings: dict[str, TuningProfile], chosen: list[str], expected: str
) -> None:
    assert _baseline(_plan(owner, *(tunings[name] for name in chosen))) == expected


def test_baseline_set_survives_saving_and_cloning(
    owner: User, tunings: dict[str, TuningProfile]
) -> None:
    plan = _plan(owner, *tunings.values(), baseline=tunings["none"])
    assert _baseline(plan) == "none"
    assert plan_draft(plan).baseline == tunings["none"]
    assert _baseline(plan_clone(plan=plan, user=owner)) == "none"


def test_baseline_outside_the_tunings_is_refused(
    owner: User, tunings: dict[str, TuningProfile]
) -> None:
    with pytest.raises(PlanError) as refused:
        _plan(owner, tunings["none"], baseline=tunings["bfq"])
    assert (list(refused.value.fields), refused.value.status) == (["baseline"], 400)


def test_api_takes_a_name_or_an_id(
    api: Api, owner: User, tunings: dict[str, TuningProfile]
) -> None:
    client = api(owner)
    ids = [tuning.pk for tuning in tunings.values()]
    step = {"tool": "fio", "params": {"rw": "randread", "size": "1G"}}
    body = {"name": "nightly", "steps": [step], "tunings": ids}
    made = client.post(API, body | {"baseline": "none"}).json()
    assert made["baseline"] == tunings["none"].pk
    address = f"{API}{made['id']}/"
    assert client.patch(address, {"baseline": ids[1]}).json()["baseline"] == ids[1]
    assert client.patch(address, {"baseline": ""}).json()["baseline"] == ids[0]
    assert client.patch(address, {"tunings": ids[1:]}).json()["baseline"] == ids[1]
    for wrong in ("nonsense", 10**6, [ids[0]], "Host defaults"):
        answer = client.patch(address, {"baseline": wrong})
        assert (answer.status_code, list(answer.json()["error"]["fields"])) == (
            400,
            ["baseline"],
        ), wrong


def test_form_begins_with_host_defaults_and_keeps_the_order(
    owner_client: Client, tunings: dict[str, TuningProfile]
) -> None:
    first = owner_client.get("/plans/new/").context["forms"].plan
    assert first["tunings"].value() == [tunings["Host defaults"].pk]
    chosen = [tunings["none"].pk, tunings["bfq"].pk]
    sent = typed_plan("a", tunings=chosen) | step("a")
    assert owner_client.post("/plans/new/", sent).status_code == 302
    assert _baseline(TestPlan.objects.get()) == "none"
    refused = owner_client.post(
        "/plans/new/", sent | {"name": "other", "baseline": tunings["Host defaults"].pk}
    )
    assert list(refused.context["forms"].plan.errors) == ["baseline"]


@pytest.mark.parametrize(
    ("names", "place"),
    [(["after", "before"], 1), (["x", "Host defaults", "before"], 1), (["b", "a"], 0), ([], None)],
)
def test_import_takes_the_tuning_that_was_before(names: list[str], place: int | None) -> None:
    assert imported_baseline(names) == place
