"""Cases of a run that only tunings and repeats tell apart, as one group of its table; those of a
large run that has ended as lines, whose cases are asked for when they are opened.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import connection
from django.db.models import Q, QuerySet

from apps.plans.cases.labels import with_tool
from apps.runs.models import Case, CaseState, Run
from apps.runs.pages.case_counts import ALIKE, Alike, CountedCases
from apps.runs.pages.case_reading import ShownCase, cases_of
from apps.runs.pages.case_rows import CaseRow

SIZE = 50
"""Cases of a page."""
GROUPS = 20
"""Groups of a page where they are lines."""
# What does not count has small indexes by its case, and the cases of a run stand together: between
# the first key and the last there are hardly any of other runs. Written out, as Django takes longer
# to put it together than PostgreSQL to answer; results are an app above this one.
_OF_GROUPS = """
    a.case_id BETWEEN %(low)s AND %(high)s AND c.run_id = %(run)s AND c.state = 'succeeded'
    AND c.workload_id + 0 = ANY(%(workloads)s) AND NOT EXISTS (
        SELECT FROM runs_attempt l WHERE l.case_id = a.case_id AND l.number > a.number)"""
NOT_COUNTED = f"""
SELECT c.step_name, c.workload_id, c.run_target_id, 1
    FROM runs_attempt a JOIN runs_case c ON c.id = a.case_id
    WHERE NOT a.valid AND a.state = 'succeeded' AND {_OF_GROUPS}
UNION ALL
SELECT c.step_name, c.workload_id, c.run_target_id, 0
    FROM results_measurement m JOIN runs_attempt a ON a.id = m.attempt_id
        JOIN runs_case c ON c.id = m.case_id
    WHERE NOT m.valid AND m.part = '' AND m.case_id BETWEEN %(low)s AND %(high)s AND {_OF_GROUPS}
""".strip()
"""Step, workload and target of each succeeded case whose last attempt does not count (1), and of
each result that does not (0).
"""


@dataclass(frozen=True)
class AlikeCases:
    """Such cases of one run: the first of them, how many of each state there are, and the least and
    the greatest of their keys.
    """

    alike: Alike
    first: int
    states: Mapping[str, int]
    keys: tuple[int, int]

    @property
    def number(self) -> int:
        return sum(self.states.values())


@dataclass(frozen=True)
class ShownGroup:
    """A group on a page. `case` is one of it, `label` its workload's; `states`: each with its
    number, the commonest first; `is_fine`: every case succeeded and every result counts. Where
    `rows` have to be asked for, `query` does, and `fits` says that one page has all.
    """

    case: ShownCase
    label: str
    rows: Sequence[CaseRow]
    states: tuple[tuple[str, int], ...]
    is_fine: bool
    query: str = ""
    fits: bool = True

    @property
    def head(self) -> ShownGroup:
        """The same without its rows: what its first line says."""
        return replace(self, rows=())


def groups_counted(counted: Sequence[CountedCases], order: Sequence[int]) -> list[AlikeCases]:
    """In the plan's order; first by `order` of the workloads where nobody planned one."""
    rank = {workload: place for place, workload in enumerate(order)}
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
    """The condition that a case is in one of these groups."""
    return Q(*(Q(**dict(zip(ALIKE, alike, strict=True))) for alike in wanted), _connector=Q.OR)


def keys_of(cases: QuerySet[Case], groups: Sequence[AlikeCases], start: int) -> list[int]:
    """The keys of SIZE cases from `start` on, group by group."""
    wanted: list[Alike] = []
    passed = skipped = 0
    for group in groups:
        if passed + group.number > start and passed < start + SIZE:
            skipped = start - passed if not wanted else skipped
            wanted.append(group.alike)
        passed += group.number
    if not wanted:
        return []
    place = {alike: number for number, alike in enumerate(wanted)}
    rows = cases.filter(any_of(wanted))
    told = rows.values_list(*ALIKE, "run_tuning__name", "repeat", "position", "pk")
    ordered = sorted((place[row[:3]], *row[3:]) for row in told)
    return [row[-1] for row in ordered[skipped : skipped + SIZE]]


def groups_of_rows(rows: Sequence[CaseRow]) -> list[ShownGroup]:
    """Rows that stand in order, group by group."""
    found: list[list[CaseRow]] = []
    for row in rows:
        if row.starts_group or not found:
            found.append([])
        found[-1].append(row)
    return [
        ShownGroup(
            mine[0].case,
            mine[0].label,
            mine,
            tuple(Counter(row.state for row in mine).most_common()),
            all(row.is_fine for row in mine),
        )
        for mine in found
    ]


def groups_folded(
    run: Run, groups: Sequence[AlikeCases], labels: Mapping[int, str]
) -> list[ShownGroup]:
    """Groups of a run that has ended as lines, without their rows."""
    invalid, doubtful = _not_counted(run, groups)
    return [
        ShownGroup(
            case,
            labels.get(case.workload_id) or with_tool(case.tool, case.label),
            [],
            _states(group, invalid[group.alike]),
            group.alike not in doubtful and set(group.states) == {CaseState.SUCCEEDED},
            f"group={group.first}",
            group.number <= SIZE,
        )
        for group, case in zip(groups, cases_of([each.first for each in groups]), strict=True)
    ]


def _states(group: AlikeCases, invalid: int) -> tuple[tuple[str, int], ...]:
    counts = Counter(group.states)
    counts["succeeded"] -= invalid
    counts["invalid"] = invalid
    return tuple((+counts).most_common())


def _not_counted(run: Run, groups: Sequence[AlikeCases]) -> tuple[Counter[Alike], set[Alike]]:
    """Of these groups: how many succeeded cases have an attempt that does not count, and the groups
    in which any result does not. The last attempt decides. One query.
    """
    if not groups:
        return Counter(), set()
    asked: dict[str, int | list[int]] = {
        "run": run.pk,
        "low": min(group.keys[0] for group in groups),
        "high": max(group.keys[1] for group in groups),
        # Which may be more groups: a condition for each takes longer than the rows to be read.
        "workloads": list({group.alike[1] for group in groups}),
    }
    invalid: Counter[Alike] = Counter()
    alike: set[Alike] = set()
    with connection.cursor() as cursor:
        cursor.execute(NOT_COUNTED, asked)
        for step, workload, target, number in cursor.fetchall():
            alike.add((step, workload, target))
            invalid[step, workload, target] += number
    return invalid, alike
