"""Problems and warnings of a plan and of all its cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.schemas.struct_fields import struct_errors
from apps.plans.domain.case_checks import (
    cpu_problems,
    enrolment_problems,
    file_problems,
    job_warnings,
    pin_problems,
    tool_warnings,
)
from apps.plans.domain.disturbance_checks import (
    disturbance_problems,
    disturbance_warnings,
    disturbed_case_problems,
)
from apps.plans.domain.expectation_checks import expectation_problems
from apps.plans.domain.load_search import saturation_problems
from apps.plans.domain.option_checks import option_problems, version_warnings
from apps.plans.domain.owner_checks import owner_warnings
from apps.plans.domain.preconditioning import preparation_problems
from apps.plans.domain.steady_state_checks import steady_state_problems
from apps.plans.domain.stopping_rule_checks import stopping_problems
from apps.plans.domain.target_checks import (
    host_problems,
    reach_problems,
    tuning_warnings,
    unchecked_warnings,
)
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Problem
from apps.stats.repeats import MIN_REPEATS, RECOMMENDED_REPEATS


def plan_problems(plan: PlannedPlan, blocked: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield problems of the plan; `blocked`: its cases in random blocks."""
    for field, text in struct_errors(plan.spec):
        yield Problem(text, field=field)
    if not plan.spec.steps:
        yield Problem(_("A plan needs at least one step."), field="steps")
    if not plan.targets:
        text = _("Choose at least one target: a disk, a directory, a pool or a pair of hosts.")
        yield Problem(text, field="targets", saving=False)
    yield from steady_state_problems(plan.spec)
    if plan.baseline and plan.baseline not in plan.tunings:
        text = _("The baseline is none of the plan's tunings: choose it there as well.")
        yield Problem(text, field="baseline")
    yield from load_host_problems(plan)
    for target in plan.targets:
        yield from host_problems(target, plan.all_tunings)
        yield from reach_problems(plan, target)
    yield from expectation_problems(plan.spec.steps)
    yield from preparation_problems(plan)
    yield from saturation_problems(plan)
    yield from disturbance_problems(plan)
    for field, text in stopping_problems(plan, blocked):
        yield Problem(text, field=f"stopping_rule.{field}")


def load_host_problems(plan: PlannedPlan) -> Iterator[Problem]:
    """Yield problems of hosts that only a background load uses."""
    for target in plan.background_targets.values():
        if target is not None and target not in plan.targets:
            yield from host_problems(target, ())


def case_problems(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield the problems of one workload on one target, once for all repeats."""
    seen: set[tuple[int | None, str, int, int | None]] = set()
    for case in cases:
        mark = (case.step, case.workload_key, id(case.target), case.tuning.id)
        if mark not in seen:
            seen.add(mark)
            yield from enrolment_problems(case)
            yield from cpu_problems(case)
            yield from pin_problems(case)
            yield from file_problems(case)
            yield from option_problems(case)
    yield from disturbed_case_problems(plan, cases)


def plan_warnings(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Yield warnings: the launch is possible, but its results may not be useful."""
    # Also with one tuning: its results are compared with those of other runs.
    if plan.spec.planned_repeats < RECOMMENDED_REPEATS and not (
        plan.spec.steady_state or plan.spec.stopping_rule
    ):
        yield replace(Problem(_repeats_text(plan)), field="repeats", saving=False)
    for target in plan.targets:
        yield from unchecked_warnings(target)
        yield from tuning_warnings(plan, target)
    yield from job_warnings(cases)
    yield from tool_warnings(cases)
    yield from version_warnings(cases)
    yield from owner_warnings(plan, cases)
    yield from disturbance_warnings(plan, cases)


def _repeats_text(plan: PlannedPlan) -> str:
    if plan.spec.planned_repeats < MIN_REPEATS:
        text = ngettext(
            "%(repeats)d repeat: a verdict on two tunings needs at least %(least)d repeats; "
            "%(enough)d are recommended.",
            "%(repeats)d repeats: a verdict on two tunings needs at least %(least)d; "
            "%(enough)d are recommended.",
            plan.spec.planned_repeats,
        )
    else:
        text = ngettext(
            "%(repeats)d repeat can show only large differences; %(enough)d are recommended.",
            "%(repeats)d repeats can show only large differences; %(enough)d are recommended.",
            plan.spec.planned_repeats,
        )
    return text % {
        "repeats": plan.spec.planned_repeats, "least": MIN_REPEATS, "enough": RECOMMENDED_REPEATS,
    }  # fmt: skip
