"""Groups of cases that differ only in tuning and repeat.

For a large ended run the groups are folded; their cases load on demand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.runs.models import Attempt, AttemptState, Case, CaseState, Run
from apps.runs.presenters.case_counts import ALIKE, Alike, CountedCases
from apps.runs.presenters.case_reading import METRICS, ShownCase, cases_of
from apps.runs.presenters.case_rows import CaseRow
from apps.runs.selectors.repeat_medians import MetricMedian, RepeatMedians, repeat_medians
from apps.tools.metrics import Metric
from apps.tools.workloads.order import operation_key

SIZE = 50
"""Cases of a page."""
GROUPS = 20
"""Groups of a page where they are lines."""
MAX_MEDIANS = 12
"""Lines of medians of a group. A group of more tunings has none: the comparison has them all."""


@dataclass(frozen=True)
class MedianLine:
    """Medians of the repeats with one tuning, by metric of the table."""

    result: RepeatMedians

    @property
    def cells(self) -> list[tuple[Metric, MetricMedian]]:
        return list(zip(METRICS, self.result.figures, strict=True))


@dataclass(frozen=True)
class AlikeCases:
    """Group of cases: key of the first, number by state, lowest and highest key."""

    alike: Alike
    first: int
    states: Mapping[str, int]
    keys: tuple[int, int]

    @property
    def number(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True)
class ShownGroup:
    """Group on a page.

    `case`: one case of it; `label`: of its workload. `states`: number by state, descending.
    `is_fine`: all cases succeeded with valid results. `query`: loads the rows if they are missing;
    `fits`: one page has all rows. `medians`: of a folded group.
    """

    case: ShownCase
    label: str
    rows: Sequence[CaseRow]
    states: tuple[tuple[str, int], ...]
    is_fine: bool
    query: str = ""
    fits: bool = True
    medians: Sequence[MedianLine] = ()

    @property
    def head(self) -> ShownGroup:
        """Return the group without its rows."""
        return replace(self, rows=())


def groups_counted(counted: Sequence[CountedCases], order: Sequence[int]) -> list[AlikeCases]:
    """Return the groups in the plan's order, or first by `order` of the workloads."""
    rank = {workload: position for position, workload in enumerate(order)}
    states: dict[Alike, Counter[str]] = defaultdict(Counter)
    firsts: dict[Alike, tuple[int, int]] = {}
    keys: dict[Alike, tuple[int, int]] = {}
    for row in counted:
        states[row.alike][row.state] += row.number
        firsts[row.alike] = min(firsts.get(row.alike, row.first), row.first)
        low, high = keys.get(row.alike, (row.key, row.last_key))
        keys[row.alike] = min(low, row.key), max(high, row.last_key)
    ordered = sorted(firsts, key=lambda alike: (rank.get(alike[1], len(rank)), firsts[alike]))
    return [AlikeCases(alike, firsts[alike][1], states[alike], keys[alike]) for alike in ordered]


def any_of(wanted: Sequence[Alike]) -> Q:
    """Return the filter of cases in one of these groups."""
    return Q(*(Q(**dict(zip(ALIKE, alike, strict=True))) for alike in wanted), _connector=Q.OR)


def keys_of(cases: QuerySet[Case], groups: Sequence[AlikeCases], start: int) -> list[int]:
    """Return the keys of SIZE cases from `start` on, group by group."""
    wanted: list[Alike] = []
    passed = skipped = 0
    for group in groups:
        if passed + group.number > start and passed < start + SIZE:
            skipped = start - passed if not wanted else skipped
            wanted.append(group.alike)
        passed += group.number
    if not wanted:
        return []
    position = {alike: number for number, alike in enumerate(wanted)}
    rows = cases.filter(any_of(wanted))
    values = rows.values_list(*ALIKE, "run_tuning__name", "repeat", "sequence", "pk")
    ordered = sorted((position[row[:3]], *row[3:]) for row in values)
    return [row[-1] for row in ordered[skipped : skipped + SIZE]]


def groups_of_rows(rows: Sequence[CaseRow]) -> list[ShownGroup]:
    """Return ordered rows by group."""
    result: list[list[CaseRow]] = []
    for row in rows:
        if row.starts_group or not result:
            result.append([])
        result[-1].append(row)
    return [
        ShownGroup(
            mine[0].case,
            mine[0].label,
            mine,
            tuple(Counter(row.state for row in mine).most_common()),
            all(row.is_fine for row in mine),
        )
        for mine in result
    ]


def groups_folded(
    run: Run, groups: Sequence[AlikeCases], labels: Mapping[int, str]
) -> list[ShownGroup]:
    """Return the groups of an ended run without their rows."""
    invalid, doubtful = _not_counted(run, groups)
    return [
        ShownGroup(
            case,
            labels.get(case.workload_id) or case.workload_name,
            [],
            _states(group, invalid[group.alike]),
            group.alike not in doubtful and set(group.states) == {CaseState.SUCCEEDED},
            f"group={group.first}",
            group.number <= SIZE,
        )
        for group, case in zip(groups, cases_of([each.first for each in groups]), strict=True)
    ]


def with_medians(run: Run, groups: Sequence[ShownGroup]) -> list[ShownGroup]:
    """Return the groups with the medians of their repeats."""
    alike = [group.case.alike for group in groups if not group.case.prepares]
    if not alike:
        return list(groups)
    medians = repeat_medians(
        run.cases.filter(any_of(alike)), ALIKE, [metric.key for metric in METRICS]
    )
    return [replace(one, medians=_median_lines(medians.get(one.case.alike, ()))) for one in groups]


def _median_lines(results: Sequence[RepeatMedians]) -> list[MedianLine]:
    if len(results) > MAX_MEDIANS:
        return []
    ordered = sorted(
        results, key=lambda one: (one.tuning_name, operation_key(one.tool, one.operation))
    )
    return [MedianLine(one) for one in ordered]


def _states(group: AlikeCases, invalid: int) -> tuple[tuple[str, int], ...]:
    counts = Counter(group.states)
    counts["succeeded"] -= invalid
    counts["invalid"] = invalid
    return tuple((+counts).most_common())


def _not_counted(run: Run, groups: Sequence[AlikeCases]) -> tuple[Counter[Alike], set[Alike]]:
    """Return the number of invalid attempts by group, and the groups with any invalid result.

    The last attempt of a case decides.
    """
    if not groups:
        return Counter(), set()
    low, high = min(group.keys[0] for group in groups), max(group.keys[1] for group in groups)
    later = Attempt.objects.filter(case=OuterRef("case"), number__gt=OuterRef("number"))
    last = Attempt.objects.filter(
        ~Exists(later), case__run=run, case__state=CaseState.SUCCEEDED
    ).order_by()
    columns = [f"case__{name}" for name in ALIKE]
    attempts = last.filter(
        case__gte=low, case__lte=high, valid=False, state=AttemptState.SUCCEEDED
    ).values_list(*columns)
    # Results are an app above this one; they are met through the relation only.
    doubtful: Any = last.filter(
        measurements__case__gte=low,
        measurements__case__lte=high,
        measurements__component="",
        measurements__valid=False,
    )
    invalid: Counter[Alike] = Counter(attempts)
    return invalid, {*invalid, *doubtful.values_list(*columns)}
