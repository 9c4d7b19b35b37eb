"""What beat asks for: launching a plan on its schedule."""

from __future__ import annotations

import logging

from celery import shared_task

from apps.accounts.models import User
from apps.common.errors import Refused
from apps.plans.models import TestPlan
from apps.runs.services import run_launch

log = logging.getLogger(__name__)


@shared_task(name="runs.launch_plan")
def launch_plan(plan_id: int, user_id: int) -> None:
    """Launch a plan for the user who scheduled it, with the rights the user has now."""
    plan = TestPlan.objects.get(pk=plan_id)
    user = User.objects.get(pk=user_id)
    if not user.is_operator:
        log.warning("plan %s was not launched: %s may not launch it any more", plan, user)
        return
    try:
        run_launch(plan=plan, user=user, note="launched by its schedule")
    except Refused as error:
        log.warning("plan %s was not launched: %s", plan, error)
