"""Groups of repeats: one workload and operation on one target, by level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import orjson

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.levels import Levels, RowKey, place_label, workload_key_of
from apps.analysis.repeats.repeats import Flags, Ints, Repeats, WorkloadPoint
from apps.plans.domain.workload_labels import Labelled, unique_labels
from apps.tools.params import canonical_key
from apps.tools.registry import measures_network
from apps.tools.workloads.order import Key, name_key, operation_key, workload_order

CACHE_SIZE = 2**14


@dataclass(frozen=True)
class Group:
    """Rows of repeats by level, ordered by time, the baseline first.

    `where`: the target's name if there are several; `at`: always. `of_network`: rates are network
    rates.
    """

    workload: str
    label: str
    operation: str
    where: str
    at: str
    sides: Mapping[str, Ints]
    of_network: bool

    @cached_property
    def slug(self) -> str:
        """Return the group's name in URLs, which depends on workload, operation and target only."""
        target = {"key": self.workload, "operation": self.operation, "where": self.at}
        return canonical_key(target)[:12]


@dataclass(frozen=True)
class GroupedRepeats:
    """Groups; `alone`: number of results without a counterpart at another level."""

    groups: tuple[Group, ...]
    alone: int


@dataclass(frozen=True)
class _Codes:
    """Code of workload, operation and target of each row.

    `strides`: number of operations, and of targets, of which the last one is "all together".
    """

    of: Ints
    strides: tuple[int, int]
    keys: list[str]
    targets: list[str]

    def parts(self, code: int) -> tuple[int, int, int]:
        rest, target = divmod(code, self.strides[1])
        return *divmod(rest, self.strides[0]), target


def group_repeats(repeats: Repeats, levels: Levels, query: ComparisonQuery) -> GroupedRepeats:
    """Group repeats by workload, operation, host, disk and tuning.

    If no target has two levels (as each level has its own host), the targets are combined; the
    confounders then list their differences.
    """
    if not len(repeats):
        return GroupedRepeats((), 0)
    codes = _combine_targets(_codes(repeats, query), levels)
    result, of = np.unique(codes.of, return_inverse=True)
    shared = _has_baseline_and_other(of, len(result), levels)
    rows = np.flatnonzero(shared[of])
    sides = _rows_by_level(rows, of, levels)
    targets = {
        _row_key(codes, repeats, int(result[number])): each for number, each in sides.items()
    }
    return GroupedRepeats(tuple(_make_groups(targets, repeats, query)), len(repeats) - len(rows))


def _codes(repeats: Repeats, query: ComparisonQuery) -> _Codes:
    keys, key_of = _number_distinct([workload_key_of(point, query) for point in repeats.points])
    targets, target_of = _number_distinct(
        [place_label(here, query.factor) for here in repeats.shared]
    )
    strides = len(repeats.operations), len(targets) + 1
    of = key_of[repeats.point] * strides[0] + repeats.operation
    return _Codes(of * strides[1] + target_of[repeats.conditions], strides, keys, [*targets, ""])


def _number_distinct(names: Sequence[str]) -> tuple[list[str], Ints]:
    numbers = {word: number for number, word in enumerate(dict.fromkeys(names))}
    return list(numbers), np.array([numbers[word] for word in names], dtype=np.int64)


def _combine_targets(codes: _Codes, levels: Levels) -> _Codes:
    """Combine targets with one level each, unless another target of the workload has more."""
    result, of = np.unique(codes.of, return_inverse=True)
    whole = _has_baseline_and_other(of, len(result), levels)
    tests, test = np.unique(result // codes.strides[1], return_inverse=True)
    keep = np.bincount(test, whole, len(tests)) > 0
    keep |= np.bincount(test, minlength=len(tests)) == 1
    everywhere = tests[test] * codes.strides[1] + codes.strides[1] - 1
    placed = np.where(keep[test], result, everywhere)
    return _Codes(placed[of], codes.strides, codes.keys, codes.targets)


def _has_baseline_and_other(of: Ints, groups: int, levels: Levels) -> Flags:
    """Return a mask of the groups that have the baseline and another level."""
    pairs = np.unique(of * len(levels.labels) + levels.of)
    group, level = np.divmod(pairs, len(levels.labels))
    has_baseline = np.bincount(group[level == 0], minlength=groups) > 0
    result: Flags = has_baseline & (np.bincount(group, minlength=groups) > 1)
    return result


def _rows_by_level(rows: Ints, of: Ints, levels: Levels) -> dict[int, dict[str, Ints]]:
    """Return these rows by group and level, in the order of measurement."""
    sides: dict[int, dict[str, Ints]] = defaultdict(dict)
    code = of[rows] * len(levels.labels) + levels.of[rows]
    order = np.argsort(code, kind="stable")
    result, starts = np.unique(code[order], return_index=True)
    pieces = np.split(rows[order], starts[1:]) if len(result) else []
    for number, piece in zip(result.tolist(), pieces, strict=True):
        group, level = divmod(number, len(levels.labels))
        sides[group][levels.labels[level]] = piece
    return sides


def _row_key(codes: _Codes, repeats: Repeats, code: int) -> RowKey:
    key, operation, target = codes.parts(code)
    return codes.keys[key], repeats.operations[operation], codes.targets[target]


def _make_groups(
    result: Mapping[RowKey, Mapping[str, Ints]], repeats: Repeats, query: ComparisonQuery
) -> list[Group]:
    points = {
        key: repeats.points[repeats.point[next(iter(sides.values()))[0]]]
        for (key, _operation, _where), sides in result.items()
    }
    labels = unique_labels(
        {key: Labelled(p.tool, p.params, p.label) for key, p in points.items()},
        without=query.param,
    )
    mixed = _multi_operation_workloads(result)
    several_targets = len({target for _key, _operation, target in result}) > 1
    groups = []
    for target in sorted(result, key=_sort_key(points, query.param)):
        key, operation, at = target
        label = f"{labels[key]} · {operation}" if key in mixed else labels[key]
        shown, network = at if several_targets else "", measures_network(points[key].tool)
        groups.append(Group(key, label, operation, shown, at, result[target], network))
    return groups


def _sort_key(
    points: Mapping[str, WorkloadPoint], without: str
) -> Callable[[RowKey], tuple[Key, ...]]:
    """Return a sort key: workloads by parameter values, operations in their tool's order."""
    by_params = {
        key: _workload_sort_key(p.tool, orjson.dumps(p.params), without)
        for key, p in points.items()
    }
    # Thousands of workloads have few tools, operations and places.
    operations, targets = lru_cache(operation_key), lru_cache(name_key)

    def key(target: RowKey) -> tuple[Key, ...]:
        workload, operation, at = target
        return by_params[workload], operations(points[workload].tool, operation), targets(at)

    return key


@lru_cache(maxsize=CACHE_SIZE)
def _workload_sort_key(tool: str, params: bytes, without: str) -> Key:
    """Return a workload's sort key, cached as workloads are compared repeatedly."""
    return workload_order(tool, orjson.loads(params), without)


def _multi_operation_workloads(result: Mapping[RowKey, Mapping[str, Ints]]) -> set[str]:
    """Return workloads with more than one operation, as a mix of reads and writes."""
    first: dict[str, str] = {}
    return {key for key, operation, _at in result if first.setdefault(key, operation) != operation}
