"""Histories and fleets are worked out once, and anew after a change."""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from apps.accounts.models import User
from apps.analysis.fleet import analysis as fleet_analysis
from apps.analysis.history import analysis, page_data
from apps.analysis.tests.compare.factories import (
    PARAMS,
    START,
    Setup,
    create_measured_run,
    create_target,
    create_workload,
)
from apps.common.cache import JsonSerializer, cached
from apps.common.domain.preferences import Preferences, preferred
from apps.common.services import results_touch
from apps.inventory.models import Disk, Host
from apps.inventory.services.hosts import HostDraft, host_update
from apps.results.models import Measurement
from apps.results.services.baselines import BaselineDraft, baseline_create
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run
from apps.runs.services.archive import run_archive, run_delete
from apps.runs.services.versions import runs_touch

pytestmark = pytest.mark.django_db
VIEWS = {"history": "/history/", "fleet": "/analysis/fleet/"}


class World:
    """Two disks, one measured twice; every question is about the one workload."""

    def __init__(self, owner: User) -> None:
        self.owner = owner
        self.disk, self.other = (create_target(owner, name) for name in ("east", "west"))
        self.first, self.second = self.run(self.disk, 0), self.run(self.disk, 1)
        self.run(self.other, 2)
        self.key = create_workload(PARAMS).key

    def run(self, disk: Disk, day: int) -> Run:
        start = START + timedelta(days=day)
        tunings = ("Host defaults",)
        return create_measured_run(
            Setup(self.owner, tunings=tunings, repeats=3, disk=disk, seed=day, start=start)
        )


@pytest.fixture(autouse=True)
def patient_cache(settings: Any, _nothing_cached: None) -> None:
    """On a busy machine Redis may answer late, which counts as a miss."""
    options = settings.CACHES["default"]["OPTIONS"]
    patient = options | {"socket_timeout": 10, "socket_connect_timeout": 10}
    changes = {"KEY_PREFIX": uuid.uuid4().hex, "OPTIONS": patient}
    settings.CACHES = {"default": settings.CACHES["default"] | changes}


@pytest.fixture
def world(owner: User) -> World:
    return World(owner)


def page_and_answer(client: Client, world: World, view: str) -> tuple[str, str]:
    """A view's page, without its frame, and its answer."""
    query = f"workload={world.key}"
    page = client.get(f"{VIEWS[view]}?{query}").content.decode()
    answer = client.get(f"/analysis/{view}/export/?{query}&format=json")
    return page.partition("<main")[2].partition("</main>")[0], answer.getvalue().decode()


def read_again(world: World, _admin: User) -> None:
    Measurement.objects.filter(case__run=world.second).update(iops=5, latency_p99=7)
    summaries_rebuild()
    runs_touch([world.second.pk])


def baseline_named(world: World, _admin: User) -> None:
    target = world.first.targets.get().target
    baseline_create(user=world.owner, draft=BaselineDraft(world.first, "as delivered", target))


def host_renamed(world: World, admin: User) -> None:
    host = Host.objects.get(name="west")
    host_update(
        host=host,
        user=admin,
        draft=HostDraft("north", address="north.lab", key_source=Host.KeySource.AGENT),
    )


CHANGES: dict[str, Callable[[World, User], object]] = {
    "results read again": read_again,
    "deleted run": lambda world, admin: run_delete(
        run=world.second, user=admin, name=world.second.name
    ),
    "new baseline": baseline_named,
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("change", CHANGES)
def test_answer_after_a_change_is_another(
    change: str, view: str, world: World, viewer_client: Client, admin: User
) -> None:
    before = page_and_answer(viewer_client, world, view)
    CHANGES[change](world, admin)
    after = page_and_answer(viewer_client, world, view)
    assert all(a and a != b for a, b in zip(before, after, strict=True))


def test_fleet_after_a_host_was_renamed_has_its_name(
    world: World, viewer_client: Client, admin: User
) -> None:
    page_and_answer(viewer_client, world, "fleet")
    host_renamed(world, admin)
    assert all("north" in text for text in page_and_answer(viewer_client, world, "fleet"))


@pytest.mark.parametrize("view", VIEWS)
def test_answer_is_worked_out_once(
    view: str, world: World, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_rows: object, **_asked: object) -> None:
        raise AssertionError("it was worked out again")

    first = page_and_answer(viewer_client, world, view)
    for module in (page_data, analysis):
        monkeypatch.setattr(module, "history_read", forbidden)
    monkeypatch.setattr(fleet_analysis, "fleet_read", forbidden)
    assert page_and_answer(viewer_client, world, view) == first


def test_key_has_question_language_preferences_and_version() -> None:
    def number(query: str) -> int:
        return cached("view", query, int, lambda: next(numbers))

    numbers = iter(range(9))
    assert [number("a"), number("a"), number("b")] == [0, 0, 1]
    with translation.override("de"):
        assert number("a") == 2
    with preferred(Preferences(time_zone="Asia/Tokyo")):
        assert number("a") == 3
    results_touch()
    assert number("a") == 4


def test_foreign_value_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cached("view", "a", list[int], lambda: [1]) == [1]
    monkeypatch.setattr(JsonSerializer, "loads", lambda _self, _data: {"no": "list"})
    assert cached("view", "a", list[int], lambda: [2]) == [2]


def test_redis_that_never_answers_costs_its_timeout_once(
    world: World, viewer_client: Client, settings: Any
) -> None:
    first = page_and_answer(viewer_client, world, "history")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        hasty = settings.CACHES["default"]["OPTIONS"] | {"socket_timeout": 0.5}
        changes = {"LOCATION": address, "OPTIONS": hasty}
        settings.CACHES = {"default": settings.CACHES["default"] | changes}
        began = time.monotonic()
        assert cached("view", "a", int, lambda: 1) == 1
        assert 0.4 < time.monotonic() - began < 5
    settings.CACHES = {"default": settings.CACHES["default"] | {"LOCATION": "redis://127.0.0.1:1"}}
    assert page_and_answer(viewer_client, world, "history") == first


def test_archived_run_raises_the_version(world: World) -> None:
    assert cached("view", "a", int, lambda: 1) == 1
    run_archive(run=world.second, user=world.owner)
    assert cached("view", "a", int, lambda: 2) == 2
