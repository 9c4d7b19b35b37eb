"""Snapshots of targets and tunings at a launch or import, shared by the cases of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from django.db.models import Max

from apps.inventory.models import Host
from apps.plans.schemas.planned import PlannedBackground, PlannedTuning
from apps.plans.schemas.targets import (
    SINGLE,
    PlannedHost,
    PlannedMember,
    PlannedOsdHost,
    PlannedTarget,
)
from apps.remote.agent.ceph.daemon_names import join_identities
from apps.runs.models import Run, RunBackground, RunTarget, RunTargetMember, RunTuning
from apps.tuning.domain.baseline import HOST_DEFAULTS, imported_baseline

NAME_LENGTH = 500
LABEL_LENGTH = 300
OSDS = "osds"
Key = tuple[str, int | str]
"""`PlannedTarget.key`"""


def targets_snapshot(
    run: Run, targets: Iterable[PlannedTarget], *, tuned: Collection[str] = ()
) -> dict[Key, RunTarget]:
    """Create the targets of a run with their members; return them by `PlannedTarget.key`.

    `tuned`: kinds of daemons (osd, mon, mds) with settings; their hosts become members. Observed
    OSD hosts always do, so that the run claims them.
    """
    wanted = list({target.key: target for target in targets}.values())
    rows = RunTarget.objects.bulk_create(
        RunTarget(
            run=run,
            position=position,
            target_id=target.id,
            kind=target.kind,
            name=target.label[:NAME_LENGTH],
            level=target.level,
        )
        for position, target in enumerate(wanted)
    )
    pairs = list(zip(rows, wanted, strict=True))
    members = [member for row, target in pairs for member in _members(row, target)]
    members += [member for row, target in pairs for member in _daemon_hosts(row, target, tuned)]
    RunTargetMember.objects.bulk_create(members, batch_size=2_000)
    return {target.key: row for row, target in pairs}


def tunings_snapshot(
    run: Run, tunings: Iterable[PlannedTuning], baseline: str = ""
) -> dict[int | None, RunTuning]:
    """Create the tunings of a run; return them by profile id. `baseline`: a name."""
    wanted = list({tuning.id: tuning for tuning in tunings}.values())
    named = [index for index, tuning in enumerate(wanted) if tuning.name == baseline]
    first = max(named, key=lambda index: wanted[index].id is not None, default=None)
    rows = RunTuning.objects.bulk_create(
        RunTuning(
            run=run,
            position=position,
            tuning_id=tuning.id,
            name=tuning.name,
            settings=tuning.settings,
            settle_seconds=tuning.settle_seconds,
            is_baseline=position == first,
        )
        for position, tuning in enumerate(wanted)
    )
    return {row.tuning_id: row for row in rows}


def backgrounds_snapshot(
    run: Run, loads: Iterable[PlannedBackground], targets: Mapping[Key, RunTarget]
) -> dict[str, RunBackground]:
    """Create the background loads of a run; return them by their value."""
    wanted = list({load.value: load for load in loads}.values())
    rows = RunBackground.objects.bulk_create(
        RunBackground(
            run=run,
            position=position,
            value=load.value,
            tool=load.tool,
            params=load.params,
            label=load.label[:LABEL_LENGTH],
            run_target=targets[load.target.key] if load.target else None,
            settle_seconds=load.settle_seconds,
        )
        for position, load in enumerate(wanted)
    )
    return {row.value: row for row in rows}


def untuned_run_tuning(run: Run) -> RunTuning:
    """Return the run's tuning for host defaults; create it if missing."""
    rows = run.tunings.filter(tuning=None, name=HOST_DEFAULTS)
    known = next((row for row in rows if not row.settings), None)
    if known is not None:
        return known
    last = run.tunings.aggregate(last=Max("position"))["last"] or 0
    return RunTuning.objects.create(run=run, position=last + 1, name=HOST_DEFAULTS)


def imported_target(run: Run, *, host: Host, name: str, position: int) -> RunTarget:
    """Create a target from an import, which only has a host and a name."""
    row = RunTarget.objects.create(run=run, position=position, name=name[:NAME_LENGTH])
    RunTargetMember.objects.create(
        run_target=row, position=0, host=host, host_name=host.name, label=name
    )
    return row


def imported_tuning(run: Run, *, name: str, position: int) -> RunTuning:
    """Create a tuning from an import, which only has a name."""
    return RunTuning.objects.create(run=run, position=position, name=name)


def imported_baseline_choose(run: Run) -> None:
    """Choose the baseline of an imported run; tunings have the import's order."""
    rows = list(run.tunings.order_by("position"))
    index = imported_baseline([row.name for row in rows])
    if index is not None:
        run.tunings.filter(pk=rows[index].pk).update(is_baseline=True)


def is_alone(target: RunTarget) -> bool:
    """Return True for a single disk or directory, or an imported target."""
    return target.kind in (*SINGLE, "")


def _members(row: RunTarget, target: PlannedTarget) -> Iterator[RunTargetMember]:
    """Yield the members, the lead first; of a host pair the client, then the server."""
    several = len(target.hosts) > 1
    labels: dict[str, int] = {}
    for position, part in enumerate(target.parts):
        yield RunTargetMember(
            run_target=row,
            position=position,
            role=part.role,
            host_id=part.host.id,
            host_name=part.host.name,
            target_id=part.id,
            kind=part.kind,
            label=_unlike(_label(part, several), labels),
            identity=part.identity,
            size=part.size,
            pool_layout=asdict(part.make) if part.make else None,
            backing=part.backing,
        )


def _daemon_hosts(
    row: RunTarget, target: PlannedTarget, tuned: Collection[str]
) -> Iterator[RunTargetMember]:
    """Yield the hosts of daemons behind a pool that settings apply to, and observed OSD hosts.

    Of a kind of daemons with an unreachable host, settings apply to none.
    """
    identities: dict[int, list[str]] = {}
    hosts: dict[int, PlannedHost] = {}
    for kind in ("osd", "mon", "mds"):
        for one in _members_of_kind(target, kind, is_tuned=kind in tuned):
            hosts[one.host.id] = one.host
            identities.setdefault(one.host.id, []).append(one.identity)
    for number, (pk, host) in enumerate(hosts.items()):
        identity = join_identities(identities[pk])
        yield RunTargetMember(
            run_target=row,
            position=len(target.parts) + number,
            role=RunTargetMember.Role.OSD_HOST,
            host_id=pk,
            host_name=host.name,
            kind=OSDS,
            label=f"{host.name} {identity}",
            identity=identity,
        )


def _members_of_kind(
    target: PlannedTarget, kind: str, *, is_tuned: bool
) -> Sequence[PlannedOsdHost]:
    if is_tuned:
        return target.daemons_of(kind).hosts if target.reaches(kind) else ()
    if kind != "osd" or not target.observed:
        return ()
    return [one for one in target.osd_hosts if one.host.enabled]


def _label(part: PlannedMember, several: bool) -> str:
    if part.kind in ("pool", "pair"):
        return part.host.name
    return f"{part.host.name} {part.name}" if several else part.name


def _unlike(label: str, seen: dict[str, int]) -> str:
    """Return a distinct label: repeated labels get a number."""
    seen[label] = seen.get(label, 0) + 1
    return label if seen[label] == 1 else f"{label} ({seen[label]})"
