"""Differences of two plans: fields of the plan and of steps that correspond."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.plans.presenters.plan_diff import plan_diff
from apps.plans.selectors.plans import plan_draft
from apps.plans.tests.factories import a_draft, a_step, create_disk, create_plan


@pytest.mark.django_db
def test_plan_diff_of_a_copy_is_empty(owner: User) -> None:
    plan = create_plan(owner=owner)
    assert plan_diff(plan_draft(plan), plan_draft(plan)) == []


@pytest.mark.django_db
def test_plan_diff_of_changed_fields_has_both_texts(owner: User) -> None:
    disks = [create_disk(), create_disk()]
    first = create_plan(owner=owner, targets=disks[:1], repeats=6)
    second = create_plan(owner=owner, targets=disks, repeats=9)

    (section,) = plan_diff(plan_draft(first), plan_draft(second))

    rows = {row.label: (row.first, row.second) for row in section.rows}
    assert rows["Repeats"] == (("6",), ("9",))
    assert [len(lines) for lines in rows["Targets"]] == [1, 2]
    assert set(rows) == {"Repeats", "Targets"}


def test_plan_diff_of_steps_compares_those_of_one_tool_and_name_in_order() -> None:
    read, deep = a_step(rw="randread", iodepth=1), a_step(rw="randread", iodepth=32)
    write = a_step(rw="randwrite")

    sections = plan_diff(a_draft(steps=[read]), a_draft(steps=[deep, write]))

    assert [section.title for section in sections] == ["fio (1)", "fio (2)"]
    changed, added = ({row.label: (row.first, row.second) for row in s.rows} for s in sections)
    assert changed["Queue depth"] == (("1",), ("32",))
    assert added["Access pattern"] == ((), ("randwrite",))
    assert [section.only_in for section in sections] == ["", "second"]


@pytest.mark.django_db
def test_plan_differences_page_of_every_reader_shows_the_chosen_plan(
    owner: User, owner_client: Client, viewer_client: Client, operator_client: Client
) -> None:
    first, second = create_plan(owner=owner, repeats=6), create_plan(owner=owner, repeats=9)
    address = reverse("plan_differences", args=[first.pk])
    for client in (owner_client, viewer_client, operator_client):
        assert client.get(address).status_code == 200
        page = client.get(address, {"other": second.name})
        assert page.context["other"] == second
        assert page.context["sections"]


@pytest.mark.django_db
@pytest.mark.parametrize("other", ["", "999999999", "no such plan", "\0", "9" * 40])
def test_plan_differences_page_of_an_unknown_plan_is_a_form_with_an_error(
    owner: User, viewer_client: Client, other: str
) -> None:
    plan = create_plan(owner=owner)
    page = viewer_client.get(reverse("plan_differences", args=[plan.pk]), {"other": other})
    assert page.status_code == 200
    assert page.context["form"].errors["other"]
