"""Restarts of Ceph daemons that a plan causes: which, how often, and their expected time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.plans.domain.disturbed_workloads import disturbance_of
from apps.plans.domain.durations import RESTART_SECONDS
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, PlannedRestarts, PlannedTuning
from apps.plans.schemas.targets import PlannedTarget

# Each daemon is restarted before the first and after the last case of a row that shares settings.
RESTARTS_PER_ROW = 2


def shares_restarts(plan: PlannedPlan) -> bool:
    """Return True if a profile of the plan restarts daemons, so that its cases stand together."""
    return not plan.spec.disturbance and any(
        _kinds(tuning, target) for tuning in plan.all_tunings for target in plan.targets
    )


def restart_seconds(tuning: PlannedTuning, target: PlannedTarget) -> float:
    """Return the expected seconds of one restart of each daemon."""
    kinds = _kinds(tuning, target)
    return sum(RESTART_SECONDS[kind] * len(target.daemon_names(kind)) for kind in kinds)


def restarts_around(
    cases: Sequence[tuple[PlannedTuning, PlannedTarget]], *, disturbed: bool = False
) -> list[int]:
    """Return for each case in order of execution how often it restarts its daemons: 0, 1 or 2.

    Cases on one pool share the settings if they follow one another under one profile. Cases on
    other kinds of targets between them are no end of the row. Disturbed cases share nothing.
    """
    result = [0] * len(cases)
    rows = [number for number, (_tuning, target) in enumerate(cases) if target.kind == "pool"]
    keys = [(cases[number][0].name, cases[number][1].key) for number in rows]
    for index, number in enumerate(rows):
        if _kinds(*cases[number]):
            begins = index == 0 or keys[index - 1] != keys[index]
            ends = index == len(rows) - 1 or keys[index + 1] != keys[index]
            alone = disturbed or _is_one_host(*cases[number])
            result[number] = RESTARTS_PER_ROW if alone else begins + ends
    return result


def _is_one_host(tuning: PlannedTuning, target: PlannedTarget) -> bool:
    """Return True if one host measures and has all the daemons: its one job shares nothing."""
    daemons = [
        one.host.id for kind in _kinds(tuning, target) for one in target.daemons_of(kind).hosts
    ]
    osds = [one.host.id for one in target.osd_hosts]
    return len({host.id for host in target.hosts} | {*daemons, *osds}) == 1


def planned_restarts(cases: Sequence[PlannedCase]) -> Iterator[PlannedRestarts]:
    """Yield for each tuning profile and target the daemons that its cases restart."""
    disturbed = any(disturbance_of(case.params) for case in cases)
    counts = restarts_around([(case.tuning, case.target) for case in cases], disturbed=disturbed)
    rows: dict[tuple[str, tuple[str, int | str]], int] = {}
    first: dict[tuple[str, tuple[str, int | str]], PlannedCase] = {}
    for case, count in zip(cases, counts, strict=True):
        if _kinds(case.tuning, case.target):
            key = case.tuning.name, case.target.key
            first.setdefault(key, case)
            rows[key] = rows.get(key, 0) + count
    for key, count in rows.items():
        tuning, target = first[key].tuning, first[key].target
        daemons = [n for kind in _kinds(tuning, target) for n in target.daemon_names(kind)]
        yield PlannedRestarts(
            tuning=tuning.name,
            target=target,
            daemons=tuple(daemons),
            count=count * len(daemons),
            seconds=count * restart_seconds(tuning, target),
        )


def _kinds(tuning: PlannedTuning, target: PlannedTarget) -> list[str]:
    """Return the kinds of daemons that are restarted; none if the profile cannot apply."""
    kinds = list(tuning.restarted_kinds)
    return kinds if all(kind in target.restartable for kind in kinds) else []
