"""Two tunings side by side."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting
from apps.tuning.selectors import differences

pytestmark = pytest.mark.django_db


def create_tuning(owner: User, name: str, *settings: Setting) -> TuningProfile:
    return TuningProfile.objects.create(name=name, owner=owner, settings=settings)


@pytest.fixture
def two(owner: User) -> tuple[TuningProfile, TuningProfile]:
    alike = Setting("queue", "read_ahead_kb", 128)
    return (
        create_tuning(owner, "one", alike, Setting("queue", "scheduler", "none")),
        create_tuning(
            owner, "two", Setting("queue", "scheduler", "bfq"), alike,
            Setting("queue", "scheduler", "none", scope="pool"),
        ),
    )  # fmt: skip


def test_what_differs_comes_first(two: tuple[TuningProfile, TuningProfile]) -> None:
    rows = [(row.setting.name, row.first, row.second) for row in differences(*two)]
    assert rows == [
        ("scheduler", "none", "bfq"),
        ("scheduler@pool", "", "none"),
        ("read_ahead_kb", "128 KiB", "128 KiB"),
    ]


def test_everybody_sees_them(
    two: tuple[TuningProfile, TuningProfile],
    owner_client: Client,
    viewer_client: Client,
    stranger_client: Client,
) -> None:
    address = f"/tunings/{two[0].pk}/diff/"
    for client in (owner_client, viewer_client, stranger_client):
        page = client.get(f"{address}?with={two[1].pk}").content.decode()
        assert "<strong>bfq</strong>" in page
        assert "host defaults" in page


def test_the_other_one_is_chosen_from_those_there_are(
    two: tuple[TuningProfile, TuningProfile], viewer_client: Client
) -> None:
    address = f"/tunings/{two[0].pk}/diff/"
    page = viewer_client.get(address).content.decode()
    assert ">two</option>" in page
    assert ">one</option>" not in page
    assert viewer_client.get(f"{address}?with=none").status_code == 400
    assert viewer_client.get(f"{address}?with={two[0].pk}").status_code == 400
