"""Workloads of a gated run: those with a baseline, and those without a counterpart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext as _

from apps.analysis.gate.comparisons import GateComparison
from apps.analysis.gate.query import Against, GateQuery
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.errors import query_error
from apps.analysis.repeats.groups import Group, group_repeats
from apps.analysis.repeats.levels import Levels, levels_of, with_param
from apps.analysis.repeats.related_rows import related_rows
from apps.analysis.repeats.repeats import LABELS, Conditions, Flags, Ints, Repeats, WorkloadPoint
from apps.analysis.repeats.selectors import repeats_of
from apps.analysis.verdicts.level_pairs import level_pairs
from apps.analysis.verdicts.multiplicity import Pair
from apps.plans.domain.param_text import inside, param_label, value_text
from apps.plans.domain.workload_labels import Labelled, unique_labels
from apps.results.models import ResultSummary
from apps.tools.workloads.varying import differing

MAX_CHOICES = 10
"""Limit of offered levels in an error."""
MAX_NEARBY = 20_000
"""Limit of comparisons that look for the nearest workloads of the baseline."""


@dataclass(frozen=True)
class ComparedPair:
    """Workload with its baseline."""

    comparison: GateComparison
    repeats: Repeats
    group: Group
    pair: Pair


@dataclass(frozen=True)
class LonelyTest:
    """Workload without a counterpart; `differing`: what distinguishes it from the nearest one."""

    comparison: GateComparison | None
    repeats: Repeats
    rows: Ints
    label: str
    differing: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """Workloads of one comparison."""

    pairs: tuple[ComparedPair, ...]
    lonely: tuple[LonelyTest, ...]


def compare(query: GateQuery, comparison: GateComparison) -> Compared:
    """Return the workloads of a comparison.

    Raises: ServiceError (400) if there are too many results, or no such tuning or value.
    """
    runs = comparison.query.runs
    every = repeats_of(runs, within=comparison.query.further, related=related_rows(runs))
    repeats = with_param(_with_operation(every, query.operation), comparison.query.param)
    compared = _with_baseline(query, comparison.query, repeats)
    levels = levels_of(repeats, compared)
    groups = group_repeats(repeats, levels, compared).groups
    pairs = tuple(
        ComparedPair(replace(comparison, query=compared), repeats, group, pair)
        for group, many in zip(groups, level_pairs(repeats, groups, compared.factor), strict=True)
        for pair in many
        if (repeats.run[pair.b] == query.run).all()
    )
    lonely = _lonely_tests(query, replace(comparison, query=compared), repeats, levels, pairs)
    return Compared(pairs, tuple(lonely))


def _with_operation(repeats: Repeats, operation: str) -> Repeats:
    named: Flags = np.array([operation in ("", name) for name in repeats.operations], dtype=bool)
    return repeats.where(named[repeats.operation])


def _with_baseline(
    query: GateQuery, compared: ComparisonQuery, repeats: Repeats
) -> ComparisonQuery:
    """Return the query with the label of its baseline level.

    Raises: ServiceError (400) that lists the levels.
    """
    if query.kind in (Against.BASELINE, Against.RUN):
        return compared
    levels = levels_of(repeats, compared)
    if query.kind is Against.TUNING:
        label = levels.label_of(query.name)
    else:
        label = _param_level(query.name.partition("=")[2], compared.param, repeats, levels)
    if label:
        return replace(compared, baseline=label)
    message = _("Run {number} has no results of “{name}”. It has: {choices}.").format(
        number=query.run, name=query.name,
        choices=", ".join(levels.labels[:MAX_CHOICES]) or _("none"),
    )  # fmt: skip
    raise query_error({"against": [message]})


def _param_level(text: str, name: str, repeats: Repeats, levels: Levels) -> str:
    """Return the level of a parameter's value as entered: "1000", "4 KiB"; empty without one."""
    for row in np.unique(repeats.point, return_index=True)[1].tolist():
        point, label = repeats.points[repeats.point[row]], str(levels.labels[levels.of[row]])
        value = point.params.get(name)
        if text in (str(value), value_text(point.tool, name, value), label):
            return label
    return ""


def _lonely_tests(
    query: GateQuery,
    comparison: GateComparison,
    repeats: Repeats,
    levels: Levels,
    pairs: Sequence[ComparedPair],
) -> Iterator[LonelyTest]:
    """Yield the workloads of the run without a counterpart in the baseline."""
    if not len(repeats):
        return
    has_baseline = levels.label_of(comparison.query.baseline) != ""
    of_baseline: Flags = (levels.of == 0) & has_baseline
    covered = np.zeros(len(repeats), dtype=bool)
    for one in pairs:
        covered[one.pair.b] = True
    mine: Flags = (repeats.run == query.run) & ~of_baseline & ~covered
    others = _nearby(repeats, np.flatnonzero(of_baseline))
    tests = list(lonely_rows(repeats, mine))
    limit = max(1, MAX_NEARBY // max(1, len(tests)))
    for test in tests:
        near = others.get(_kind(repeats, int(test.rows[0])), [])[:limit]
        listed = _differences(repeats, int(test.rows[0]), near, comparison.query.param)
        yield replace(test, comparison=comparison, differing=listed)


def lonely_rows(repeats: Repeats, mine: Flags) -> Iterator[LonelyTest]:
    """Yield these rows by workload, operation and conditions."""
    rows = np.flatnonzero(mine)
    if not len(rows):
        return
    points = {one.key: one for one in repeats.where(mine).points_here}
    labels = unique_labels({key: Labelled(p.tool, p.params, p.label) for key, p in points.items()})
    keys = np.stack([repeats.point[rows], repeats.operation[rows], repeats.conditions[rows]])
    _groups, of = np.unique(keys, axis=1, return_inverse=True)
    order = np.argsort(of.reshape(-1), kind="stable")
    starts = np.unique(of.reshape(-1)[order], return_index=True)[1]
    for those in np.split(rows[order], starts[1:]):
        label = labels[repeats.points[repeats.point[those[0]]].key]
        yield LonelyTest(None, repeats, those, label, ())


_Kind = tuple[str, str]
"""(tool, operation)."""
_Nearby = Sequence[tuple[WorkloadPoint, Conditions]]


def _kind(repeats: Repeats, row: int) -> _Kind:
    return repeats.points[repeats.point[row]].tool, repeats.operations[repeats.operation[row]]


def _nearby(repeats: Repeats, rows: Ints) -> dict[_Kind, list[tuple[WorkloadPoint, Conditions]]]:
    """Return workload and conditions of these rows by kind, each once."""
    columns = (repeats.point[rows], repeats.operation[rows], repeats.conditions[rows])
    result: dict[_Kind, list[tuple[WorkloadPoint, Conditions]]] = defaultdict(list)
    for index in np.unique(np.stack(columns), axis=1, return_index=True)[1].tolist():
        row = int(rows[index])
        pair = repeats.points[repeats.point[row]], repeats.shared[repeats.conditions[row]]
        result[_kind(repeats, row)].append(pair)
    return result


def _differences(repeats: Repeats, row: int, others: _Nearby, without: str) -> tuple[str, ...]:
    """Return what distinguishes a test from the most similar one of its kind in the baseline."""
    point, here = repeats.points[repeats.point[row]], repeats.shared[repeats.conditions[row]]
    if not others:
        tool, operation = _kind(repeats, row)
        text = _("the baseline has no result of {tool} {operation}")
        return (text.format(tool=tool, operation=operation),)
    listed = (
        _param_differences(other, point, without) + _place_differences(there, here)
        for other, there in others
    )
    nearest: list[str] = min(listed, key=len)
    return tuple(nearest) or (_("the baseline has no result of this workload"),)


def _param_differences(a: WorkloadPoint, b: WorkloadPoint, without: str) -> list[str]:
    return [
        _against_text(
            inside(param_label(b.tool, name)),
            value_text(a.tool, name, a.params.get(name)),
            value_text(b.tool, name, b.params.get(name)),
        )
        for name in differing([a.params, b.params], [without])
    ]


def _place_differences(a: Conditions, b: Conditions) -> list[str]:
    """Return the differences of targets and tunings."""
    return [
        _against_text(str(LABELS[name]), a.properties[name], b.properties[name])
        for name in ("target", "tuning")
        if a.properties[name] != b.properties[name]
    ]


def _against_text(label: str, a: str, b: str) -> str:
    return _("{label} ({a} against {b})").format(label=label, a=a, b=b)


def tests_without_baseline(query: GateQuery, run_targets: frozenset[int]) -> Iterator[LonelyTest]:
    """Yield the workloads on these run targets, which have no baseline of the name."""
    if not run_targets:
        return
    repeats = _with_operation(repeats_of([query.run]), query.operation)
    rows = ResultSummary.objects.filter(run=query.run, run_target__in=run_targets).order_by()
    mine: Flags = np.isin(repeats.measurement, list(rows.values_list("pk", flat=True)))
    text = _("the target has no baseline “{name}”").format(name=query.name)
    for one in lonely_rows(repeats, mine):
        yield replace(one, differing=(text,))
