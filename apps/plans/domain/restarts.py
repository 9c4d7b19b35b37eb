"""Restarts of Ceph daemons that a plan causes: which, how often, and their expected time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.plans.domain.durations import RESTART_SECONDS
from apps.plans.schemas.planned import PlannedCase, PlannedRestarts, PlannedTuning
from apps.plans.schemas.targets import PlannedTarget

# Each daemon is restarted before a case and after it.
RESTARTS_PER_CASE = 2


def restart_seconds(tuning: PlannedTuning, target: PlannedTarget) -> float:
    """Return the expected seconds of the restarts for one case."""
    return RESTARTS_PER_CASE * sum(
        RESTART_SECONDS[kind] * len(target.daemon_names(kind)) for kind in _kinds(tuning, target)
    )


def planned_restarts(cases: Sequence[PlannedCase]) -> Iterator[PlannedRestarts]:
    """Yield for each tuning profile and target the daemons that its cases restart."""
    rows: dict[tuple[str, tuple[str, int | str]], list[PlannedCase]] = {}
    for case in cases:
        if _kinds(case.tuning, case.target):
            rows.setdefault((case.tuning.name, case.target.key), []).append(case)
    for mine in rows.values():
        tuning, target = mine[0].tuning, mine[0].target
        kinds = _kinds(tuning, target)
        daemons = [name for kind in kinds for name in target.daemon_names(kind)]
        yield PlannedRestarts(
            tuning=tuning.name,
            target=target,
            daemons=tuple(daemons),
            count=RESTARTS_PER_CASE * len(daemons) * len(mine),
            seconds=restart_seconds(tuning, target) * len(mine),
        )


def _kinds(tuning: PlannedTuning, target: PlannedTarget) -> list[str]:
    """Return the kinds of daemons that are restarted; none if the profile cannot apply."""
    kinds = list(tuning.restarted_kinds)
    return kinds if all(kind in target.restartable for kind in kinds) else []
