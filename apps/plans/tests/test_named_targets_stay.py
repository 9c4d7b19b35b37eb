"""A plan's targets are not deleted under it: 409 for scripts, a sentence on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import ProtectedError
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.inventory.models import Directory, Pool, TargetGroup
from apps.inventory.tests.factories import create_directory, create_group, create_pool
from apps.plans.models import TestPlan
from apps.plans.tests.factories import add_target

Api = Callable[[User | None], APIClient]
Named = tuple[str, Directory | Pool | TargetGroup, str]


@pytest.fixture(params=["directory", "pool", "group"])
def named(request: pytest.FixtureRequest, owner: User) -> Named:
    """The noun of its address, the row, and what is said."""
    makers: dict[str, Callable[..., Any]] = {
        "directory": create_directory,
        "pool": create_pool,
        "group": create_group,
    }
    row = makers[request.param](owner=owner)
    plan = TestPlan.objects.create(name="a plan", owner=owner)
    add_target(plan, row)
    nouns = {"directory": "directories", "pool": "pools", "group": "groups"}
    return nouns[request.param], row, f"Plans or runs use this {request.param}, so it"


def test_scripts_get_409_and_the_row_stays(api: Api, owner: User, named: Named) -> None:
    noun, row, words = named
    answer = api(owner).delete(f"/api/v1/{noun}/{row.pk}/")
    assert answer.status_code == 409
    assert words in answer.json()["error"]["message"]
    assert type(row).objects.filter(pk=row.pk).exists()


def test_the_page_says_why(owner_client: Client, named: Named) -> None:
    noun, row, words = named
    page = owner_client.post(f"/{noun}/{row.pk}/delete/", follow=True)
    assert words in page.content.decode()
    assert type(row).objects.filter(pk=row.pk).exists()


def test_they_stay_also_when_their_host_goes(owner: User) -> None:
    directory = create_directory(owner=owner)
    add_target(TestPlan.objects.create(name="a plan", owner=owner), directory)
    for row in (directory, directory.host):
        with pytest.raises(ProtectedError):
            row.delete()
