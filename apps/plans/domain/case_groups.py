"""Groups of a plan's cases: one row for cases that differ in repeat and tuning profile only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.plans.domain.workload_labels import Labelled, names_with_tools
from apps.plans.schemas.planned import PlannedCase
from apps.tuning.domain.baseline import tuning_key, tuning_label


@dataclass
class CaseGroup:
    """One workload of a step on one target, with all tuning profiles and repeats.

    `seconds` and `bytes_written` are sums over its cases; bytes are None if unknown.
    """

    first: PlannedCase
    cases: int = 0
    seconds: float = 0.0
    bytes_written: int | None = 0
    tunings: dict[str, int] = field(default_factory=dict)
    label: str = ""

    @property
    def number(self) -> int | None:
        """Return the step's number from 1; None for preconditioning."""
        return None if self.first.step is None else self.first.step + 1

    def add(self, case: PlannedCase, load: PlannedCase | None = None) -> None:
        """Add a case, with what its background load writes."""
        self.cases += 1
        self.seconds += case.seconds
        for written in (case.bytes_written, load.bytes_written if load else 0):
            known = self.bytes_written is not None and written is not None
            self.bytes_written = (self.bytes_written or 0) + (written or 0) if known else None
        label = tuning_label(case.tuning.name)
        self.tunings[label] = self.tunings.get(label, 0) + 1


def case_groups(cases: Iterable[PlannedCase], loads: Iterable[PlannedCase] = ()) -> list[CaseGroup]:
    """Return the groups in the order of their first case; `loads`: of the cases that have one."""
    load_of = {load.sequence: load for load in loads}
    result: dict[tuple[int | None, str, tuple[str, int | str]], CaseGroup] = {}
    for case in cases:
        mark = (case.step, case.workload_key, case.target.key)
        group = result.setdefault(mark, CaseGroup(case))
        group.add(case, load_of.get(case.sequence))
    groups = list(result.values())
    for group in groups:
        group.tunings = dict(sorted(group.tunings.items(), key=lambda row: tuning_key(row[0])))
    _name(groups)
    return groups


def _name(groups: list[CaseGroup]) -> None:
    """Return names that distinguish the workloads of a plan."""
    cases = {group.first.workload_key: group.first for group in groups}
    result = {key: Labelled(one.tool, one.params, one.label) for key, one in cases.items()}
    labels = names_with_tools(result)
    for group in groups:
        group.label = labels[group.first.workload_key]
