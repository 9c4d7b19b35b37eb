"""Checks of plans whose runs add blocks until every comparison is precise enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.common.schemas.struct_fields import struct_errors
from apps.plans.domain.exchangeable_levels import max_levels, permutation_groups, permutation_key
from apps.plans.schemas.factors import PARAM, TARGET, TUNING, is_factor
from apps.plans.schemas.planned import PlannedCase, PlannedPlan
from apps.plans.schemas.stopping import PrecisionLimits
from apps.stats.repeats import MIN_REPEATS


def limit_errors(limits: PrecisionLimits) -> dict[str, str]:
    """Return a sentence for each limit outside its range, by the field's name."""
    errors = dict(struct_errors(limits))
    if not is_factor(limits.factor):
        errors["factor"] = _("Decide between tuning, target, host, or a parameter: param:iodepth.")
    return errors


def too_few_levels(factor: str) -> str:
    """Return the problem of a factor with one level only."""
    if factor == TUNING:
        return _("A precision limit needs at least two tuning profiles to compare.")
    if factor.startswith(PARAM):
        words = _("Deciding between values of %(name)s needs a step that lists two of them.")
        return words % {"name": factor.removeprefix(PARAM)}
    if factor == TARGET:
        return _("Deciding between targets needs two that do the same test.")
    return _("Deciding between hosts needs two that do the same test.")


def stopping_problems(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[tuple[str, str]]:
    """Yield field and problem of a plan that has nothing to compare.

    `cases` are those in blocks.
    """
    limits = plan.spec.stopping_rule
    if limits is None:
        return
    yield from (errors := limit_errors(limits)).items()
    if "factor" not in errors and tests_compared(cases, limits.factor)[1] < 2:
        field = "precision_percent" if limits.factor == TUNING else "factor"
        yield field, too_few_levels(limits.factor)
    if plan.spec.planned_order != "interleaved":
        yield (
            "precision_percent",
            _("A precision limit needs the interleaved order."),
        )
    if plan.spec.planned_repeats < MIN_REPEATS:
        words = _("A precision limit needs at least %(least)d repeats to begin with.")
        yield "precision_percent", words % {"least": MIN_REPEATS}
    elif limits.max_blocks < (planned := max((case.block for case in cases), default=0)):
        words = _("The plan begins with %(planned)d blocks: the limit cannot be below.")
        yield "max_blocks", words % {"planned": planned}


def tests_compared(cases: Sequence[PlannedCase], factor: str) -> tuple[int, int]:
    """Return the tests that compare levels of the factor, and the largest number of levels."""

    def key(case: PlannedCase) -> object:
        return permutation_key(factor, case.step, case.tool, case.params, case.target.key)

    def level(case: PlannedCase) -> object:
        if factor.startswith(PARAM):
            return str(case.params.get(factor.removeprefix(PARAM)))
        if factor == TARGET:
            return case.target.key
        return case.tuning.name if factor == TUNING else case.target.host_id

    groups = permutation_groups(cases, key)
    return len(groups), max_levels(groups, level)
