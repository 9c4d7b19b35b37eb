"""Pages and API of the queue and the calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.bookings.tests.factories import create_booking, create_maintenance
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host, create_pool
from apps.runs.models import Run
from apps.runs.services.leases import run_try_start
from apps.runs.tests.factories import create_disk, create_plan, create_run

Api = Callable[[User | None], APIClient]


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def run_of(user: User, host: Host) -> Run:
    run = create_run(owner=user, target=create_disk(host=host, owner=user))
    run.cases.update(expected_seconds=3600)
    return run


def page(client: Client, name: str, **query: str) -> str:
    return client.get(reverse(name), query).content.decode()


def test_queue_shows_why_and_until_when_a_run_waits(
    owner: User, stranger: User, viewer_client: Client, host: Host
) -> None:
    booking = create_booking(owner, host, end=3)
    waiting = run_of(stranger, host)
    run_try_start(run_id=waiting.pk, worker="w")
    text = page(viewer_client, "queue")
    assert "owner has booked node1 (a kernel test)" in text
    assert "Starts about" in text
    assert f"{booking.ends_at:%Y-%m-%d %H:%M} UTC" in text
    detail = viewer_client.get(reverse("run_detail", args=[waiting.pk])).content.decode()
    assert "Starts about" in detail
    assert "Show the queue" in detail
    assert "Set priority" not in detail


def test_fifth_run_in_line_has_an_earliest_time_only(
    owner: User, viewer_client: Client, host: Host
) -> None:
    for _ in range(6):
        run_of(owner, host)
    text = page(viewer_client, "queue")
    assert text.count("Starts not before") == 2
    assert "4 runs are ahead" in text
    assert text.count("next in line after run") == 3


def test_rows_of_the_queue_are_polled_alone(owner: User, viewer_client: Client, host: Host) -> None:
    run_of(owner, host)
    part = page(viewer_client, "queue", part="rows")
    assert "<html" not in part
    assert "Starts within a minute." in part


def test_empty_queue_names_what_to_do(viewer_client: Client, db: None) -> None:
    assert "Nothing runs or waits" in page(viewer_client, "queue")


def test_priority_is_set_on_the_page_by_its_owner_only(
    owner: User, owner_client: Client, stranger_client: Client, host: Host
) -> None:
    run = run_of(owner, host)
    address = reverse("run_prioritise", args=[run.pk])
    assert stranger_client.post(address, {"priority": "0"}).status_code == 403
    owner_client.post(address, {"priority": "0"})
    assert Run.objects.get(pk=run.pk).priority == 0
    for wrong in ("2", "7", "x", ""):
        answer = owner_client.post(address, {"priority": wrong}, follow=True)
        assert answer.status_code == 200
        assert Run.objects.get(pk=run.pk).priority == 0


def test_launch_form_takes_a_priority(owner: User, owner_client: Client, host: Host) -> None:
    plan = create_plan(owner=owner, target=create_disk(host=host, owner=owner))
    address = reverse("run_launch", args=[plan.pk])
    owner_client.post(address, {"priority": "0"})
    assert Run.objects.get().priority == 0
    owner_client.post(address, {"priority": "2"})
    assert Run.objects.count() == 1


def test_calendar_shows_bookings_windows_and_expected_runs(
    owner: User, admin: User, viewer_client: Client, host: Host
) -> None:
    create_booking(owner, host, end=1)
    create_maintenance(admin, host, start=24 * 8, end=24 * 8 + 1, weekly=True)
    pool = create_pool(owner=owner, host=create_host(name="client1"))
    create_booking(owner, start=0, end=1, pools=(pool,), reason="the pool alone")
    run = run_of(owner, host)
    text = page(viewer_client, "calendar")
    assert "owner: a kernel test" in text
    assert "the pool alone" in text
    assert str(run) in text
    assert "new firmware" not in text
    day = timezone.now() + timedelta(days=8)
    later = page(viewer_client, "calendar", day=f"{day:%Y-%m-%d}", host="NODE")
    assert "new firmware" in later
    assert "client1" not in later


@pytest.mark.parametrize(
    ("day", "status"),
    [
        ("x", 400),
        ("2026-02-30", 400),
        ("0001-01-01", 400),
        ("9999-12-31", 400),
        ("2026-03-29", 200),
    ],
)
def test_calendar_of_a_bad_day_is_refused(
    viewer_client: Client, db: None, day: str, status: int
) -> None:
    assert viewer_client.get(reverse("calendar"), {"day": day}).status_code == status


def test_api_of_the_queue_has_forecasts_and_positions(
    api: Api, owner: User, stranger: User, host: Host
) -> None:
    running, waiting = run_of(owner, host), run_of(stranger, host)
    assert run_try_start(run_id=running.pk, worker="w")
    rows = api(stranger).get("/api/v1/queue/").json()["runs"]
    assert [(row["run"], row["position"], row["priority"]) for row in rows] == [
        (running.pk, None, "normal"),
        (waiting.pk, 1, "normal"),
    ]
    assert rows[0]["forecast"] is None
    assert rows[1]["forecast"]["after_run"] == running.pk
    detail = api(owner).get(f"/api/v1/runs/{waiting.pk}/").json()
    assert detail["forecast"]["after_run"] == running.pk
    assert api(owner).get("/api/v1/queue/", {"x": "1"}).status_code == 400


def test_api_sets_priorities(api: Api, owner: User, stranger: User, host: Host) -> None:
    run = run_of(owner, host)
    address = f"/api/v1/runs/{run.pk}/priority/"
    assert api(owner).post(address, {"priority": "low"}).json()["priority"] == "low"
    assert api(owner).post(address, {"priority": "high"}).status_code == 403
    assert api(owner).post(address, {"priority": "urgent"}).status_code == 400
    assert api(owner).post(address, {}).status_code == 400
    assert api(stranger).post(address, {"priority": "low"}).status_code == 403
    made = api(owner).post("/api/v1/runs/", {"plan": run.plan_id, "priority": "low"})
    assert (made.status_code, made.json()["priority"]) == (201, "low")
