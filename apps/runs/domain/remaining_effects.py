"""Whether the remaining effects of a paused run are part of approved ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import msgspec

from apps.runs.schemas import Effects, TargetEffect

TEST_CONTENT = "test"
"""Content of a disk that benchlab's own tests left."""


def is_part_of(remaining: Effects, approved: Effects) -> bool:
    """Return True if the remaining effects do nothing that the approved ones do not.

    There may be fewer cases, fewer bytes, and no permission to wipe. A test may have replaced the
    content of a disk. Workloads of a load search may differ in the value that it searches. The
    order is not compared: a paused run keeps that of its cases.
    """
    if remaining.disturbance != approved.disturbance:
        return False
    if remaining.further != approved.further or (remaining.wipe and not approved.wipe):
        return False
    if approved.bytes_written is not None and (
        remaining.bytes_written is None or remaining.bytes_written > approved.bytes_written
    ):
        return False
    targets = [_approved_target(target, approved.targets) for target in remaining.targets]
    return _cases(remaining, targets) <= _cases(approved, approved.targets)


def _cases(
    effects: Effects, targets: Sequence[TargetEffect | None]
) -> Counter[tuple[object, object, object]]:
    """Return the numbers of cases by what they do."""
    search = _search_parameter(effects)
    counts: Counter[tuple[object, object, object]] = Counter()
    for row in effects.counts:
        workload = effects.workloads[row.workload]
        params = workload.params
        if search:
            params = json.dumps({**json.loads(params), search: None}, sort_keys=True)
        load = workload.tool, params, workload.settle_seconds
        key = (load, targets[row.target], effects.tunings[row.tuning])
        counts[key] += row.count
    return counts


def _search_parameter(effects: Effects) -> str:
    """Return the parameter whose value a load search varies; empty without one."""
    name = (json.loads(effects.further).get("load_search") or [""])[0] if effects.further else ""
    return str(name or "")


def _approved_target(target: TargetEffect, approved: Sequence[TargetEffect]) -> TargetEffect | None:
    """Return the approved target that this one is now; None without any."""
    return next((one for one in approved if _is_same(target, one)), None)


def _is_same(now: TargetEffect, before: TargetEffect) -> bool:
    if (now.kind, now.level, len(now.members)) != (before.kind, before.level, len(before.members)):
        return False
    return all(
        one in (other, msgspec.structs.replace(other, content=TEST_CONTENT))
        for one, other in zip(now.members, before.members, strict=True)
    )
