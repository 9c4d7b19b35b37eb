"""`manage.py record_backup`, and the records that stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.common.models import Backup
from apps.common.services import backup_record
from apps.common.services.backups import NEWEST
from benchlab.version import VERSION

pytestmark = pytest.mark.django_db


def test_command_records_a_backup_of_other_means() -> None:
    made = "2026-01-31T04:00:00+00:00"
    call_command("record_backup", "benchlab.dump", "--size", "1024", "--made", made)
    row = Backup.objects.get()
    assert (row.name, row.size_bytes, row.version) == ("benchlab.dump", 1024, VERSION)
    assert row.made_at == datetime(2026, 1, 31, 4, tzinfo=UTC)


def test_command_takes_a_time_without_zone_as_utc_and_defaults_to_now() -> None:
    call_command("record_backup", "a", "--made", "2026-01-31 04:00")
    assert Backup.objects.get().made_at == datetime(2026, 1, 31, 4, tzinfo=UTC)
    call_command("record_backup", "b")
    assert timezone.now() - Backup.objects.get(name="b").made_at < timedelta(minutes=1)
    assert Backup.objects.get(name="b").size_bytes is None


@pytest.mark.parametrize(
    "wrong", [("--made", "yesterday"), ("--made", "2999-01-01"), ("--size", "-1")]
)
def test_command_refuses_what_cannot_be(wrong: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        call_command("record_backup", "a", *wrong)
    assert not Backup.objects.exists()


def test_newest_records_stay() -> None:
    now = timezone.now()
    for day in range(NEWEST + 3):
        made = now - timedelta(days=day)
        backup_record(name=str(day), version="1", made_at=made)
    assert {int(row.name) for row in Backup.objects.all()} == set(range(NEWEST))


def test_long_name_is_cut() -> None:
    assert len(backup_record(name="x" * 500, version="1").name) == 300
