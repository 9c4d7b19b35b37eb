"""Launching a plan by the clock: one periodic task of beat for each plan, always in UTC."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from apps.accounts.models import User
from apps.accounts.services import audit_record

from .errors import PlanError
from .models import PlanSchedule, TestPlan

TASK = "runs.launch_plan"
# How long after its moment a launch is still wanted, and how far clocks of several machines may
# differ.
LATE = timedelta(hours=1)
EARLY = timedelta(minutes=2)
# cron(5) counts the days of a week from Sunday, Python from Monday.
WEEKDAYS = (
    (0, lazy("Monday")), (1, lazy("Tuesday")), (2, lazy("Wednesday")), (3, lazy("Thursday")),
    (4, lazy("Friday")), (5, lazy("Saturday")), (6, lazy("Sunday")),
)  # fmt: skip


@dataclass(frozen=True)
class Schedule:
    """When a plan is launched. `weekday` counts from Monday as 0; None means every day."""

    at: time
    weekday: int | None
    set_by: User | None
    next_at: datetime

    @property
    def words(self) -> str:
        """ "every day at 02:30 UTC" """
        day = _("every day") if self.weekday is None else _("every %(day)s") % self._day()
        return _("%(day)s at %(time)s UTC") % {"day": day, "time": f"{self.at:%H:%M}"}

    def _day(self) -> dict[str, str]:
        return {"day": str(dict(WEEKDAYS).get(self.weekday or 0))}


@transaction.atomic
def schedule_set(*, plan: TestPlan, user: User, at: time, weekday: int | None = None) -> Schedule:
    """Launch the plan at `at` (UTC) every day, or every week on `weekday`, with the user's rights.

    Replaces the plan's earlier schedule. Raises PermissionDenied and PlanError.
    """
    _require_editable(plan, user)
    if plan.archived_at:
        raise PlanError(_("This plan is archived: restore it before scheduling it."))
    if weekday is not None and weekday not in dict(WEEKDAYS):
        text = _("A weekday is a number from 0 (Monday) to 6 (Sunday).")
        raise PlanError(text, {"weekday": text}, status=400)
    day = "*" if weekday is None else str((weekday + 1) % 7)
    when, _made = CrontabSchedule.objects.get_or_create(
        minute=str(at.minute), hour=str(at.hour), day_of_week=day,
        day_of_month="*", month_of_year="*", timezone="UTC",
    )  # fmt: skip
    PeriodicTask.objects.update_or_create(
        name=_task_name(plan),
        defaults={
            "task": TASK, "crontab": when, "enabled": True, "one_off": False,
            "args": json.dumps([plan.pk]), "expire_seconds": int(LATE.total_seconds()),
        },
    )  # fmt: skip
    PlanSchedule.objects.update_or_create(
        plan=plan, defaults={"set_by": user, "set_at": timezone.now()}
    )
    audit_record(user=user, verb="schedule", subject=plan, at=f"{at:%H:%M} UTC", weekday=weekday)
    return Schedule(at, weekday, user, next_time(at, weekday, timezone.now()))


@transaction.atomic
def schedule_clear(*, plan: TestPlan, user: User) -> bool:
    """No launches by the clock any more. Returns whether there were any."""
    _require_editable(plan, user)
    count, _rows = PeriodicTask.objects.filter(name=_task_name(plan)).delete()
    PlanSchedule.objects.filter(plan=plan).delete()
    if count:
        audit_record(user=user, verb="unschedule", subject=plan)
    return bool(count)


def schedule_of(plan: TestPlan) -> Schedule | None:
    """The plan's schedule, who set it, and when it is launched next."""
    when = _when(plan)
    if when is None:
        return None
    row = PlanSchedule.objects.select_related("set_by").filter(plan=plan).first()
    return Schedule(*when, row.set_by if row else None, next_time(*when, timezone.now()))


def slot_due(schedule: PlanSchedule, now: datetime) -> datetime | None:
    """The moment for which the plan is to be launched now; None when that is too long ago, or the
    schedule was set later than that. Beat's clock may be a little ahead of ours.
    """
    when = _when(schedule.plan)
    if when is None:
        return None
    slot = next_time(*when, now + EARLY) - timedelta(days=1 if when[1] is None else 7)
    return slot if slot > max(schedule.set_at - EARLY, now - LATE) else None


def _when(plan: TestPlan) -> tuple[time, int | None] | None:
    """At what time (UTC), on which weekday (None: every day)."""
    task = PeriodicTask.objects.select_related("crontab").filter(name=_task_name(plan)).first()
    if task is None or not task.enabled or task.crontab is None:
        return None
    day = task.crontab.day_of_week
    at = time(int(task.crontab.hour), int(task.crontab.minute))
    return at, None if day == "*" else (int(day) - 1) % 7


def has_schedule() -> Exists:
    """A condition on plans: launched by the clock."""
    name = Concat(Value(_task_name()), Cast(OuterRef("pk"), CharField()))
    return Exists(PeriodicTask.objects.filter(task=TASK, enabled=True, name=name))


def next_time(at: time, weekday: int | None, now: datetime) -> datetime:
    """The first moment after `now` that is `at` in UTC, on `weekday` if one is given."""
    now = now.astimezone(UTC)
    moment = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    days = 0 if weekday is None else (weekday - moment.weekday()) % 7
    moment += timedelta(days=days)
    step = timedelta(days=1 if weekday is None else 7)
    return moment if moment > now else moment + step


def _task_name(plan: TestPlan | None = None) -> str:
    """The name of a plan's task, or what it begins with."""
    return f"plan {plan.pk if plan else ''}"


def _require_editable(plan: TestPlan, user: User) -> None:
    if not plan.is_editable(user):
        raise PermissionDenied
