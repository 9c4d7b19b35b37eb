"""Snapshot of expectations at a launch: a row per metric, workload and target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from apps.inventory.schemas.specifications import Specification
from apps.inventory.selectors.specifications import specifications_of
from apps.plans.domain.disk_model import model_iops
from apps.plans.domain.expectation_verdicts import is_either, limit_of
from apps.plans.schemas.expectations import Expectation
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import PlannedCase
from apps.runs.models import Case, RunExpectation

Promises = Mapping[int, Specification]
"""Figures of disks by the disk's key."""


def expectations_snapshot(
    rows: Sequence[Case], planned: Sequence[PlannedCase], steps: Sequence[StepSpec]
) -> None:
    """Create the expectations of cases; `rows` and `planned` have the same order.

    No query if there are none.
    """
    if not any(step.expectations for step in steps):
        return
    disks = _promises(planned)
    result: dict[tuple[int, int, str], dict[Expectation, None]] = {}
    for row, case in zip(rows, planned, strict=True):
        wanted = steps[case.step].expectations if case.step is not None else ()
        key = (row.run_target_id, row.workload_id, row.step_name)
        result.setdefault(key, {}).update(dict.fromkeys(_resolved(wanted, case, disks)))
    RunExpectation.objects.bulk_create(_rows(result), batch_size=2_000)


def _rows(
    result: Mapping[tuple[int, int, str], Iterable[Expectation]],
) -> Iterator[RunExpectation]:
    for (target, workload, step_name), wanted in result.items():
        for position, expected in enumerate(wanted):
            assert expected.value is not None, "looked up, or left out"
            yield RunExpectation(
                run_target_id=target,
                workload_id=workload,
                step_name=step_name,
                position=position,
                metric=expected.metric,
                operation=expected.operation,
                direction=expected.direction,
                value=expected.value,
                unit=expected.unit,
                tolerance=expected.tolerance,
                source=expected.source,
                bound=limit_of(expected.value, expected.direction, expected.tolerance),
                either=is_either(expected),
            )


def _promises(planned: Sequence[PlannedCase]) -> Promises:
    disks = {case.target.id for case in planned if case.target.kind == "disk"}
    return specifications_of(disks)


def _resolved(
    wanted: Iterable[Expectation], case: PlannedCase, disks: Promises
) -> Iterator[Expectation]:
    """Yield the expectations of a case; values from the disk's specification are looked up."""
    disk = disks.get(case.target.id) if case.target.kind == "disk" else None
    for expected in wanted:
        value = expected.value if expected.value is not None else _looked_up(expected, case, disk)
        if value is not None:
            yield Expectation(
                expected.metric, expected.direction, value, expected.unit, expected.tolerance,
                expected.source, expected.operation,
            )  # fmt: skip


def _looked_up(
    expected: Expectation, case: PlannedCase, disk: Specification | None
) -> float | None:
    if disk is None:
        return None
    if expected.source == "provider":
        return disk.sla_iops if expected.metric == "iops" else disk.sla_bandwidth
    target = case.target
    return model_iops(disk, case.tool, case.params, size=target.size, array=target.backing)
