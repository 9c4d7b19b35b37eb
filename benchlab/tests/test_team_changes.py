"""Who assigns a row to another team, for each kind of row with a team."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.apps import apps
from rest_framework.test import APIClient

from apps.accounts.models import OwnedModel, Team, User
from apps.accounts.tests.factories import create_team, create_user
from benchlab.tests.api_world import World

Api = Callable[[User | None], APIClient]
KINDS = {
    "plans": "plan",
    "tunings": "tuning",
    "pools": "pool",
    "directories": "directory",
    "groups": "group",
    "imports": "imported",
    "reports": "report",
    "alerts": "alert",
    "bookings": "booking",
}
FIXED = {"acceptance", "baseline", "bookingrequest", "run"}
"""Kinds whose team stays the one that they were created with."""


@pytest.fixture
def teams() -> tuple[Team, Team]:
    return create_team(), create_team()


def row_of(world: World, kind: str, team: Team | None) -> OwnedModel:
    row: OwnedModel = getattr(world, KINDS[kind])
    type(row)._default_manager.filter(pk=row.pk).update(team=team)
    return row


def patch(api: Api, user: User, kind: str, row: OwnedModel, team: Team | None) -> int:
    body = {"team": team.pk if team else None}
    answer = api(user).patch(f"/api/v1/{kind}/{row.pk}/", body)
    if answer.status_code == 400:
        assert list(answer.json()["error"]["fields"]) == ["team"]
    stored = type(row)._default_manager.values_list("team", flat=True).get(pk=row.pk)
    assert (stored == (team.pk if team else None)) == (answer.status_code == 200)
    return int(answer.status_code)


@pytest.mark.parametrize("kind", KINDS)
def test_team_change_by_member_is_refused(
    kind: str, world: World, api: Api, teams: tuple[Team, Team]
) -> None:
    member = create_user(teams=teams)
    world.owner.teams.set(teams)
    row = row_of(world, kind, teams[0])
    assert patch(api, member, kind, row, teams[1]) == 400
    assert patch(api, member, kind, row, None) == 400
    assert patch(api, member, kind, row, teams[0]) == 200


@pytest.mark.parametrize("kind", KINDS)
def test_team_change_by_owner_needs_membership(
    kind: str, world: World, api: Api, teams: tuple[Team, Team]
) -> None:
    world.owner.teams.set([teams[1]])
    row = row_of(world, kind, teams[0])
    assert patch(api, world.owner, kind, row, world.team) == 400
    assert patch(api, world.owner, kind, row, teams[0]) == 200
    assert patch(api, world.owner, kind, row, teams[1]) == 200
    assert patch(api, world.owner, kind, row, None) == 200


@pytest.mark.parametrize("kind", KINDS)
def test_team_change_by_admin_is_stored(kind: str, world: World, api: Api, admin: User) -> None:
    row = row_of(world, kind, None)
    assert patch(api, admin, kind, row, world.team) == 200


def test_team_changes_cover_all_owned_models(world: World) -> None:
    owned = {row._meta.model_name for row in apps.get_models() if issubclass(row, OwnedModel)}
    assert owned == {getattr(world, name)._meta.model_name for name in KINDS.values()} | FIXED
