"""Who may start, see, cancel and delete an acceptance: owner, viewer, stranger of another team."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.acceptance.models import Acceptance
from apps.acceptance.tests.factories import create_acceptance
from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_team, create_user
from apps.inventory.models import Disk
from apps.inventory.tests.factories import create_disk, create_host

pytestmark = pytest.mark.django_db
Api = Callable[..., APIClient]
PERSONS = ("owner", "viewer", "stranger")


@pytest.fixture
def persons(owner: User, viewer: User) -> dict[str, User]:
    """The owner, a viewer of the owner's team, and a disk owner of another team."""
    team = create_team()
    owner.teams.add(team)
    viewer.teams.add(team)
    other = create_user(role=Role.DISK_OWNER, teams=(create_team(),))
    return {"owner": owner, "viewer": viewer, "stranger": other}


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_disk(host=create_host(), enrolled_by=owner, size=32 << 30)


def acceptance_of(persons: dict[str, User], disk: Disk, state: str) -> Acceptance:
    owner = persons["owner"]
    return create_acceptance(owner, disk, state=state, team=owner.teams.get())


@pytest.mark.parametrize("person", PERSONS)
@pytest.mark.parametrize(
    "path", ["/", "/lot.csv", "/disks/{disk}/", "/disks/{disk}/json/", "api", "api lot"]
)
def test_all_may_read(
    persons: dict[str, User],
    disk: Disk,
    page_client: Callable[[User], Client],
    person: str,
    path: str,
) -> None:
    row = acceptance_of(persons, disk, "ended")
    base = "/api/v1/acceptances/" if path.startswith("api") else "/acceptances/"
    rest = {"api": "/", "api lot": "/lot/"}.get(path, path.format(disk=disk.pk))
    assert page_client(persons[person]).get(f"{base}{row.pk}{rest}").status_code == 200


@pytest.mark.parametrize(("person", "status"), [("owner", 201), ("viewer", 403), ("stranger", 201)])
def test_disk_owners_start(
    persons: dict[str, User], disk: Disk, api: Api, person: str, status: int
) -> None:
    """A started acceptance belongs to who started it, and to none of another team."""
    team = persons["owner"].teams.get()
    client = api(persons[person])
    fields = {"name": "Delivery", "disks": [disk.pk]}
    foreign = client.post("/api/v1/acceptances/", {**fields, "team": team.pk}, format="json")
    assert foreign.status_code == {"owner": 201, "viewer": 403, "stranger": 400}[person]
    if person != "owner":
        assert client.post("/api/v1/acceptances/", fields, format="json").status_code == status
    owners = list(Acceptance.objects.values_list("owner__username", flat=True))
    assert owners == ([] if person == "viewer" else [persons[person].username])


@pytest.mark.parametrize("person", PERSONS)
def test_only_its_owner_cancels_and_deletes(
    persons: dict[str, User],
    disk: Disk,
    api: Api,
    page_client: Callable[[User], Client],
    person: str,
) -> None:
    row = acceptance_of(persons, disk, "filling")
    address = f"/api/v1/acceptances/{row.pk}/"
    client, pages = api(persons[person]), page_client(persons[person])
    may = person == "owner"
    if not may:
        assert pages.post(f"/acceptances/{row.pk}/cancel/").status_code in (302, 403)
        assert pages.post(f"/acceptances/{row.pk}/delete/").status_code in (302, 403)
        row.refresh_from_db()
        assert row.is_open
    assert client.post(f"{address}cancel/").status_code == (200 if may else 403)
    Acceptance.objects.filter(pk=row.pk, state="filling").update(state="cancelled")
    assert client.post(f"{address}decide/").status_code == (409 if may else 403)
    assert client.delete(address).status_code == (204 if may else 403)
    assert Acceptance.objects.exists() is not may


def test_members_of_the_team_cancel(persons: dict[str, User], disk: Disk, api: Api) -> None:
    row = acceptance_of(persons, disk, "filling")
    colleague = create_user(role=Role.OPERATOR, teams=(persons["owner"].teams.get(),))
    assert api(colleague).post(f"/api/v1/acceptances/{row.pk}/cancel/").status_code == 200
