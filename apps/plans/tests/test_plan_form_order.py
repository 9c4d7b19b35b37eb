"""The plan form asks first for what every plan needs, and finds fault only with what was typed."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.plans.schemas.preconditioning import Preconditioning
from apps.plans.tests.factories import create_disk, create_plan
from apps.plans.tests.test_plan_form import NEW, plan, step


def opened(html: str) -> dict[str, bool]:
    """Whether each folded part of the form is open, by its key."""
    found = re.findall(r'<details class="mt-2" data-group="([a-z_]+)"( open)?>', html)
    return {key: bool(is_open) for key, is_open in found}


def at(html: str, name: str) -> int:
    return html.index(f'data-field="{name}"')


def preview(client: Client, data: dict[str, object]) -> str:
    return client.post(reverse("plan_live_preview"), data).content.decode()


def errors_by_input(html: str) -> dict[str, list[str]]:
    found = re.search(r'<script id="plan-problems"[^>]*>(.*?)</script>', html)
    assert found
    said: dict[str, list[str]] = json.loads(found[1])
    return said


def test_what_is_tested_comes_before_how_often(owner_client: Client) -> None:
    html = owner_client.get(NEW).content.decode()
    steps = html.index('id="plan-steps"')
    assert (
        at(html, "name") < at(html, "targets") < steps < at(html, "tunings") < at(html, "repeats")
    )
    assert opened(html) == dict.fromkeys(
        ("network", "stopping_rule", "preconditioning", "steady_state", "disturbance", "more"),
        False,
    )


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ({"stopping_rule_precision_percent": "3"}, "stopping_rule"),
        ({"preconditioning_purge": "secure"}, "preconditioning"),
        ({"steady_state_max_rounds": "2"}, "steady_state"),
        ({"description": "why"}, "more"),
        ({"mesh": ["999999"]}, "network"),
    ],
)
def test_what_says_something_is_open(
    owner_client: Client, typed: dict[str, object], key: str
) -> None:
    html = owner_client.post(NEW, plan("a", name="") | step("a", bs="bad") | typed)
    assert opened(html.content.decode())[key]


def test_a_plan_that_is_changed_shows_its_preparation(owner: User, owner_client: Client) -> None:
    made = create_plan(owner=owner, preconditioning=Preconditioning(sequential_fills=2))
    html = owner_client.get(reverse("plan_edit", args=[made.pk])).content.decode()
    assert {key for key, is_open in opened(html).items() if is_open} == {"preconditioning"}


def test_an_empty_form_is_not_wrong(owner_client: Client) -> None:
    html = preview(owner_client, plan(name="", step=[]))
    assert "Still missing:" in html
    assert "A plan needs at least one step." in html
    assert "This cannot be launched:" not in html
    assert errors_by_input(html) == {}


def test_what_was_typed_is_judged_at_once(owner_client: Client) -> None:
    disk = create_disk()
    typed = plan("a", targets=[f"disk:{disk.pk}"]) | step("a", bs="huge")
    html = preview(owner_client, typed)
    assert "Still missing:" not in html
    assert "This cannot be launched:" in html
    assert set(errors_by_input(html)) == {"step-a-p-bs"}


def test_the_preview_names_the_preparation(owner_client: Client) -> None:
    disk = create_disk()
    typed = (
        plan("a", targets=[f"disk:{disk.pk}"])
        | step("a")
        | {"preconditioning_sequential_fills": "1"}
    )
    assert "Preparation: sequential write 128 KiB" in preview(owner_client, typed)
