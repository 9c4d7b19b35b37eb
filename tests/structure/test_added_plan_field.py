"""A member added to PlanSpec is in form, API, row, run, pages and differences without more code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from msgspec import Meta
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.plans.models import TestPlan
from apps.plans.schemas.errors import PlanError
from apps.plans.schemas.plan import PLAN_SPEC, PlanSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.services.plans import plan_clone, plan_create
from apps.plans.tests.factories import a_step, create_disk
from apps.plans.tests.test_plan_form import NEW, plan, step
from apps.runs.models import Run
from apps.runs.services.runs import run_launch
from apps.tools.fields import Field

NAME = "cooling_seconds"
FIELD = Field("int", "Pause for cooling", "Seconds before each block.", unit="s", optional=True)


class CoolingSpec(PlanSpec, frozen=True):
    cooling_seconds: Annotated[int, Meta(ge=0, le=600), FIELD] = 0


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PLAN_SPEC, "kind", CoolingSpec)


def a_plan(owner: User, name: str, seconds: int) -> TestPlan:
    spec = CoolingSpec(steps=(a_step(rw="randread"),), cooling_seconds=seconds)
    return plan_create(user=owner, draft=PlanDraft(name, spec=spec, targets=[create_disk()]))


def a_run(owner: User, name: str, seconds: int) -> Run:
    run = run_launch(plan=a_plan(owner, name, seconds), user=owner)
    return Run.objects.get(pk=run.pk)


def test_plan_form_with_an_added_field_shows_and_stores_it(owner_client: Client) -> None:
    html = owner_client.get(NEW).content.decode()
    assert f'data-field="{NAME}"' in html
    assert "Pause for cooling" in html
    assert "Seconds before each block." in html

    owner_client.post(NEW, plan("a") | step("a") | {NAME: "30"})

    stored = TestPlan.objects.filter(spec__contains={NAME: 30}).get()
    shown = owner_client.get(reverse("plan_edit", args=[stored.pk])).content.decode()
    assert f'name="{NAME}" value="30"' in shown


def test_plan_form_with_an_added_field_refuses_what_is_out_of_range(owner_client: Client) -> None:
    answer = owner_client.post(NEW, plan("a") | step("a") | {NAME: "601"})

    assert answer.status_code == 400
    assert f'id="id_{NAME}_error"' in answer.content.decode()
    assert not TestPlan.objects.exists()


def test_api_with_an_added_field_takes_returns_and_checks_it(owner: User) -> None:
    client = APIClient()
    client.force_authenticate(owner)
    body: dict[str, Any] = {
        "name": "cooled",
        "steps": [{"tool": "fio", "params": {"rw": "randread", "size": "1G"}}],
    }
    address = "/api/v1/plans/"

    made = client.post(address, body | {NAME: 30}, format="json")
    assert made.status_code == 201, made.json()
    assert made.json()[NAME] == 30
    one = f"{address}{made.json()['id']}/"
    assert client.patch(one, {"repeats": 3}, format="json").json()[NAME] == 30
    refused = client.patch(one, {NAME: 601}, format="json")
    assert NAME in refused.json()["error"]["fields"]


def test_api_document_with_an_added_field_describes_it() -> None:
    make: Any = SchemaGenerator  # drf-spectacular has no types
    document = make().get_schema(request=None, public=True)

    member = document["components"]["schemas"]["Plan"]["properties"][NAME]
    assert (member["type"], member["minimum"], member["maximum"]) == ("integer", 0, 600)
    assert "Seconds before each block." in member["description"]


def test_plan_with_an_added_field_keeps_it_in_copy_run_and_pages(
    owner: User, owner_client: Client
) -> None:
    first = a_plan(owner, "first", 30)
    assert plan_clone(plan=first, user=owner).spec == first.spec
    page = owner_client.get(reverse("plan_detail", args=[first.pk])).content.decode()
    assert "<dt>Pause for cooling</dt><dd>30 s</dd>" in page

    run = a_run(owner, "second", 30)

    assert isinstance(run.spec, CoolingSpec)
    assert run.spec.cooling_seconds == 30
    page = owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert "<dt>Pause for cooling</dt><dd>30 s</dd>" in page


def test_runs_that_differ_in_an_added_field_show_the_difference(
    owner: User, api: Callable[[User | None], APIClient]
) -> None:
    runs = [a_run(owner, name, seconds) for name, seconds in (("one", 0), ("two", 30))]

    found = api(owner).get("/api/v1/analysis/config-diff/", {"run": [run.pk for run in runs]})

    assert [NAME, "0", "30"] in [row for table in found.json()["tables"] for row in table["rows"]]


def test_plan_out_of_the_range_of_an_added_field_is_refused_by_name(owner: User) -> None:
    with pytest.raises(PlanError, match="Pause for cooling: give a number from 0 to 600"):
        a_plan(owner, "too long", 601)
