"""The doctor names a missing or old backup."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.common.services import backup_record
from benchlab.ops.doctor.backups import backups

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("ages", "level", "part"), [
    ([], "note", "no backup"),
    ([8], "note", "8 days old"),
    ([30, 6], "ok", "is recorded"),
    ([-1], "ok", "is recorded"),
])  # fmt: skip
def test_the_age_of_the_newest_backup_counts(ages: list[int], level: str, part: str) -> None:
    for days in ages:
        made_at = timezone.now() - timedelta(days=days)
        backup_record(name="b", version="1", made_at=made_at)
    (finding,) = backups()
    assert (finding.level, part in finding.text) == (level, True)
    assert bool(finding.todo) == (level == "note")


def test_the_command_prints_it() -> None:
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", "--quiet", stdout=out)
    assert "no backup is recorded" in out.getvalue()
