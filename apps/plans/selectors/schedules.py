"""Schedules of plans: one periodic task of Celery beat for each plan, in a time zone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django_celery_beat.models import PeriodicTask

from apps.accounts.models import User
from apps.plans.models import PlanSchedule, TestPlan

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
    """The time of a plan's launches: `at` in `zone`.

    `weekday` counts from Monday as 0; None: every day.
    """

    at: time
    weekday: int | None
    set_by: User | None
    next_at: datetime
    zone: str = "UTC"
    low_priority: bool = False

    @property
    def words(self) -> str:
        """Return e.g. "every day at 02:30 UTC"."""
        day = _("every day") if self.weekday is None else _("every %(day)s") % self._day()
        values = {"day": day, "time": f"{self.at:%H:%M}", "zone": self.zone.replace("_", " ")}
        return _("%(day)s at %(time)s %(zone)s") % values

    def _day(self) -> dict[str, str]:
        return {"day": str(dict(WEEKDAYS).get(self.weekday or 0))}


def schedule_of(plan: TestPlan) -> Schedule | None:
    """Return the plan's schedule, its user, and the next launch."""
    when = _when(plan)
    if when is None:
        return None
    row = PlanSchedule.objects.select_related("set_by").filter(plan=plan).first()
    at, weekday, zone = when
    by = row.set_by if row else None
    following = next_time(at, weekday, timezone.now(), zone)
    return Schedule(at, weekday, by, following, zone, row.low_priority if row else False)


def slot_due(schedule: PlanSchedule, now: datetime) -> datetime | None:
    """Return the time for which the plan is to be launched now.

    None if that is too long ago, or the schedule was set later. Beat's clock may be slightly ahead.
    """
    when = _when(schedule.plan)
    if when is None:
        return None
    at, weekday, zone = when
    slot = last_time(at, weekday, now + EARLY, zone)
    return slot if slot > max(schedule.set_at - EARLY, now - LATE) else None


def _when(plan: TestPlan) -> tuple[time, int | None, str] | None:
    """Return time of day, weekday (None: every day) and zone."""
    task = PeriodicTask.objects.select_related("crontab").filter(name=task_name(plan)).first()
    if task is None or not task.enabled or task.crontab is None:
        return None
    day = task.crontab.day_of_week
    at = time(int(task.crontab.hour), int(task.crontab.minute))
    return at, None if day == "*" else (int(day) - 1) % 7, str(task.crontab.timezone)


def has_schedule() -> Exists:
    """Return a condition on plans: launched by a schedule."""
    name = Concat(Value(task_name()), Cast(OuterRef("pk"), CharField()))
    return Exists(PeriodicTask.objects.filter(task=TASK, enabled=True, name=name))


def next_time(at: time, weekday: int | None, now: datetime, zone: str = "UTC") -> datetime:
    """Return the first time after `now` that is `at` in the zone, on `weekday` if given."""
    return next(moment for moment in _times(at, weekday, now, zone, 1) if moment > now)


def last_time(at: time, weekday: int | None, now: datetime, zone: str = "UTC") -> datetime:
    """Return the last such time that is not after `now`."""
    return next(moment for moment in _times(at, weekday, now, zone, -1) if moment <= now)


def _times(
    at: time, weekday: int | None, now: datetime, zone: str, step: int
) -> Iterator[datetime]:
    """Yield such times around `now` in UTC, in one direction.

    As in Celery beat, a time skipped by daylight saving becomes the next hour, and of a repeated
    one the first counts.
    """
    time_zone = ZoneInfo(zone)
    today = now.astimezone(time_zone).date()
    for number in range(-1, 9):
        day = today + timedelta(days=step * number)
        if weekday is None or day.weekday() == weekday:
            yield datetime.combine(day, at, time_zone).astimezone(UTC)


def task_name(plan: TestPlan | None = None) -> str:
    """Return the name of a plan's task, or its prefix without a plan."""
    return f"plan {plan.pk if plan else ''}"
