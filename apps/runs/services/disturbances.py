"""Confirm the disturbance of a launch."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.plans.schemas.disturbance import MD_FAIL
from apps.plans.schemas.planned import PlannedPlan


def require_disturbance_confirmed(plan: PlannedPlan, typed: str) -> None:
    """Check that the name of the pool, or the identity of the failing disk, was typed.

    Raises: ServiceError (400).
    """
    wanted = plan.spec.disturbance
    if wanted.kind == MD_FAIL:
        if typed.strip() != wanted.member:
            text = _("This plan lets a disk of an array fail: type its identity to launch it.")
            raise ServiceError(text, {"confirm_disturbance": text}, status=400)
        return
    pools = [target.identity for target in plan.targets]
    if wanted and typed.strip() not in pools:
        text = _("This plan disturbs a Ceph cluster: type the name of the pool to launch it.")
        raise ServiceError(text, {"confirm_disturbance": text}, status=400)
