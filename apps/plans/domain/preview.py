"""Preview of a launch: its cases, their expected duration, bytes written, problems and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from apps.plans.domain.advice import plan_advice
from apps.plans.domain.backgrounds import background_problems, load_cases
from apps.plans.domain.durations import NO_HISTORY, DurationModel
from apps.plans.domain.expand import plan_expand
from apps.plans.domain.load_search import searched_cases
from apps.plans.domain.plan_checks import case_problems, plan_problems, plan_warnings
from apps.plans.domain.restarts import planned_restarts
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, Preview, Totals
from apps.plans.schemas.targets import PlannedTarget


def preview_of(
    plan: PlannedPlan, *, seed: int = 0, durations: DurationModel = NO_HISTORY
) -> Preview:
    """Return cases, totals, problems and warnings of a plan, saved or not."""
    expansion = plan_expand(plan, seed=seed, durations=durations)
    cases, loads = expansion.cases, tuple(load_cases(expansion.cases))
    everything = (*cases, *loads)
    totals = replace(_totals(everything), cases=len(cases))
    blocked = [case for case in cases if case.block]
    problems = (
        *plan_problems(plan, blocked),
        *expansion.problems,
        *case_problems(plan, everything),
        *background_problems(plan, cases),
    )
    return Preview(
        cases=cases,
        seconds=totals.seconds,
        bytes_written=None if totals.open_ended else totals.bytes_written,
        by_target=tuple(_by_target(plan, cases, loads)),
        problems=tuple(dict.fromkeys(problems)),
        warnings=tuple(dict.fromkeys(plan_warnings(plan, everything))),
        advice=tuple(plan_advice(plan, cases)),
        totals=totals,
        max_totals=_max_totals(plan, cases, loads, totals),
        restarts=tuple(planned_restarts(cases)),
        loads=loads,
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
    plan: PlannedPlan, cases: Sequence[PlannedCase], loads: Sequence[PlannedCase]
) -> Iterator[tuple[PlannedTarget, Totals]]:
    by_target: dict[object, list[PlannedCase]] = {}
    for case in (*cases, *loads):
        by_target.setdefault(case.target.key, []).append(case)
    counts = Counter(case.target.key for case in cases)
    targets = {target.key: target for target in (*plan.targets, *(one.target for one in loads))}
    for key, target in targets.items():
        yield target, replace(_totals(by_target.get(key, ())), cases=counts[key])


def _max_totals(
    plan: PlannedPlan,
    cases: Sequence[PlannedCase],
    loads: Sequence[PlannedCase],
    planned: Totals,
) -> Totals | None:
    """Return the totals with all blocks or searched cases that may be added, within their hours."""
    rule = plan.spec.stopping_rule
    if not cases:
        return None
    if plan.spec.load_search_parameter:
        added = _totals(list(searched_cases(plan, cases)))
        return _sum(planned, added, plan.spec.load_search_max_hours)
    if rule is None:
        return None
    first = [case for case in cases if case.block == 1]
    block = _totals([*first, *(load for load in loads if load.block == 1)])
    block = replace(block, cases=len(first))
    count = max(0, rule.max_blocks - max(case.block for case in cases))
    return _sum(planned, block, rule.max_hours, count)


def _sum(planned: Totals, added: Totals, max_hours: float | None, count: int = 1) -> Totals:
    """Return the totals with `added` so many times; the time ends after `max_hours`."""
    seconds = planned.seconds + count * added.seconds
    if max_hours is not None:
        seconds = max(planned.seconds, min(seconds, max_hours * 3600))
    return Totals(
        cases=planned.cases + count * added.cases,
        seconds=seconds,
        bytes_written=planned.bytes_written + count * added.bytes_written,
        open_ended=planned.open_ended + count * added.open_ended,
        timed_seconds=planned.timed_seconds + count * added.timed_seconds,
        writing=planned.writing + count * added.writing,
    )
