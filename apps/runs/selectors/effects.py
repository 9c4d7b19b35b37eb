"""Effects of the cases of a run that are still to be run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, TypeVar

from apps.plans.domain.target_matching import runnable_tool
from apps.runs.domain.effects import canonical, sha256
from apps.runs.models import CaseState, Run, RunBackground, RunTarget, RunTargetMember, RunTuning
from apps.runs.schemas import (
    CaseCount,
    Effects,
    TargetEffect,
    TuningEffect,
    WorkloadEffect,
)
from apps.runs.selectors.effect_disturbance import disturbance_effect
from apps.runs.selectors.effect_rules import (
    BYTES_A_SECOND,
    further_factor,
    further_rules,
    search_bytes,
    search_seconds,
)
from apps.runs.selectors.effect_targets import target_effects
from apps.tools.added_params import tool_params
from apps.tools.errors import ParamsError
from apps.tools.targets import ToolTarget
from apps.tools.tool import Tool
from apps.tuning.schemas.settings import CEPH, CEPH_CONF, makes_files

EffectT = TypeVar("EffectT", TargetEffect, TuningEffect)
DONE = (CaseState.SUCCEEDED, CaseState.SKIPPED)


@dataclass(frozen=True)
class RunEffects:
    """Effects of a run, and what policies compare.

    `bytes_limit`, `seconds`: with all blocks and values of loads that rules may add; devices of
    1 GiB/s where only their speed decides.
    """

    effects: Effects
    writes_disks: bool
    sets_ceph: bool
    bytes_limit: float
    seconds: float


@dataclass(frozen=True)
class _Group:
    """Cases of one workload, target and tuning, or the background load beside them.

    `lasting`: seconds that a background load goes on, 0 for a test; `settle_seconds`: of them
    before the test begins.
    """

    tool: str
    params: dict[str, Any]
    target: RunTarget
    tuning: RunTuning
    count: int
    seconds: float
    lasting: float = 0.0
    settle_seconds: float = 0.0


def run_effects(run: Run) -> RunEffects:
    """Return the effects of the cases that a start of the run executes."""
    targets = {row.pk: row for row in run.targets.prefetch_related("members")}
    tunings = {row.pk: row for row in run.tunings.all()}
    loads = {row.pk: row for row in run.backgrounds.all()}
    columns = ("workload__tool", "workload__params", "workload__key", "run_target", "run_tuning")
    rest = ("requested_tuning", "purpose", "repeat", "block", "expected_seconds")
    rows = list(
        run.cases.exclude(state__in=DONE)
        .order_by("sequence")
        .values_list("background", *columns, *rest)
    )
    groups: dict[tuple[Any, ...], _Group] = {}
    cases = []
    for load, tool, params, key, target, effective, *others in rows:
        requested, purpose, repeat, block, seconds = others
        tuning = requested or effective
        if load is not None:
            _add_load(groups, loads[load], targets[loads[load].run_target_id or target], seconds,
                      tunings[tuning])  # fmt: skip
        old = groups.get((key, target, tuning))
        groups[key, target, tuning] = _Group(
            tool, params, targets[target], tunings[tuning],
            (old.count if old else 0) + 1, (old.seconds if old else 0.0) + seconds,
        )  # fmt: skip
        cases.append((key, target, tuning, purpose, repeat, block))
    return _combined(run, list(groups.values()), cases)


def _add_load(
    groups: dict[tuple[Any, ...], _Group],
    load: RunBackground,
    target: RunTarget,
    seconds: float,
    tuning: RunTuning,
) -> None:
    """Add the background load of a case; it takes no time of its own, and writes what it writes."""
    key = load.value, target.pk, tuning.pk
    old = groups.get(key)
    groups[key] = _Group(
        load.tool,
        load.params,
        target,
        tuning,
        (old.count if old else 0) + 1,
        0.0,
        max(seconds, old.lasting if old else 0.0),
        load.settle_seconds,
    )


def _combined(run: Run, groups: list[_Group], cases: list[tuple[Any, ...]]) -> RunEffects:
    written = [(group, *_written(group)) for group in groups]
    known = [size for _group, writes, size, _seconds in written if writes]
    on_disks = any(writes and _is_on_disks(group.target) for group, writes, _s, _t in written)
    factor = further_factor(run, {case[5] for case in cases})
    total = sum(size or 0 for size in known)
    timed = sum(seconds for _group, writes, size, seconds in written if writes and size is None)
    present = total + timed * BYTES_A_SECOND
    devices = _devices(group.target for group, writes, _size, _seconds in written if writes)
    seconds = sum(group.seconds for group in groups)
    rows = {group.tuning.pk: group.tuning for group in groups}
    restarts = {g.target.pk for g in groups if any(s.kind == CEPH_CONF for s in g.tuning.settings)}
    targets = target_effects({g.target.pk: g.target for g in groups}.values(), restarts)
    tunings = {pk: _tuning(tuning) for pk, tuning in rows.items()}
    workloads = tuple(sorted({_workload(group) for group in groups}))
    effects = Effects(
        workloads=workloads,
        targets=tuple(sorted(set(targets.values()))),
        tunings=tuple(sorted(set(tunings.values()))),
        cases=len(cases),
        counts=_counts(groups, workloads, targets, tunings),
        repeats=max((case[4] for case in cases), default=0),
        order=_order(run, cases, targets, tunings),
        further=further_rules(run),
        bytes_written=None if None in known else total,
        wipe=run.wipe_confirmed_by_id is not None,
        disturbance=disturbance_effect(run),
    )
    kinds = {setting.kind for tuning in rows.values() for setting in tuning.settings}
    return RunEffects(
        effects=effects,
        writes_disks=on_disks or effects.wipe,
        sets_ceph=bool(kinds & {CEPH, CEPH_CONF}),
        bytes_limit=factor * present + search_bytes(run, present, devices),
        seconds=factor * seconds + search_seconds(run, seconds),
    )


def _workload(group: _Group) -> WorkloadEffect:
    return WorkloadEffect(group.tool, canonical(group.params), group.settle_seconds)


def _tuning(tuning: RunTuning) -> TuningEffect:
    rows = sorted((s.kind, s.name, str(s.value), s.section, s.scope) for s in tuning.settings)
    return TuningEffect(tuple(rows), tuning.settle_seconds)


def _order(
    run: Run,
    cases: list[tuple[Any, ...]],
    targets: Mapping[int, TargetEffect],
    tunings: Mapping[int, TuningEffect],
) -> str:
    """Return the digest of the cases.

    A target and a tuning are named by their index in the effects, as positions in a run depend on
    its seed.
    """
    target, tuning = _indexes(targets), _indexes(tunings)
    rows = [(key, target[at], tuning[how], *rest[:2]) for key, at, how, *rest in cases]
    order = run.spec.planned_order
    return sha256([order, rows if order != "interleaved" else sorted(rows)])


def _counts(
    groups: Iterable[_Group],
    workloads: tuple[WorkloadEffect, ...],
    targets: Mapping[int, TargetEffect],
    tunings: Mapping[int, TuningEffect],
) -> tuple[CaseCount, ...]:
    workload = {effect: index for index, effect in enumerate(workloads)}
    target, tuning = _indexes(targets), _indexes(tunings)
    counts: Counter[tuple[int, int, int]] = Counter()
    for group in groups:
        key = workload[_workload(group)], target[group.target.pk], tuning[group.tuning.pk]
        counts[key] += group.count
    return tuple(CaseCount(*key, count) for key, count in sorted(counts.items()))


def _indexes(effects: Mapping[int, EffectT]) -> dict[int, int]:
    """Return the index of the effect of each row in the sorted effects."""
    ordered = sorted(set(effects.values()))
    return {key: ordered.index(effect) for key, effect in effects.items()}


def _devices(targets: Iterable[RunTarget]) -> int:
    """Return how many devices, directories and pools these targets have."""
    members = {(m.host_id, m.kind, m.identity) for row in targets for m in row.all_members}
    return len(members)


def _is_on_disks(target: RunTarget) -> bool:
    return any(member.kind == "disk" for member in target.all_members)


def _written(group: _Group) -> tuple[bool, int | None, float]:
    """Return whether the cases write, their bytes, and the seconds of writing at an unknown rate.

    The seconds count once for each device that is written at the same time. A tool that is not
    installed any more counts as writing.
    """
    tool = runnable_tool(group.tool)
    seconds = group.seconds + group.lasting * group.count
    unknown = True, None, seconds * _devices([group.target])
    if tool is None or tool.params is None:
        return unknown
    try:
        params = tool.params.from_raw(tool_params(group.params))
        goes_on = tool.lasting(params, ceil(group.lasting)) if group.lasting else params
        procedures = [
            (one.count, tool.build_procedure(goes_on or params, one))
            for one in _tool_targets(group, tool)
        ]
    except ParamsError:
        return unknown
    if goes_on is None and any(one.writes for _count, one in procedures):
        return unknown  # it starts again until the test has ended
    writing = [(count, one) for count, one in procedures if one.writes]
    in_files = _works_in_files(group, tool)
    if any(one.bytes_written is None for _count, one in writing):
        timed = sum(count * one.seconds for count, one in writing if one.bytes_written is None)
        return True, None, timed * group.count
    size = sum(one.bytes_written or 0 for _count, one in writing) * group.count
    return bool(writing) or in_files, size, 0.0


def _works_in_files(group: _Group, tool: Tool) -> bool:
    in_files = makes_files(group.tuning.settings) and "directory" in tool.targets
    return in_files and _is_on_disks(group.target)


def _tool_targets(group: _Group, tool: Tool) -> list[ToolTarget]:
    """Return the target as the tool accepts it, once for each host that runs it."""
    members = [m for m in group.target.all_members if m.role == RunTargetMember.Role.CLIENT]
    pinned = tool.pins and any(setting.pins for setting in group.tuning.settings)
    result = []
    for host in dict.fromkeys(member.host_id for member in members):
        mine = [member for member in members if member.host_id == host]
        sizes = [member.size for member in mine if member.size is not None]
        kind: Any = mine[0].kind
        one = ToolTarget(
            kind, mine[0].identity, min(sizes, default=None), len(mine), pinned, mine[0].pool_plan
        )
        if _works_in_files(group, tool):
            one = replace(one, kind="directory", size=None)
        result.append(one)
    return result
