"""Advice that was not taken, on the pages of the cases that it concerns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from django.test import Client

from apps.accounts.models import User
from apps.plans.domain.expand import step_params
from apps.plans.domain.steps_of_cases import steps_of_case
from apps.plans.schemas.plan import StepSpec
from apps.runs.models import Case
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import PARAMS, create_disk, create_host, create_plan

BASE: Mapping[str, Any] = PARAMS
READS = StepSpec("fio", {**BASE} | {"rw": "randread", "iodepth": [1, 4]}, "reads")


@pytest.mark.django_db
def test_case_page_shows_advice_on_its_own_step(owner: User, client: Client) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=create_host(), owner=owner))
    buffered = {**BASE} | {"rw": "randread", "direct": False, "ioengine": "libaio", "iodepth": 4}
    steps = (StepSpec("fio", BASE, "usual"), StepSpec("fio", buffered, "buffered"))
    plan.spec = msgspec.structs.replace(plan.spec, steps=steps)
    plan.save()
    run = run_launch(plan=plan, user=owner)
    on_second = [note for note in run.advice_not_taken if note.step == 1]
    only_second = {str(note.text) for note in on_second} - {
        str(note.text) for note in run.advice_not_taken if note.step == 0
    }
    assert only_second
    client.force_login(owner)
    pages = {
        case.step_name: client.get(f"/cases/{case.pk}/").context["advice"]
        for case in Case.objects.filter(run=run)
    }
    assert pages["buffered"] == on_second
    assert not only_second & {str(note.text) for note in pages["usual"]}


def test_steps_of_one_name_differ_by_their_points() -> None:
    writes = StepSpec("fio", {**BASE} | {"rw": "randwrite"}, "reads")
    (write,) = step_params(writes)
    read = step_params(READS)[1]
    steps = (READS, writes, StepSpec("dd", {}, "reads"))
    for params, expected in ((read, [0]), (write, [1])):
        found = steps_of_case(steps, tool="fio", name="reads", params=params.canonical())
        assert found == expected
    searched = {**BASE} | {"rw": "randread", "iodepth": 3}
    assert steps_of_case(steps, tool="fio", name="reads", params=searched) == [0, 1]
    assert steps_of_case(steps, tool="fio", name="", params=searched) == []
