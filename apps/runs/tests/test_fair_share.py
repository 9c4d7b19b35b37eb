"""Recent host-hours of teams as the tie-break of the queue."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.tests.factories import create_team
from apps.inventory.models import Host
from apps.inventory.tests.factories import create_host
from apps.runs.models import Claim, Priority, Run
from apps.runs.selectors.fair_share import recent_hours, share_key
from apps.runs.selectors.queue import runs_ahead, runs_queued
from apps.runs.tests.factories import create_disk, create_run

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def switched_on(settings: LazySettings) -> None:
    settings.BENCHLAB_QUEUE_FAIR_SHARE = True
    cache.clear()


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="node1")


def run_of(user: User, host: Host | None = None) -> Run:
    return create_run(owner=user, target=create_disk(host=host or create_host(), owner=user))


def used(run: Run, hours: float, days_ago: float = 0) -> None:
    """Let the run have used its host for so many hours, until some days ago."""
    end = timezone.now() - timedelta(days=days_ago)
    Run.objects.filter(pk=run.pk).update(state="succeeded")
    claim = Claim.objects.create(resource=f"host:{run.pk}", run=run, released_at=end)
    Claim.objects.filter(pk=claim.pk).update(taken_at=end - timedelta(hours=hours))
    Claim.objects.create(resource=f"disk:{run.pk}", run=run, released_at=end)
    cache.clear()


def hours_of(user: User) -> float:
    return recent_hours(timezone.now())[share_key(None, user.pk)]


def test_hour_counts_half_after_seven_days(owner: User, stranger: User) -> None:
    used(run_of(owner), 1)
    used(run_of(stranger), 1, days_ago=7)
    assert hours_of(owner) == pytest.approx(1, rel=0.01)
    assert hours_of(stranger) == pytest.approx(0.5, rel=0.01)


def test_hosts_add_up_and_running_claims_count_until_now(owner: User) -> None:
    run = run_of(owner)
    for name in ("host:1001", "host:1002", "machine:x", "ceph:1"):
        Claim.objects.create(resource=name, run=run)
    Claim.objects.update(taken_at=timezone.now() - timedelta(hours=3))
    cache.clear()
    assert hours_of(owner) == pytest.approx(6, rel=0.02)


def test_team_with_fewer_hours_comes_first_within_a_level(
    owner: User, stranger: User, host: Host
) -> None:
    used(run_of(owner), 10)
    much, little = run_of(owner, host), run_of(stranger, host)
    now = timezone.now()
    assert [run.pk for run in runs_queued(now)] == [little.pk, much.pk]
    assert list(runs_ahead(much, now)) == [little]
    assert list(runs_ahead(little, now)) == []
    Run.objects.filter(pk=much.pk).update(priority=Priority.HIGH)
    assert [run.pk for run in runs_queued(now)] == [much.pk, little.pk]


def test_members_share_the_hours_of_their_team(owner: User, stranger: User, host: Host) -> None:
    team = create_team()
    first = run_of(owner)
    Run.objects.filter(pk=first.pk).update(team=team)
    used(first, 10)
    of_team, alone = run_of(stranger, host), run_of(owner, host)
    Run.objects.filter(pk=of_team.pk).update(team=team)
    assert [run.pk for run in runs_queued(timezone.now())] == [alone.pk, of_team.pk]


def test_it_is_off_by_default(
    owner: User, stranger: User, host: Host, settings: LazySettings
) -> None:
    settings.BENCHLAB_QUEUE_FAIR_SHARE = False
    used(run_of(owner), 10)
    older, younger = run_of(owner, host), run_of(stranger, host)
    assert [run.pk for run in runs_queued(timezone.now())] == [older.pk, younger.pk]
    assert recent_hours(timezone.now()) == {}


def test_hours_are_shown_in_the_queue_while_it_is_on(
    owner: User, host: Host, viewer_client: Client, settings: LazySettings
) -> None:
    used(run_of(owner), 10)
    run_of(owner, host)
    assert ">9.8<" in viewer_client.get(reverse("queue")).content.decode()
    settings.BENCHLAB_QUEUE_FAIR_SHARE = False
    assert ">9.8<" not in viewer_client.get(reverse("queue")).content.decode()
