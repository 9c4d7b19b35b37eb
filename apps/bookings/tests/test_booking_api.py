"""The API of bookings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.bookings.models import Booking, BookingRequest
from apps.bookings.tests.factories import create_booking, create_request, hours
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_archive_host, create_disk, create_host

URL = "/api/v1/bookings/"
REQUESTS = "/api/v1/booking-requests/"
Api = Callable[[User | None], APIClient]


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def body(host: Host, start: float = 1, end: float = 2, **fields: Any) -> dict[str, Any]:
    return {
        "hosts": [host.pk],
        "starts_at": hours(start).isoformat(),
        "ends_at": hours(end).isoformat(),
        "reason": "a kernel test",
    } | fields


def test_booking_is_created_changed_listed_and_ended(api: Api, owner: User, host: Host) -> None:
    client = api(owner)
    made = client.post(URL, body(host), format="json")
    assert (made.status_code, made.json()["state"]) == (201, "planned")
    one = f"{URL}{made.json()['id']}/"
    changed = client.patch(one, {"ends_at": hours(3).isoformat()}, format="json")
    assert changed.status_code == 200
    assert client.get(URL, {"host": host.pk}).json()["results"][0]["id"] == made.json()["id"]
    assert client.post(f"{one}end/").json()["state"] == "ended"
    assert client.get(URL).json()["results"] == []
    assert len(client.get(URL, {"ended": "true"}).json()["results"]) == 1
    assert client.get(one).status_code == 200


def test_overlap_is_a_conflict_with_the_others_name(
    api: Api, owner: User, stranger: User, host: Host
) -> None:
    create_booking(owner, host, start=1, end=2)
    answer = api(stranger).post(URL, body(host, 1.5, 4), format="json")
    assert answer.status_code == 409
    assert answer.json()["error"]["message"].startswith("owner has booked node1 from")


def test_overlap_of_several_hosts_names_those_that_overlap(
    api: Api, owner: User, stranger: User, host: Host
) -> None:
    free, taken, shared = (create_host(name=f"node{number}") for number in (2, 10, 9))
    for one in (host, shared):
        create_disk(host=one, enrolled_by=owner, identity="wwn:naa.600508b1001c5e3d")
    create_booking(owner, taken, shared, start=1, end=2)
    sent = body(free) | {"hosts": [free.pk, taken.pk, host.pk]}
    answer = api(stranger).post(URL, sent, format="json")
    assert answer.status_code == 409
    assert answer.json()["error"]["message"].startswith("owner has booked node1, node10 from ")


@pytest.mark.parametrize(
    "fields",
    [
        {"starts_at": "soon"},
        {"ends_at": None},
        {"hosts": []},
        {"hosts": ["x"]},
        {"hosts": [10**9]},
        {"hosts": 1},
        {"kind": "party"},
        {"weekly": "no"},
        {"weekly": True},
        {"repeat_until": "2026-13-01"},
        {"time_zone": "Nowhere"},
        {"reason": ""},
        {"reason": "a\u0000b"},
        {"unknown": 1},
        {"ends_at": "2026-01-01T00:00:00Z"},
    ],
)
def test_bad_input_is_refused(api: Api, owner: User, host: Host, fields: dict[str, Any]) -> None:
    answer = api(owner).post(URL, body(host) | fields, format="json")
    assert answer.status_code == 400
    assert not Booking.objects.exists()


def test_host_of_the_archive_is_refused(api: Api, owner: User) -> None:
    answer = api(owner).post(URL, body(create_archive_host("old")), format="json")
    assert list(answer.json()["error"]["fields"]) == ["hosts"]


def test_maintenance_is_for_admins(api: Api, operator: User, admin: User, host: Host) -> None:
    fields = body(host, kind="maintenance", weekly=True, time_zone="Asia/Shanghai")
    assert api(operator).post(URL, fields, format="json").status_code == 403
    made = api(admin).post(URL, fields, format="json")
    assert made.status_code == 201
    one = f"{URL}{made.json()['id']}/"
    assert api(operator).patch(one, {"reason": "x"}, format="json").status_code == 403
    assert api(operator).post(f"{one}end/").status_code == 403


def test_limit_of_open_bookings_is_a_fault_of_the_request_and_the_form(
    api: Api,
    owner: User,
    owner_client: Client,
    host: Host,
    settings: LazySettings,
) -> None:
    settings.BENCHLAB_BOOKING_MAX_OPEN = 1
    assert api(owner).post(URL, body(host), format="json").status_code == 201
    answer = api(owner).post(URL, body(host, 3, 4), format="json")
    assert answer.status_code == 400
    (text,) = answer.json()["error"]["fields"]["hosts"]
    form = {
        "hosts": [host.pk],
        "starts_at": f"{hours(3):%Y-%m-%dT%H:%M}",
        "ends_at": f"{hours(4):%Y-%m-%dT%H:%M}",
        "reason": "a kernel test",
    }
    page = owner_client.post(reverse("booking_add"), form)
    assert page.status_code == 400
    assert text in page.content.decode()
    assert Booking.objects.count() == 1


def test_request_is_created_listed_and_cancelled(api: Api, owner: User, host: Host) -> None:
    body = {"hosts": [host.pk], "hours": 2, "reason": "kernel test"}
    made = api(owner).post(REQUESTS, body).json()
    assert (made["hours"], made["owner"], made["blocker"]) == (2, owner.username, "")
    assert [row["id"] for row in api(owner).get(REQUESTS).json()["results"]] == [made["id"]]
    queued = api(owner).get("/api/v1/queue/").json()["requests"]
    assert [(row["request"], row["entries"]) for row in queued] == [(made["id"], "node1")]
    assert queued[0]["forecast"]["ahead"] == 0
    assert api(owner).delete(f"{REQUESTS}{made['id']}/").status_code == 204
    assert not BookingRequest.objects.exists()
    assert api(owner).delete(f"{REQUESTS}{made['id']}/").status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"hours": 0},
        {"hours": -1},
        {"hours": 24 * 7 + 1},
        {"hours": "two"},
        {"hosts": []},
        {"hosts": [10**6]},
        {"reason": " "},
        {"starts_at": "2026-03-01T20:00:00Z"},
    ],
)
def test_bad_request_is_refused(api: Api, owner: User, host: Host, fields: dict[str, Any]) -> None:
    body = {"hosts": [host.pk], "hours": 2, "reason": "kernel test"} | fields
    assert api(owner).post(REQUESTS, body).status_code == 400
    assert not BookingRequest.objects.exists()


def test_request_of_a_host_of_the_archive_is_refused(api: Api, owner: User) -> None:
    archived = create_archive_host()
    body = {"hosts": [archived.pk], "hours": 2, "reason": "kernel test"}
    assert set(api(owner).post(REQUESTS, body).json()["error"]["fields"]) == {"hosts"}


def test_requests_count_as_bookings_of_a_person(
    api: Api, owner: User, admin: User, host: Host, settings: LazySettings
) -> None:
    settings.BENCHLAB_BOOKING_MAX_OPEN = 2
    body = {"hosts": [host.pk], "hours": 2, "reason": "kernel test"}
    assert [api(owner).post(REQUESTS, body).status_code for _ in range(3)] == [201, 201, 400]
    assert api(admin).post(REQUESTS, body).status_code == 201
    settings.BENCHLAB_BOOKING_MAX_OPEN, settings.BENCHLAB_BOOKING_MAX_HOURS = 9, 5
    refused = api(owner).post(REQUESTS, body)
    assert set(refused.json()["error"]["fields"]) == {"hours"}


def test_request_is_cancelled_by_its_owner_only(
    api: Api, owner: User, stranger: User, viewer: User, host: Host
) -> None:
    row = create_request(owner, host)
    for user in (stranger, viewer):
        assert api(user).delete(f"{REQUESTS}{row.pk}/").status_code == 403
    body = {"hosts": [host.pk], "hours": 2, "reason": "kernel test"}
    assert api(viewer).post(REQUESTS, body).status_code == 403
