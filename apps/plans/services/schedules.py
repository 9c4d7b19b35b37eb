"""Set and clear the schedule of a plan: one periodic task of Celery beat for each plan.

The task is `runs.tasks.launch_plan`, which launches the plan with the rights of the user.
"""

from __future__ import annotations

import json
from datetime import time

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.common.domain.preferences import zones
from apps.plans.models import PlanSchedule, TestPlan
from apps.plans.schemas.errors import PlanError
from apps.plans.selectors.schedules import LATE, TASK, WEEKDAYS, Schedule, next_time, task_name


@transaction.atomic
def schedule_set(
    *,
    plan: TestPlan,
    user: User,
    at: time,
    weekday: int | None = None,
    zone: str = "UTC",
    low_priority: bool = False,
) -> Schedule:
    """Launch the plan at time `at` in `zone`, daily or on `weekday`, with the user's rights.

    With `low_priority` its runs let others pass. The time follows daylight saving. Replaces an
    earlier schedule. Raises: PermissionDenied; PlanError.
    """
    plan = lock_editable(plan, user)
    _check(plan, weekday, zone)
    day = "*" if weekday is None else str((weekday + 1) % 7)
    when, _made = CrontabSchedule.objects.get_or_create(
        minute=str(at.minute), hour=str(at.hour), day_of_week=day,
        day_of_month="*", month_of_year="*", timezone=zone,
    )  # fmt: skip
    PeriodicTask.objects.update_or_create(
        name=task_name(plan),
        defaults={
            "task": TASK, "crontab": when, "enabled": True, "one_off": False,
            "args": json.dumps([plan.pk]), "expire_seconds": int(LATE.total_seconds()),
        },
    )  # fmt: skip
    PlanSchedule.objects.update_or_create(
        plan=plan, defaults={"set_by": user, "set_at": timezone.now(), "low_priority": low_priority}
    )
    audit_record(
        user=user,
        action="schedule",
        subject=plan,
        at=f"{at:%H:%M} {zone}",
        weekday=weekday,
        low_priority=low_priority,
    )
    following = next_time(at, weekday, timezone.now(), zone)
    return Schedule(at, weekday, user, following, zone, low_priority)


def _check(plan: TestPlan, weekday: int | None, zone: str) -> None:
    """Refuse a schedule that the plan cannot have. Raises: PlanError."""
    if plan.archived_at:
        raise PlanError(_("This plan is archived: restore it before scheduling it."))
    if plan.spec.disturbance:
        text = _("A disturbance needs a typed name at each launch: launch this plan by hand.")
        raise PlanError(text)
    if weekday is not None and weekday not in dict(WEEKDAYS):
        text = _("A weekday is a number from 0 (Monday) to 6 (Sunday).")
        raise PlanError(text, {"weekday": text}, status=400)
    if zone not in zones():
        text = _("There is no such time zone.")
        raise PlanError(text, {"zone": text}, status=400)


@transaction.atomic
def schedule_clear(*, plan: TestPlan, user: User) -> bool:
    """Remove the schedule; return True if there was one."""
    plan = lock_editable(plan, user)
    count, _rows = PeriodicTask.objects.filter(name=task_name(plan)).delete()
    PlanSchedule.objects.filter(plan=plan).delete()
    if count:
        audit_record(user=user, action="unschedule", subject=plan)
    return bool(count)
