"""Answers over years are other ones at once after any change of what they rest on."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.compare.tests.factories import (
    PARAMS,
    START,
    Setup,
    create_measured_run,
    create_target,
    create_workload,
)
from apps.analysis.fleet import room as fleet_room
from apps.analysis.history import room, shown
from apps.common import kept
from apps.inventory.models import Disk, Host
from apps.results.models import Baseline, Measurement
from apps.runs.models import Attempt, Case, CaseState, Run, RunTarget, RunTuning

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*')


class World:
    """Two disks, one measured twice; every question is about the one workload."""

    def __init__(self, owner: User) -> None:
        self.owner = owner
        self.disk, self.other = (create_target(owner, name) for name in ("east", "west"))
        Disk.objects.update(model="S4510")
        Host.objects.filter(name="west").update(tags=["rack2"])
        self.first = self.run(self.disk, 0)
        self.second = self.run(self.disk, 1)
        self.run(self.other, 2)
        self.key = create_workload(PARAMS).key

    def run(self, disk: Disk, day: int) -> Run:
        setup = Setup(
            self.owner, tunings=("As found",), repeats=3, disk=disk, seed=day,
            start=START + timedelta(days=day),
        )  # fmt: skip
        return create_measured_run(setup)

    def rows(self, run: Run) -> Any:
        return Measurement.objects.filter(case__run=run)


def new_result(world: World) -> None:
    world.run(world.disk, 5)


def invalid(world: World) -> None:
    world.rows(world.second).update(valid=False)


def doubtful(world: World) -> None:
    own = Attempt.objects.filter(case__run=world.second)
    own.update(valid=False, invalid_reason="the disk was busy")


def failed(world: World) -> None:
    Case.objects.filter(run=world.second).update(state=CaseState.FAILED)


def read_again(world: World) -> None:
    world.rows(world.second).update(iops=5, latency_p99=7)


def deleted(world: World) -> None:
    world.second.delete()


def tuning_renamed(world: World) -> None:
    RunTuning.objects.update(name="From the vendor")


def target_renamed(world: World) -> None:
    RunTarget.objects.update(name="/dev/sdz")


def host_renamed(world: World) -> None:
    Host.objects.filter(name="west").update(name="rack2-west")


def baseline_named(world: World) -> None:
    target = world.first.targets.get().target
    Baseline.objects.create(owner=world.owner, run=world.first, target=target, name="as delivered")


def tagged(world: World) -> None:
    Host.objects.filter(name="east").update(tags=["rack2"])


BOTH, FLEET = ("history", "fleet"), ("fleet",)
CHANGES: list[tuple[Callable[[World], None], str, tuple[str, ...]]] = [
    (new_result, "", BOTH),
    (invalid, "", BOTH),
    (doubtful, "", BOTH),
    (failed, "", BOTH),
    (read_again, "", BOTH),
    (deleted, "", BOTH),
    (tuning_renamed, "", BOTH),
    (target_renamed, "", BOTH),
    (host_renamed, "", FLEET),
    (baseline_named, "", BOTH),
    (tagged, "&tag=rack2", BOTH),
]


def asked(client: Client, world: World, more: str, view: str) -> tuple[str, str]:
    """A view's page, without its frame, and its answer."""
    query = f"workload={world.key}{more}"
    page = client.get(f"/{view}/?{query}").content.decode()
    answer = client.get(f"/analysis/{view}/export/?{query}&format=json")
    return page.partition("<main")[2].partition("</main>")[0], answer.getvalue().decode()


@pytest.mark.parametrize(
    ("change", "more", "views"), CHANGES, ids=[change.__name__ for change, *_rest in CHANGES]
)
def test_after_a_change_every_answer_is_another(
    change: Callable[[World], None],
    more: str,
    views: tuple[str, ...],
    owner: User,
    viewer_client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(owner)
    before = {view: asked(viewer_client, world, more, view) for view in BOTH}
    change(world)
    after = {view: asked(viewer_client, world, more, view) for view in BOTH}
    for view in views:
        assert all(a and a != b for a, b in zip(before[view], after[view], strict=True)), view
    monkeypatch.setattr(kept, "kept", lambda _name, _kind: None)
    assert {view: asked(viewer_client, world, more, view) for view in BOTH} == after


def test_a_baseline_that_no_longer_counts_is_gone(owner: User, viewer_client: Client) -> None:
    """Its figures are none of those that the question is about."""
    world = World(owner)
    baseline_named(world)
    more = f"&after={START + timedelta(hours=12):%Y-%m-%dT%H:%M}"
    for view in BOTH:
        assert "as delivered" in asked(viewer_client, world, more, view)[1]
    world.rows(world.first).update(valid=False)
    for view in BOTH:
        assert "as delivered" not in asked(viewer_client, world, more, view)[1]


def test_it_is_worked_out_once(
    owner: User, viewer_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(owner)
    first = [asked(viewer_client, world, "", view) for view in BOTH]
    for module in (shown, room):
        monkeypatch.setattr(module, "history_read", forbidden)
    monkeypatch.setattr(fleet_room, "fleet_read", forbidden)
    assert [asked(viewer_client, world, "", view) for view in BOTH] == first


def test_a_name_that_is_in_no_stamp_is_shown_as_it_is(owner: User, viewer_client: Client) -> None:
    """The form says who owns what was asked for."""
    world = World(owner)
    query = f"/history/?workload={world.key}&owner={owner.pk}"
    assert f">{owner.username}<" in viewer_client.get(query).text
    User.objects.filter(pk=owner.pk).update(username="zoe-renamed")
    assert ">zoe-renamed<" in viewer_client.get(query).text


def forbidden(*_rows: object, **_asked: object) -> None:
    raise AssertionError("it was worked out again")
