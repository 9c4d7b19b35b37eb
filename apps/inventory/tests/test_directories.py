"""Scratch directories: paths that would take the host down are refused; owners and teams change
theirs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.common.errors import ServiceError
from apps.inventory.models import Directory
from apps.inventory.services import directory_create
from apps.inventory.tests.factories import create_directory, create_host

Api = Callable[[User | None], APIClient]


@pytest.mark.parametrize(
    "path", ["/", "//", "/etc", "/usr/local", "/srv/../etc", "srv", "", "/dev/shm", "/a b", "/$x"]
)
def test_paths_of_the_system_are_refused(operator: User, path: str) -> None:
    with pytest.raises(ServiceError) as refused:
        directory_create(host=create_host(), path=path, user=operator)
    assert (refused.value.status, list(refused.value.fields)) == (400, ["path"])


def test_path_is_stored_normalised_and_once(operator: User) -> None:
    host = create_host()
    assert directory_create(host=host, path="/srv//bench/", user=operator).path == "/srv/bench"
    with pytest.raises(ServiceError):
        directory_create(host=host, path="/srv/bench", user=operator)


def test_only_the_owner_the_team_and_admins_delete(
    owner: User,
    owner_client: Client,
    stranger: User,
    stranger_client: Client,
    viewer_client: Client,
) -> None:
    directory = create_directory(owner=owner)
    address = f"/directories/{directory.pk}/delete/"
    assert viewer_client.post(address).status_code == 403
    assert stranger_client.post(address).status_code == 403
    team = create_team()
    stranger.teams.add(team)
    Directory.objects.update(team=team)
    assert stranger_client.post(address).status_code == 302
    assert not Directory.objects.exists()


def test_nobody_gives_to_a_team_they_are_not_in(operator: User) -> None:
    with pytest.raises(ServiceError, match="one of your own teams"):
        directory_create(host=create_host(), path="/srv/b", user=operator, team=create_team())


def test_the_api_makes_changes_and_deletes(api: Api, operator: User, stranger: User) -> None:
    host = create_host()
    made = api(operator).post("/api/v1/directories/", {"host": host.pk, "path": "/srv/bench"})
    assert (made.status_code, made.json()["owner"]) == (201, "operator")
    address = f"/api/v1/directories/{made.json()['id']}/"
    assert api(stranger).delete(address).status_code == 403
    assert api(operator).patch(address, {"path": "/srv/other"}).status_code == 400
    team = create_team()
    operator.teams.add(team)
    assert api(operator).patch(address, {"team": team.pk}).json()["team"] == team.pk
    assert api(operator).delete(address).status_code == 204


def test_the_page_adds_one(operator_client: Client, viewer_client: Client) -> None:
    host = create_host()
    address = f"/hosts/{host.pk}/directories/add/"
    assert viewer_client.get(address).status_code == 403
    assert operator_client.post(address, {"path": "/etc"}).status_code == 200
    assert operator_client.post(address, {"path": "/srv/bench"}).status_code == 302
    assert Directory.objects.get().path == "/srv/bench"
