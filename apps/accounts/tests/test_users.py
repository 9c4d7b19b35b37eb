"""Users and teams: admins' pages, and an installation that never loses its last admin."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import AuditEntry, Role, Team, User
from apps.accounts.services import user_save
from apps.accounts.tests.factories import create_team, create_user
from apps.common.errors import ServiceError

PAGES = ["/users/", "/users/add/", "/teams/", "/teams/add/", "/audit/"]


@pytest.mark.parametrize("page", PAGES)
def test_only_admins_see_them(
    page: str, owner_client: Client, viewer_client: Client, admin_client: Client
) -> None:
    assert admin_client.get(page).status_code == 200
    for client in (owner_client, viewer_client):
        response = client.get(page)
        assert response.status_code == 403


def test_an_admin_adds_a_user(admin_client: Client) -> None:
    team = create_team(name="Storage")
    data = {
        "username": "ola",
        "role": "disk_owner",
        "teams": [team.pk],
        "is_active": "on",
        "new_password": "quite a long one",
    }
    assert admin_client.post("/users/add/", data).status_code == 302
    user = User.objects.get(username="ola")
    assert user.is_disk_owner
    assert user.check_password("quite a long one")
    assert list(user.teams.all()) == [team]
    entry = AuditEntry.objects.get(action="create", object_type="user", label="ola")
    assert "quite a long one" not in str(entry.detail)


def test_a_weak_password_is_refused(admin_client: Client) -> None:
    data = {"username": "ola", "role": "viewer", "is_active": "on", "new_password": "short"}
    page = admin_client.post("/users/add/", data)
    assert page.status_code == 200
    assert not User.objects.filter(username="ola").exists()


def test_an_empty_password_keeps_the_present_one(admin_client: Client, viewer: User) -> None:
    data = {"username": "viewer", "role": "operator", "is_active": "on", "new_password": ""}
    admin_client.post(f"/users/{viewer.pk}/", data)
    viewer.refresh_from_db()
    assert viewer.role == Role.OPERATOR
    assert viewer.check_password("a long password")


@pytest.mark.parametrize("change", [{"role": Role.VIEWER}, {"is_active": False}])
def test_the_last_admin_stays(admin: User, change: dict[str, object]) -> None:
    for name, value in change.items():
        setattr(admin, name, value)
    with pytest.raises(ServiceError, match="last admin"):
        user_save(user=admin, by=admin, teams=[])
    admin.refresh_from_db()
    assert admin.is_admin


def test_an_admin_who_is_none_any_more_is_one_nowhere(admin: User) -> None:
    other = create_user(role=Role.ADMIN)
    other.role = Role.OPERATOR
    user_save(user=other, by=admin, teams=[])
    other.refresh_from_db()
    assert not other.is_admin


def test_roles_include_the_ones_before_them(db: None) -> None:
    for rank, role in enumerate(Role):
        user = create_user(role=role)
        assert [user.has_role(other) for other in Role] == [n <= rank for n in range(len(Role))]
        user.is_active = False
        assert not any(user.has_role(other) for other in Role)


def test_a_team_that_goes_leaves_its_members(admin_client: Client) -> None:
    team = create_team()
    user = create_user(teams=(team,))
    assert admin_client.post(f"/teams/{team.pk}/delete/").status_code == 302
    assert not Team.objects.exists()
    assert User.objects.filter(pk=user.pk).exists()


def test_the_list_costs_few_queries(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    team = create_team()
    for _number in range(20):
        create_user(teams=(team,))
    with django_assert_max_num_queries(5):
        admin_client.get("/users/")
