"""Creation of a plan by the wizard for a disk or pool."""

from __future__ import annotations

from collections.abc import Container
from itertools import count

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk, Pool
from apps.plans.domain.wizard_goals import QUESTIONS, SCHEDULERS, PlanWizard
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.selectors.io_schedulers import schedulers_of, where_of
from apps.plans.services.plans import plan_create
from apps.tuning.domain.settings import canonical
from apps.tuning.models import TuningProfile
from apps.tuning.selectors import tunings_current
from apps.tuning.services import TuningDraft, default_profile_ensure, tuning_create

LONGEST = 80
"""Letters of a name that a plan and a profile may have."""


@transaction.atomic
def wizard_plan_create(*, target: Disk | Pool, user: User, start: PlanWizard) -> TestPlan:
    """Create a plan for this target, and the tuning profiles that it lacks.

    Raises: PermissionDenied for a viewer; ServiceError (400, 409).
    """
    if isinstance(target, Disk) and not target.is_enrolled:
        raise ServiceError(_("Enrol the disk first: what is measured here writes to it."))
    unchanged = default_profile_ensure(user=user)
    tunings = [unchanged]
    if start.question == SCHEDULERS:
        where = where_of(target)
        tunings += [_scheduler(user, name, where) for name in schedulers_of(target)]
    title = f"{QUESTIONS[start.question]}: {target}"
    draft = PlanDraft(
        name=_free(title, set(TestPlan.objects.values_list("name", flat=True))),
        spec=PlanSpec(steps=tuple(start.steps), preconditioning=start.preconditioning),
        targets=[target],
        tunings=tunings,
        baseline=unchanged,
    )
    return plan_create(user=user, draft=draft)


def _scheduler(user: User, scheduler: str, where: str) -> TuningProfile:
    """Return a profile that sets this scheduler only; create it if there is none."""
    settings = [{"kind": "queue", "name": "scheduler", "value": scheduler, "scope": where}]
    canonical_settings = canonical(settings)
    for tuning in tunings_current():
        if tuple(tuning.settings) == canonical_settings:
            return tuning
    known = set(TuningProfile.objects.values_list("name", flat=True))
    draft = TuningDraft(
        name=_free(f"Scheduler {scheduler}{' behind the pool' if where else ''}", known),
        description=_("I/O scheduler {name}; everything else at host defaults.").format(
            name=scheduler
        ),
        settings=settings,
    )
    return tuning_create(user=user, draft=draft)


def _free(name: str, taken: Container[str]) -> str:
    """Return the name, with a number if it is in use."""
    short = name[: LONGEST - 5]
    return next(
        text for n in count(1) if (text := short if n == 1 else f"{short} {n}") not in taken
    )
