"""Launching a plan by the clock of a place: one periodic task of beat for each plan."""

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
    """When a plan is launched: `at` on the clock of `zone`. `weekday` counts from Monday as 0; None
    means every day.
    """

    at: time
    weekday: int | None
    set_by: User | None
    next_at: datetime
    zone: str = "UTC"

    @property
    def words(self) -> str:
        """ "every day at 02:30 UTC" """
        day = _("every day") if self.weekday is None else _("every %(day)s") % self._day()
        told = {"day": day, "time": f"{self.at:%H:%M}", "zone": self.zone.replace("_", " ")}
        return _("%(day)s at %(time)s %(zone)s") % told

    def _day(self) -> dict[str, str]:
        return {"day": str(dict(WEEKDAYS).get(self.weekday or 0))}


def schedule_of(plan: TestPlan) -> Schedule | None:
    """The plan's schedule, who set it, and when it is launched next."""
    when = _when(plan)
    if when is None:
        return None
    row = PlanSchedule.objects.select_related("set_by").filter(plan=plan).first()
    at, weekday, zone = when
    by = row.set_by if row else None
    return Schedule(at, weekday, by, next_time(at, weekday, timezone.now(), zone), zone)


def slot_due(schedule: PlanSchedule, now: datetime) -> datetime | None:
    """The moment for which the plan is to be launched now; None when that is too long ago, or the
    schedule was set later than that. Beat's clock may be a little ahead of ours.
    """
    when = _when(schedule.plan)
    if when is None:
        return None
    at, weekday, zone = when
    slot = last_time(at, weekday, now + EARLY, zone)
    return slot if slot > max(schedule.set_at - EARLY, now - LATE) else None


def _when(plan: TestPlan) -> tuple[time, int | None, str] | None:
    """At what time, on which weekday (None: every day), on the clock of which zone."""
    task = PeriodicTask.objects.select_related("crontab").filter(name=task_name(plan)).first()
    if task is None or not task.enabled or task.crontab is None:
        return None
    day = task.crontab.day_of_week
    at = time(int(task.crontab.hour), int(task.crontab.minute))
    return at, None if day == "*" else (int(day) - 1) % 7, str(task.crontab.timezone)


def has_schedule() -> Exists:
    """A condition on plans: launched by the clock."""
    name = Concat(Value(task_name()), Cast(OuterRef("pk"), CharField()))
    return Exists(PeriodicTask.objects.filter(task=TASK, enabled=True, name=name))


def next_time(at: time, weekday: int | None, now: datetime, zone: str = "UTC") -> datetime:
    """The first moment after `now` that is `at` in the zone, on `weekday` if one is given."""
    return next(moment for moment in _times(at, weekday, now, zone, 1) if moment > now)


def last_time(at: time, weekday: int | None, now: datetime, zone: str = "UTC") -> datetime:
    """The last such moment that is not after `now`."""
    return next(moment for moment in _times(at, weekday, now, zone, -1) if moment <= now)


def _times(
    at: time, weekday: int | None, now: datetime, zone: str, step: int
) -> Iterator[datetime]:
    """Such moments of the days around `now`, in UTC, one way in time. An hour that summer skips is
    the next one, and of one that winter has twice the first counts, as beat has it.
    """
    place = ZoneInfo(zone)
    today = now.astimezone(place).date()
    for number in range(-1, 9):
        day = today + timedelta(days=step * number)
        if weekday is None or day.weekday() == weekday:
            yield datetime.combine(day, at, place).astimezone(UTC)


def task_name(plan: TestPlan | None = None) -> str:
    """The name of a plan's task, or what it begins with."""
    return f"plan {plan.pk if plan else ''}"
