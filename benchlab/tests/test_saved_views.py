"""Saved views of lists: own ones, those of a team, and the default of a list."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import DefaultView, Role, SavedView, Team, User
from apps.accounts.services import default_view_set, saved_view_create
from apps.accounts.tests.factories import create_user
from apps.common.domain.navigation import LISTS
from apps.inventory.tests.factories import create_host

pytestmark = pytest.mark.django_db


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def create_view(user: User, *, team: Team | None = None, name: str = "Rack 7") -> SavedView:
    return saved_view_create(
        user=user, page="host_list", name=name, query="tag=rack-7", team=team, is_default=False
    )


def member(role: Role, *teams: Team) -> User:
    user = create_user(role=role)
    user.teams.set(teams)
    return user


def test_saved_view_stores_filter_and_order_without_position(viewer: User) -> None:
    data = {"page": "host_list", "name": "Rack 7", "query": "tag=rack-7&state=&sort=-name&after=3"}
    response = client_of(viewer).post("/saved-views/add/", data)
    assert response.headers["Location"] == "/hosts/?tag=rack-7&sort=-name"
    view = SavedView.objects.get()
    assert (view.owner, view.page, view.query) == (viewer, "host_list", "tag=rack-7&sort=-name")


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"page": "login"},
        {"page": ""},
        {"query": ""},
        {"query": "after=3&view=all"},
        {"query": "a=" + "x" * 2000},
        {"team": "0"},
        {"team": "no number"},
        {"name": "\0"},
    ],
)
def test_saved_view_with_bad_input_is_refused(viewer: User, changes: dict[str, str]) -> None:
    data = {"page": "host_list", "name": "Rack 7", "query": "tag=rack-7", **changes}
    response = client_of(viewer).post("/saved-views/add/", data)
    assert response.status_code == 400
    assert not SavedView.objects.exists()


def test_saved_view_with_existing_name_is_refused(viewer: User) -> None:
    create_view(viewer)
    data = {"page": "host_list", "name": "Rack 7", "query": "tag=rack-8"}
    assert client_of(viewer).post("/saved-views/add/", data).status_code == 400
    other = client_of(create_user(role=Role.VIEWER)).post("/saved-views/add/", data)
    assert other.status_code == 302


def test_saved_view_of_a_foreign_team_is_refused(viewer: User) -> None:
    data = {"page": "host_list", "name": "Rack 7", "query": "tag=rack-7"}
    data["team"] = str(Team.objects.create(name="others").pk)
    assert client_of(viewer).post("/saved-views/add/", data).status_code == 400


def test_private_view_is_listed_for_its_owner_only(owner: User, viewer: User) -> None:
    create_host()
    create_view(owner)
    assert "Rack 7" in client_of(owner).get("/hosts/").content.decode()
    for other in (viewer, create_user(role=Role.OPERATOR), create_user(role=Role.ADMIN)):
        assert "Rack 7" not in client_of(other).get("/hosts/").content.decode()


def test_view_of_a_team_is_listed_for_members_and_deleted_by_its_owner() -> None:
    create_host()
    team = Team.objects.create(name="storage")
    owner, colleague = member(Role.OPERATOR, team), member(Role.VIEWER, team)
    view = create_view(owner, team=team)
    page = client_of(colleague).get("/hosts/").content.decode()
    assert f"/saved-views/{view.pk}/default/" in page
    assert f"/saved-views/{view.pk}/delete/" not in page
    address = f"/saved-views/{view.pk}/delete/"
    assert client_of(colleague).post(address).status_code == 403
    assert client_of(create_user(role=Role.OPERATOR)).post(address).status_code == 404
    assert client_of(owner).post(address).headers["Location"] == "/hosts/?view=all"
    assert not SavedView.objects.exists()


def test_default_view_opens_its_list_for_its_user_only(owner: User, viewer: User) -> None:
    view = create_view(owner)
    client = client_of(owner)
    assert client.get("/hosts/").status_code == 200
    client.post(f"/saved-views/{view.pk}/default/", {"default": "1"})
    assert client.get("/hosts/").headers["Location"] == "/hosts/?tag=rack-7"
    assert client.get("/hosts/?view=all").status_code == 200
    assert client.get("/runs/").status_code == 200
    assert client_of(viewer).get("/hosts/").status_code == 200
    client.post(f"/saved-views/{view.pk}/default/", {"default": "0"})
    assert client.get("/hosts/").status_code == 200


def test_second_default_view_of_a_list_replaces_the_first(owner: User) -> None:
    first, second = create_view(owner), create_view(owner, name="Rack 8")
    for view in (first, second):
        default_view_set(user=owner, view=view, is_default=True)
    assert [default.view for default in DefaultView.objects.all()] == [second]


def test_default_view_of_a_team_ends_with_the_membership() -> None:
    team = Team.objects.create(name="storage")
    colleague = member(Role.VIEWER, team)
    view = create_view(member(Role.OPERATOR, team), team=team)
    default_view_set(user=colleague, view=view, is_default=True)
    assert client_of(colleague).get("/hosts/").status_code == 302
    colleague.teams.clear()
    assert client_of(colleague).get("/hosts/").status_code == 200


def test_name_of_a_view_is_escaped(owner: User) -> None:
    create_host()
    create_view(owner, name="<script>x</script>")
    assert "<script>x" not in client_of(owner).get("/hosts/?tag=rack-7").content.decode()


@pytest.mark.parametrize("page", LISTS)
def test_each_list_offers_to_save_its_filter(viewer: User, page: str) -> None:
    address = {"disk_list": "disks", "import_list": "imports"}.get(page, page.split("_")[0] + "s")
    html = client_of(viewer).get(f"/{address}/?sort=name&view=all").content.decode()
    if "cannot be sorted" in html:
        html = client_of(viewer).get(f"/{address}/?tag=a").content.decode()
    assert f'name="page" value="{page}"' in html
