"""The doctor names what is wrong, and says nothing bad of what is well."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from apps.accounts.models import Role
from apps.accounts.tests.factories import create_user
from apps.blobs.domain.names import storage_name
from apps.blobs.models import BlobStore
from apps.blobs.selectors import storage_for
from apps.inventory.models import Host
from apps.inventory.schemas.unrestored_settings import UnrestoredSettings
from apps.inventory.services import credential_create
from apps.inventory.tests.factories import create_directory
from apps.runs.models import AbandonedAttempt, AttemptState, Case, Heartbeat, Run, RunState
from apps.runs.services.artifacts import artifact_of
from apps.runs.services.heartbeats import heartbeat_record
from apps.runs.tests.factories import create_attempt, create_host, create_run
from benchlab.ops.doctor.artifacts import artifacts
from benchlab.ops.doctor.hosts import hosts, keys
from benchlab.ops.doctor.runs import runs
from benchlab.ops.doctor.servers import broker, database, processes
from benchlab.ops.findings import Finding
from tests.harness.s3_fixtures import storage_options

pytestmark = pytest.mark.django_db
LOAN: UnrestoredSettings = {"attempt": "a", "since": None, "why": "", "settings": []}


def bad(found: list[Finding]) -> list[str]:
    assert all(finding.todo for finding in found if finding.level != "ok")
    return [finding.text for finding in found if finding.level != "ok"]


def started_run() -> Run:
    owner = create_user(role=Role.OPERATOR)
    run = create_run(owner=owner, target=create_directory(owner=owner))
    Run.objects.filter(pk=run.pk).update(
        state=RunState.RUNNING, lease_until=timezone.now() + timedelta(seconds=15)
    )
    return run


def test_servers_that_answer_are_well(settings: Settings) -> None:
    assert bad(database()) == []
    assert bad(broker()) == []
    settings.REDIS_URL = "unix:///nowhere.sock?db=0"
    assert "broker does not answer" in bad(broker())[0]


def test_tables_of_another_version_are_told() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'mfa'")
        cursor.execute("UPDATE benchlab_version SET migrations = 'another'")
    lacks, other = bad(database())
    assert "mfa 0001_initial" in lacks
    assert "another development version" in other


def test_processes_are_checked_by_their_heartbeat() -> None:
    assert len(bad(processes())) == 3
    for part in Heartbeat.Component:
        heartbeat_record(part, "here:1")
    assert bad(processes()) == []


def test_keys_that_nothing_opens_are_named(settings: Settings) -> None:
    credential_create(user=create_user(role=Role.ADMIN), name="lab key")
    assert bad(keys()) == []
    settings.BENCHLAB_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert "lab key" in bad(keys())[0]


def test_hosts_in_use_are_told_with_what_their_check_said() -> None:
    fields = {"health": Host.Health.OK, "health_text": ""}
    create_host(name="well", **fields)
    create_host(name="off", enabled=False, health=Host.Health.UNREACHABLE)
    assert bad(hosts()) == []
    create_host(name="gone", health=Host.Health.UNREACHABLE, health_text="No route to host.")
    create_host(name="late", health=Host.Health.WARNING, health_text="Its clock is 5 s behind.")
    create_host(name="new", health=Host.Health.UNCHECKED)
    create_host(name="owing", health=Host.Health.UNREACHABLE, unrestored_settings=[LOAN])
    gone, late, new, away, owing = bad(hosts())
    assert "owing is not reached" in away
    assert "owing: 1 ended tests still have settings on loan" in owing
    assert "gone" in gone
    assert "No route to host." in gone
    assert "5 s behind" in late
    assert "new" in new


def test_a_run_that_is_looked_after_is_well() -> None:
    run = started_run()
    create_attempt(Case.objects.filter(run=run)[0], state=AttemptState.RUNNING)
    assert bad(runs()) == []


def test_runs_without_worker_contact_or_end_are_told() -> None:
    run, long_ago = started_run(), timezone.now() - timedelta(days=2)
    Run.objects.filter(pk=run.pk).update(lease_until=long_ago)
    attempt = create_attempt(
        Case.objects.filter(run=run)[0], state=AttemptState.RUNNING, contact_lost_since=long_ago
    )
    run.claims.create(resource="disk:x")
    assert [text.split()[0] for text in bad(runs())] == ["run", "run"]
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED, lease_until=None)
    told = bad(runs())
    assert any(str(attempt.pk) in text and "is open" in text for text in told)
    assert any("disk:x is still held" in text for text in told)
    AbandonedAttempt.objects.create(
        attempt=attempt, host=create_host(), resources=["disk:x"], reason="gone"
    )
    told = bad(runs())
    assert any("abandoned" in text for text in told)
    assert not any("disk:x is still held" in text for text in told)


def test_job_folders_left_on_a_host_are_told() -> None:
    run, long_ago = started_run(), timezone.now() - timedelta(days=2)
    create_attempt(
        Case.objects.filter(run=run)[0],
        state=AttemptState.FAILED,
        contact_at=long_ago,
        ended_at=long_ago,
        host_files_removed_at=None,
    )
    assert "1 job folders" in bad(runs())[0]


def test_the_command_ends_with_1_when_something_is_wrong(
    tmp_path: Path, settings: Settings
) -> None:
    settings.HOME = tmp_path
    (tmp_path / "logs").mkdir(mode=0o755)
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=out)
    assert ended.value.code == 1
    assert f"{tmp_path / 'logs'} has mode 0755" in out.getvalue()
    assert "the database answers" in out.getvalue()
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", quiet=True, stdout=out)
    assert "the database answers" not in out.getvalue()


def test_raw_output_that_is_not_there_is_told(tmp_path: Path, settings: Settings) -> None:
    settings.ARTIFACT_STORE = BlobStore.FILES
    storage_options(settings, "artifacts-files", {"location": tmp_path / "artifacts"})
    attempt = create_attempt(Case.objects.filter(run=started_run())[0])
    for name in ("kept", "lost"):
        artifact_of(attempt, name, name.encode()).save()
    assert not bad(artifacts())
    lost = storage_name(attempt.artifacts.get(name="lost").sha256)
    storage_for(BlobStore.FILES).delete(lost)
    assert "1 files of raw output are missing" in bad(artifacts())[0]
    storage_options(settings, "artifacts-files", {"location": tmp_path / "elsewhere"})
    assert "elsewhere, which holds raw output, is not there" in bad(artifacts())[0]


def test_a_bucket_that_lost_something_is_told(settings: Settings, bucket: str) -> None:
    settings.ARTIFACT_STORE = BlobStore.S3
    assert not bad(artifacts())
    attempt = create_attempt(Case.objects.filter(run=started_run())[0])
    for name in ("kept", "lost"):
        artifact_of(attempt, name, name.encode()).save()
    assert not bad(artifacts())
    storage_for(BlobStore.S3).delete(storage_name(attempt.artifacts.get(name="lost").sha256))
    assert "1 of the newest 2 files of raw output are not in the bucket" in bad(artifacts())[0]
    storage_options(settings, "artifacts-s3", {"bucket_name": ""})
    assert "BENCHLAB_S3_BUCKET" in bad(artifacts())[0]
