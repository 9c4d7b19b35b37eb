"""Backups and retention, for the page *System*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_celery_beat.models import PeriodicTask

from apps.accounts.models import Team
from apps.accounts.services.retention import MIN_AUDIT_MONTHS
from apps.common.models import Backup

BACKUPS_SHOWN = 5
BACKUP_LATE = timedelta(days=7)
RETENTION_LATE = timedelta(days=2)
TASK_SUFFIX = ".retention"


@dataclass(frozen=True)
class Backups:
    """The newest recorded backups, and what to do if there is none of the last week."""

    rows: Sequence[Backup]
    remedy: str


@dataclass(frozen=True)
class RetentionRow:
    """What a daily task deletes, how long it stays, and when beat started the task last."""

    label: str
    period: str
    started_at: datetime | None
    remedy: str


def backups() -> Backups:
    """Return the newest recorded backups."""
    rows = list(Backup.objects.all()[:BACKUPS_SHOWN])
    return Backups(rows, _backup_remedy(rows[0].made_at if rows else None))


def _backup_remedy(newest: datetime | None) -> str:
    if newest and timezone.now() - newest < BACKUP_LATE:
        return ""
    how = _(
        "“bin/manage backup FILE” makes a backup and records it. “bin/manage record_backup NAME” "
        "records one that was made by other means."
    )
    problem = (
        _("The newest backup is older than a week.") if newest else _("No backup is recorded.")
    )
    return f"{problem} {how}"


def retention_rows() -> list[RetentionRow]:
    """Return the rules with a setting, then the others as one."""
    started = dict(
        PeriodicTask.objects.filter(task__endswith=TASK_SUFFIX, enabled=True).values_list(
            "task", "last_run_at"
        )
    )
    audit = settings.AUDIT_RETENTION_MONTHS
    series = settings.DOWNSAMPLE_AFTER_MONTHS
    rules = [
        (_("Raw output of runs"), _raw_output(), "runs"),
        (_("Samples of series, until downsampled"), _months(series), "results"),
        (_("Audit entries"), _months(max(audit, MIN_AUDIT_MONTHS) if audit else 0), "accounts"),
    ]
    rows = [
        _row(label, period, started.pop(app + TASK_SUFFIX, None)) for label, period, app in rules
    ]
    others = [moment for moment in started.values() if moment]
    oldest = min(others) if others and len(others) == len(started) else None
    return [*rows, _row(_("Everything else"), _("by fixed rules"), oldest)]


def _raw_output() -> str:
    text = _months(settings.RAW_RETENTION_MONTHS)
    teams = Team.objects.filter(raw_retention_months__isnull=False).count()
    if not teams:
        return text
    own = ngettext("%(count)d team has its own rule", "%(count)d teams have their own rule", teams)
    return f"{text}; {own % {'count': teams}}"


def _months(months: int) -> str:
    if not months:
        return _("forever")
    return ngettext("%(count)d month", "%(count)d months", months) % {"count": months}


def _row(label: str, period: str, started_at: datetime | None) -> RetentionRow:
    late = started_at is not None and timezone.now() - started_at > RETENTION_LATE
    remedy = _("It is due daily. Beat starts it: see its state above.") if late else ""
    return RetentionRow(label, period, started_at, remedy)
