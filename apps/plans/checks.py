"""What would stop or spoil a plan before it starts: pure functions that return sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from apps.tools.params import cpu_numbers

from .data import PlanData, PlannedCase, Preview, Problem, TargetData, Totals
from .expand import plan_expand

# The exact permutation test of 3 against 3 has 20 splits, so its two-sided p is never below 0.1.
LEAST_REPEATS = 4
GOOD_REPEATS = 6


def preview_of(plan: PlanData, *, seed: int = 0) -> Preview:
    """Cases, totals, problems and warnings of a plan that may never have been saved."""
    expansion = plan_expand(plan, seed=seed)
    cases = expansion.cases
    totals = _totals(cases)
    problems = (*_plan_problems(plan), *expansion.problems, *_case_problems(plan, cases))
    return Preview(
        cases=cases,
        seconds=totals.seconds,
        bytes_written=None if totals.open_ended else totals.bytes_written,
        by_target=tuple(_by_target(plan, cases)),
        problems=tuple(dict.fromkeys(problems)),
        warnings=tuple(dict.fromkeys(_warnings(plan))),
        totals=totals,
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


def _by_target(plan: PlanData, cases: Sequence[PlannedCase]) -> Iterator[tuple[TargetData, Totals]]:
    for target in plan.targets:
        yield target, _totals([case for case in cases if case.target is target])


def _plan_problems(plan: PlanData) -> Iterator[Problem]:
    if not plan.steps:
        yield Problem("A plan needs at least one step.", field="steps")
    if not plan.targets:
        text = "Choose at least one disk or directory to test."
        yield Problem(text, field="targets", saving=False)
    tuned = any(tuning.settings for tuning in plan.tunings)
    for target in plan.targets:
        yield from _host_problems(target, tuned)


def _host_problems(target: TargetData, tuned: bool) -> Iterator[Problem]:
    host = target.host
    if not host.enabled:
        text = f"The host {host.name} is switched off in benchlab."
        yield Problem(text, field="targets", saving=False)
    if host.root:
        return
    if target.kind == "disk":
        text = f"{target.label}: a disk needs root, and benchlab has no root on {host.name}."
        yield Problem(text, field="targets")
    if tuned:
        text = f"Tuning needs root, and benchlab has no root on {host.name}."
        yield Problem(text, field="tunings")


def _case_problems(plan: PlanData, cases: Sequence[PlannedCase]) -> Iterator[Problem]:
    """Problems of one workload on one target; every repeat and tuning of it would say the same."""
    seen: set[tuple[int, str, int]] = set()
    for case in cases:
        mark = (case.step, case.workload_key, id(case.target))
        if mark not in seen:
            seen.add(mark)
            yield from _enrolment(case)
            yield from _cpus(case)


def _enrolment(case: PlannedCase) -> Iterator[Problem]:
    if case.writes and case.target.kind == "disk" and not case.target.enrolled:
        field = "rw" if "rw" in case.params else ""
        text = (
            f"{case.target.label} is not enrolled as expendable, and this step destroys its data."
        )
        yield Problem(text, case.step, field)


def _cpus(case: PlannedCase) -> Iterator[Problem]:
    host = case.target.host
    jobs = case.params.get("numjobs")
    if host.cpu_count is None:
        return
    if isinstance(jobs, int) and jobs > host.cpu_count:
        text = f"{jobs} jobs, but {host.name} has {_cpu_words(host.cpu_count)}."
        yield Problem(text, case.step, "numjobs")
    chosen = case.params.get("cpus_allowed")
    last = max(cpu_numbers(chosen)) if isinstance(chosen, str) and chosen else 0
    if last >= host.cpu_count:
        text = f"CPU {last}, but {host.name} has {_cpu_words(host.cpu_count)}, counted from 0."
        yield Problem(text, case.step, "cpus_allowed")


def _cpu_words(count: int) -> str:
    return "1 CPU" if count == 1 else f"{count} CPUs"


def _warnings(plan: PlanData) -> Iterator[Problem]:
    if plan.repeats < GOOD_REPEATS:
        yield replace(Problem(_repeats_text(plan)), field="repeats", saving=False)
    for target in plan.targets:
        yield from _tool_warnings(plan, target)
        yield from _scheduler_warnings(plan, target)


def _repeats_text(plan: PlanData) -> str:
    times = "1 repeat" if plan.repeats == 1 else f"{plan.repeats} repeats"
    if plan.repeats < LEAST_REPEATS:
        return (
            f"{times}: no comparison of two tunings can give a verdict "
            f"(3 against 3 can never tell). {GOOD_REPEATS} are recommended."
        )
    return f"{times} can show only large differences; {GOOD_REPEATS} are recommended."


def _tool_warnings(plan: PlanData, target: TargetData) -> Iterator[Problem]:
    host = target.host
    if host.tools is None:
        text = f"{host.name} has not been checked yet: benchlab does not know what it has."
        yield Problem(text, field="targets", saving=False)
        return
    for index, step in enumerate(plan.steps):
        if host.tools.get(step.tool) is None:
            text = f"{step.tool} was not found on {host.name} when it was last checked."
            yield Problem(text, index, "tool", saving=False)


def _scheduler_warnings(plan: PlanData, target: TargetData) -> Iterator[Problem]:
    if not target.schedulers:
        return
    for tuning in plan.tunings:
        for setting in tuning.settings:
            wanted = setting.get("value")
            if setting.get("name") == "scheduler" and wanted not in target.schedulers:
                offered = ", ".join(target.schedulers)
                text = f"{tuning.name}: {target.label} offers {offered}, not {wanted}."
                yield Problem(text, field="tunings", saving=False)
