"""Tasks started by beat: scheduled launches, bookings, forecasts and retention."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from apps.blobs.services.blobs import stray_files_delete
from apps.common.errors import ServiceError
from apps.common.services import retention_apply
from apps.plans.models import PlanSchedule
from apps.plans.selectors.schedules import slot_due
from apps.runs.models import Priority
from apps.runs.selectors.queue import is_key_used, waits_for_first_start
from apps.runs.services.bookings import bookings_extend, requests_begin
from apps.runs.services.forecasts import forecasts_record
from apps.runs.services.retention import RETENTION
from apps.runs.services.runs import SCHEDULE_KEYS, run_launch

log = logging.getLogger(__name__)


@shared_task(name="runs.retention")
def retention() -> None:
    """Apply the retention rules; delete files of external storages that no blob has."""
    retention_apply(RETENTION)
    stray_files_delete()


@shared_task(name="runs.forecast")
def forecast() -> None:
    """Store the first forecasts of queued runs."""
    forecasts_record()


@shared_task(name="runs.bookings")
def bookings() -> None:
    """Extend bookings for which nobody waits, and begin requested ones."""
    bookings_extend()
    requests_begin()


@shared_task(name="runs.launch_plan")
def launch_plan(plan_id: int) -> None:
    """Launch a plan for the user who scheduled it, with their current permissions.

    Idempotent: each slot of a schedule launches once, and only if the database has it as due. While
    the last scheduled run waits for its first start, for example for a host on hold, none is added.
    """
    result = PlanSchedule.objects.select_related("plan", "set_by").filter(plan=plan_id).first()
    slot = slot_due(result, timezone.now()) if result is not None else None
    if result is None or slot is None:
        log.warning("plan %s was not launched: nothing of it is due by the clock now", plan_id)
        return
    user = result.set_by
    if not (user.is_active and user.is_operator):
        log.warning("plan %s was not launched: %s may not launch it any more", result.plan, user)
        return
    if waits_for_first_start(f"{SCHEDULE_KEYS}{plan_id}:"):
        log.warning("plan %s was not launched: its last scheduled run waits still", result.plan)
        return
    priority = Priority.LOW if result.low_priority else Priority.NORMAL
    key = f"{SCHEDULE_KEYS}{plan_id}:{slot:%Y-%m-%dT%H:%MZ}"
    if is_key_used(key):  # also by whoever set the schedule before
        return
    try:
        run_launch(
            plan=result.plan,
            user=user,
            note="launched by its schedule",
            idempotency_key=key,
            priority=priority,
        )
    except ServiceError as error:
        log.warning("plan %s was not launched: %s", result.plan, error)
