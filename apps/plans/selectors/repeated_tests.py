"""Drafts of plans that repeat measured workloads, such as those of an import."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.plans.domain.target_matching import runnable_tool
from apps.plans.models import Workload
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.plans import unused_name

MAX_WORKLOADS = 50


def repeated_draft(workloads: Sequence[int], name: str) -> PlanDraft:
    """Return a draft without targets whose steps repeat these workloads (ids).

    What is unknown of a workload takes the default of its parameter. Raises: ServiceError (400)
    for more than MAX_WORKLOADS, and if no plan can run any of them.
    """
    if len(workloads) > MAX_WORKLOADS:
        text = _("A plan repeats at most {limit} workloads. Narrow the results.")
        raise ServiceError(text.format(limit=MAX_WORKLOADS), status=400)
    rows = Workload.objects.filter(pk__in=workloads).order_by("pk")
    tests: dict[str, list[Workload]] = {}
    for row in rows:
        tests.setdefault(row.tool, []).append(row)
    steps = tuple(
        StepSpec(tool, params)
        for tool, known in tests.items()
        if (plugin := runnable_tool(tool)) is not None
        for params in plugin.repeated_steps([row.params for row in known])
    )
    if not steps:
        raise ServiceError(_("No plan can repeat these tests."), status=400)
    return PlanDraft(name=unused_name(name), spec=PlanSpec(steps=steps))
