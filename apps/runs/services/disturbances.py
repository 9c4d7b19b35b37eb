"""Confirm the disturbance of a launch."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.plans.schemas.planned import PlannedPlan


def require_disturbance_confirmed(plan: PlannedPlan, typed: str) -> None:
    """Check that the name of the pool was typed, if the plan disturbs its cluster.

    Raises: ServiceError (400).
    """
    pools = [target.identity for target in plan.targets]
    if plan.spec.disturbance and typed.strip() not in pools:
        text = _("This plan disturbs a Ceph cluster: type the name of the pool to launch it.")
        raise ServiceError(text, {"confirm_disturbance": text}, status=400)
