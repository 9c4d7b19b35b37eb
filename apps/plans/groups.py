"""The cases of a plan gathered for people: one row for what only repeats and tunings tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .data import PlannedCase
from .written import param_words


@dataclass
class CaseGroup:
    """One workload of a step on one target, with all its tunings and repeats.

    `seconds` are of all its cases together; `bytes_written` likewise, None when it cannot be told.
    """

    first: PlannedCase
    cases: int = 0
    seconds: float = 0.0
    bytes_written: int | None = 0
    tunings: dict[str, int] = field(default_factory=dict)
    special: str = ""

    @property
    def number(self) -> int:
        """The step's number as people count."""
        return self.first.step + 1

    def add(self, case: PlannedCase) -> None:
        self.cases += 1
        self.seconds += case.seconds
        known = self.bytes_written is not None and case.bytes_written is not None
        self.bytes_written = (
            (self.bytes_written or 0) + (case.bytes_written or 0) if known else None
        )
        self.tunings[case.tuning.name] = self.tunings.get(case.tuning.name, 0) + 1


def case_groups(cases: Iterable[PlannedCase]) -> list[CaseGroup]:
    """Groups in the order of their first case."""
    found: dict[tuple[int, str, tuple[str, int | str]], CaseGroup] = {}
    for case in cases:
        mark = (case.step, case.workload_key, case.target.key)
        group = found.setdefault(mark, CaseGroup(case))
        group.add(case)
    groups = list(found.values())
    for group in groups:
        group.tunings = dict(sorted(group.tunings.items()))
    _tell_apart(groups)
    return groups


def _tell_apart(groups: list[CaseGroup]) -> None:
    """Where groups of one step share a label, say in which parameters they differ."""
    alike: dict[tuple[int, str], list[CaseGroup]] = {}
    for group in groups:
        alike.setdefault((group.first.step, group.first.label), []).append(group)
    for same in alike.values():
        rows = [group.first.params for group in same]
        names = [name for name in rows[0] if len({repr(row.get(name)) for row in rows}) > 1]
        for group in same:
            group.special = ", ".join(
                param_words(group.first.tool, name, group.first.params.get(name)) for name in names
            )
