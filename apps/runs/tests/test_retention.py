"""Raw output goes when its rule says so; nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from apps.accounts.models import Team, User
from apps.blobs.models import Blob
from apps.common.domain.months import months_before
from apps.runs.models import Artifact, Attempt, Claim, Run, RunEvent, RunState
from apps.runs.services.artifacts import ArtifactDeleted, artifact_bytes, artifact_of, attempt_files
from apps.runs.tasks import retention
from apps.runs.tests.factories import create_attempt, create_run

COMMON = b"same in every run\n" * 100
Api = Callable[[User | None], APIClient]


@pytest.fixture
def team(db: None) -> Team:
    return Team.objects.create(name="storage", raw_retention_months=6)


def ended_run(owner: User, days: int, team: Team | None = None, **fields: object) -> Run:
    """A run that ended some days ago, with a file of its own and one that all have."""
    run = create_run(owner=owner)
    attempt = create_attempt(run.cases.get())
    artifact_of(attempt, "common", COMMON).save()
    artifact_of(attempt, "own", b"%d\n" % run.pk * 50).save()
    then = timezone.now() - timedelta(days=days)
    values = {"state": RunState.SUCCEEDED, "queued_at": then, "finished_at": then, "team": team}
    Run.objects.filter(pk=run.pk).update(**values | fields)
    return Run.objects.get(pk=run.pk)


def stored_file_count(run: Run) -> int:
    return Artifact.objects.filter(attempt__case__run=run, blob__isnull=False).count()


def retention_line(*options: str) -> str:
    """Return the command's line about raw output."""
    out = StringIO()
    call_command("retention", *options, stdout=out)
    (line,) = (line for line in out.getvalue().splitlines() if line.startswith("runs.Artifact"))
    return line


def test_retention_without_rule_deletes_nothing(owner: User) -> None:
    run = ended_run(owner, 9_000)
    assert " 0  raw output" in retention_line("--apply")
    retention()
    assert stored_file_count(run) == 2


def test_a_dry_run_says_what_would_go_and_removes_nothing(owner: User, team: Team) -> None:
    ended_run(owner, 10)
    run = ended_run(owner, 400, team)
    text = retention_line()
    packed = Blob.objects.get(
        artifacts__name="own", artifacts__attempt__case__run=run
    ).compressed_bytes
    assert " 2  raw output" in text
    assert "(1 runs, " in text
    assert f"of which {packed / 1e6:.1f} MB compressed become free" in text
    assert stored_file_count(run) == 2


def test_each_run_goes_by_its_team_s_rule_or_the_installation_s(
    owner: User, team: Team, settings: Settings
) -> None:
    settings.RAW_RETENTION_MONTHS = 12
    other = Team.objects.create(name="without a rule")
    old = {days: ended_run(owner, days, team) for days in (100, 200)}
    rest = {days: ended_run(owner, days, other) for days in (200, 400)}
    nobody = ended_run(owner, 400)
    imported = ended_run(owner, 10, finished_at=datetime(2019, 1, 1, tzinfo=UTC))
    running = ended_run(owner, 400, state=RunState.RUNNING, finished_at=None)
    retention()
    assert [stored_file_count(old[100]), stored_file_count(old[200])] == [2, 0]
    assert [
        stored_file_count(rest[200]),
        stored_file_count(rest[400]),
        stored_file_count(nobody),
    ] == [2, 0, 0]
    assert [stored_file_count(imported), stored_file_count(running)] == [2, 2]
    # Shared bytes stay for those who still have them, and only for them.
    assert Blob.objects.count() == 5
    survivor = Artifact.objects.get(attempt__case__run=old[100], name="common")
    assert artifact_bytes(survivor) == COMMON
    assert " 0  raw output" in retention_line("--apply")


def test_what_is_left_of_a_file(
    owner: User, team: Team, viewer_client: Client, api: Api, viewer: User
) -> None:
    run = ended_run(owner, 400, team)
    before = {row.name: (row.size, row.sha256) for row in Artifact.objects.all()}
    retention()
    assert {row.name: (row.size, row.sha256) for row in Artifact.objects.all()} == before
    assert not Blob.objects.exists()
    case = run.cases.get()
    page = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
    assert "raw output is kept for 6 months by the rule of team storage" in page
    assert before["own"][1] in page
    address = reverse("artifact_download", args=[case.pk, 1, "own"])
    assert address not in page
    assert viewer_client.get(address).status_code == 302
    gone = api(viewer).get(f"/api/v1/cases/{case.pk}/attempts/1/artifacts/own/")
    assert gone.status_code == 410
    assert gone.json()["error"]["kind"] == "gone"
    with pytest.raises(ArtifactDeleted, match="was removed on"):
        attempt_files(Attempt.objects.get())


def test_released_claims_are_deleted_after_90_days(owner: User) -> None:
    run = ended_run(owner, 400)
    now = timezone.now()
    ages = {"old": now - timedelta(days=91), "new": now - timedelta(days=89), "held": None}
    for resource, released_at in ages.items():
        Claim.objects.create(run=run, resource=resource, released_at=released_at)
    retention()
    assert set(run.claims.values_list("resource", flat=True)) == {"new", "held"}


def test_event_log_of_a_run_archived_long_ago_keeps_first_and_last_event(owner: User) -> None:
    now = timezone.now()
    old = ended_run(owner, 900, archived_at=now - timedelta(days=800))
    new = ended_run(owner, 900, archived_at=now - timedelta(days=700))
    for run in (old, new):
        RunEvent.objects.filter(run=run).delete()
        for number in range(4):
            RunEvent.objects.create(run=run, kind="test", text=f"event {number}")
    version = old.results_version
    retention()
    assert [event.text for event in old.events.all()] == ["event 0", "event 3"]
    assert new.events.count() == 4
    old.refresh_from_db()
    assert old.results_version > version


def test_an_admin_sets_a_team_s_rule(team: Team, admin_client: Client) -> None:
    address = reverse("team_edit", args=[team.pk])
    admin_client.post(address, {"name": "storage", "raw_retention_months": "0"})
    team.refresh_from_db()
    assert team.raw_retention_months == 6
    admin_client.post(address, {"name": "storage", "raw_retention_months": "24"})
    team.refresh_from_db()
    assert team.raw_retention_months == 24


def test_months_before_end_on_days_that_there_are() -> None:
    moment = datetime(2026, 3, 31, 12, tzinfo=UTC)
    assert months_before(moment, 1) == datetime(2026, 2, 28, 12, tzinfo=UTC)
    assert months_before(moment, 3) == datetime(2025, 12, 31, 12, tzinfo=UTC)
    assert months_before(moment, 25) == datetime(2024, 2, 29, 12, tzinfo=UTC)
