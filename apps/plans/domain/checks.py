"""Problems that prevent or spoil a launch: pure functions that return sentences."""

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
    option_problems,
    pin_problems,
    tool_warnings,
)
from apps.plans.domain.duration_model import NOTHING_KNOWN, DurationModel
from apps.plans.domain.expand import plan_expand
from apps.plans.domain.expectation_checks import expectation_problems
from apps.plans.domain.load_search import saturation_problems, searched_cases
from apps.plans.domain.preconditioning import preparation_problems
from apps.plans.domain.steady_state import steady_state_problems
from apps.plans.domain.stopping_rule import stopping_problems
from apps.plans.domain.target_checks import (
    host_problems,
    reach_problems,
    tuning_warnings,
    unchecked_warnings,
)
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Preview, Problem, Totals
from apps.plans.schemas.targets import PlannedTarget

# The exact permutation test of 3 against 3 has 20 splits, so its two-sided p is never below 0.1.
MIN_REPEATS = 4
GOOD_REPEATS = 6


def preview_of(plan: PlannedPlan, *, seed: int = 0, pace: DurationModel = NOTHING_KNOWN) -> Preview:
    """Return cases, totals, problems and warnings of a plan, saved or not."""
    expansion = plan_expand(plan, seed=seed, pace=pace)
    cases = expansion.cases
    totals = _totals(cases)
    blocked = [case for case in cases if case.block]
    problems = (*_plan_problems(plan, blocked), *expansion.problems, *_case_problems(plan, cases))
    return Preview(
        cases=cases,
        seconds=totals.seconds,
        bytes_written=None if totals.open_ended else totals.bytes_written,
        by_target=tuple(_by_target(plan, cases)),
        problems=tuple(dict.fromkeys(problems)),
        warnings=tuple(dict.fromkeys(_warnings(plan, cases))),
        totals=totals,
        most=_largest_totals(plan, cases, totals),
    )


def _totals(cases: Sequence[PlannedCase]) -> Totals:
    return Totals(
        cases=len(cases),
        seconds=sum(case.seconds for case in cases),
        bytes_written=sum(case.bytes_written or 0 for case in cases),
        open_ended=sum(case.bytes_written is None for case in cases),
        timed_seconds=sum(case.timed_seconds for case in cases),
        writing=sum(case.writes for case in cases),
    )


def _by_target(
    plan: PlannedPlan, cases: Sequence[PlannedCase]
) -> Iterator[tuple[PlannedTarget, Totals]]:
    mine: dict[int, list[PlannedCase]] = {}
    for case in cases:
        mine.setdefault(id(case.target), []).append(case)
    for target in plan.targets:
        yield target, _totals(mine.get(id(target), ()))


def _largest_totals(
    plan: PlannedPlan, cases: Sequence[PlannedCase], least: Totals
) -> Totals | None:
    """Return the totals with every block that may be added, within the limit of time."""
    if cases and plan.spec.load_search_parameter:
        most = _summed(least, _totals(list(searched_cases(plan, cases))))
        seconds = _within(plan.spec.load_search_max_hours, least.seconds, most.seconds)
        return replace(most, seconds=seconds)
    rule = plan.spec.stopping_rule
    if rule is None or not cases:
        return None
    blocks = max(case.block for case in cases)
    one = _totals([case for case in cases if case.block == 1])
    more = max(0, rule.max_blocks - blocks)
    seconds = _within(rule.max_hours, least.seconds, least.seconds + more * one.seconds)
    return Totals(
        cases=least.cases + more * one.cases,
        seconds=seconds,
        bytes_written=least.bytes_written + more * one.bytes_written,
        open_ended=least.open_ended + more * one.open_ended,
        timed_seconds=least.timed_seconds + more * one.timed_seconds,
        writing=least.writing + more * one.writing,
    )


def _within(hours: float | None, least: float, most: float) -> float:
    """Return the seconds of a plan whose later blocks end by a limit of time."""
    return most if hours is None else max(least, min(most, hours * 3600))


def _summed(least: Totals, more: Totals) -> Totals:
    return Totals(
        cases=least.cases + more.cases,
        seconds=least.seconds + more.seconds,
        bytes_written=least.bytes_written + more.bytes_written,
        open_ended=least.open_ended + more.open_ended,
        timed_seconds=least.timed_seconds + more.timed_seconds,
        writing=least.writing + more.writing,
    )


def _plan_problems(plan: PlannedPlan, blocked: Sequence[PlannedCase]) -> Iterator[Problem]:
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
    for target in plan.targets:
        yield from host_problems(target, plan.all_tunings)
        yield from reach_problems(plan, target)
    yield from expectation_problems(plan.spec.steps)
    yield from preparation_problems(plan)
    yield from saturation_problems(plan)
    for field, text in stopping_problems(plan, blocked):
        yield Problem(text, field=f"stopping_rule.{field}")


def _case_problems(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Return the problems of one workload on one target, once for all repeats."""
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


def _warnings(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    if plan.spec.planned_repeats < GOOD_REPEATS and not (
        plan.spec.steady_state or plan.spec.stopping_rule
    ):
        yield replace(Problem(_repeats_text(plan)), field="repeats", saving=False)
    for target in plan.targets:
        yield from unchecked_warnings(target)
        yield from tuning_warnings(plan, target)
    yield from job_warnings(cases)
    yield from tool_warnings(cases)


def _repeats_text(plan: PlannedPlan) -> str:
    if plan.spec.planned_repeats < MIN_REPEATS:
        text = ngettext(
            "%(repeats)d repeat: no comparison of two tunings can give a verdict "
            "(3 against 3 can never tell). %(enough)d are recommended.",
            "%(repeats)d repeats: no comparison of two tunings can give a verdict "
            "(3 against 3 can never tell). %(enough)d are recommended.",
            plan.spec.planned_repeats,
        )
    else:
        text = ngettext(
            "%(repeats)d repeat can show only large differences; %(enough)d are recommended.",
            "%(repeats)d repeats can show only large differences; %(enough)d are recommended.",
            plan.spec.planned_repeats,
        )
    return text % {"repeats": plan.spec.planned_repeats, "enough": GOOD_REPEATS}
