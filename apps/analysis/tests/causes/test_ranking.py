"""Affected repeats and the fit of conditions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from apps.analysis.causes.affected import (
    AffectedRepeats,
    MeasuredRepeat,
    affected_repeats,
    changed_repeats,
)
from apps.analysis.causes.kinds import TEXTS, Kind
from apps.analysis.causes.ranking import AffectedRepeat, Condition, Value, rank_conditions
from apps.stats.contingency import split_probability


def repeats(slow: int, fast: int, level: bool = False) -> list[AffectedRepeat]:
    return [
        AffectedRepeat(n, n < slow, float(n < slow), str(n < slow) if level else "")
        for n in range(slow + fast)
    ]


def condition(
    values: Sequence[Value] | Mapping[int, Value], kind: Kind = Kind.CPU_LOAD, material: float = 0.0
) -> Condition:
    by_key = values if isinstance(values, Mapping) else dict(enumerate(values))
    return Condition(kind, str(kind), by_key, material)


def measured(levels: Mapping[str, Sequence[float]]) -> list[MeasuredRepeat]:
    pairs = [(level, value) for level, values in levels.items() for value in values]
    return [MeasuredRepeat(n, value, level) for n, (level, value) in enumerate(pairs)]


def slow_keys(result: AffectedRepeats | None) -> list[int]:
    assert result is not None
    return [one.key for one in result.repeats if one.affected]


def test_every_kind_has_texts() -> None:
    assert set(TEXTS) == set(Kind)


@pytest.mark.parametrize(
    ("levels", "higher_is_better", "slow", "in_groups"),
    [
        ({"a": [100, 101, 99], "b": [50, 51, 49]}, True, [3, 4, 5], False),
        ({"a": [100, 101, 99], "b": [50, 51, 49]}, False, [0, 1, 2], False),
        ({"a": [100, 101, 99, 50, 51, 49]}, True, [3, 4, 5], True),
        ({"a": [100, 101, 99, 50, 51, 49], "b": [98, 97, 96]}, True, [3, 4, 5], True),
        # The levels differ more than the groups inside one of them.
        ({"a": [100, 101, 99, 80, 81, 82], "b": [10, 11, 12]}, True, [6, 7, 8], False),
        # One outlier is no group, and five repeats are too few for two groups.
        ({"a": [100, 101, 99, 98, 97, 50], "b": [90, 91, 89]}, True, [6, 7, 8], False),
        ({"a": [100, 101, 99, 50, 51], "b": [90, 91, 89]}, True, [6, 7], False),
    ],
)
def test_affected_repeats(
    levels: Mapping[str, Sequence[float]], higher_is_better: bool, slow: list[int], in_groups: bool
) -> None:
    if slow == [6, 7]:
        slow = [5, 6, 7]
    result = affected_repeats(measured(levels), higher_is_better=higher_is_better)
    assert slow_keys(result) == slow
    assert result is not None
    assert result.in_groups is in_groups


@pytest.mark.parametrize("levels", [{}, {"a": [1.0, 2.0]}, {"a": [5.0], "b": [5.0]}, {"a": [0.0]}])
def test_without_a_difference_nothing_is_affected(levels: Mapping[str, Sequence[float]]) -> None:
    assert affected_repeats(measured(levels), higher_is_better=True) is None


def test_groups_are_shown_without_a_difference_of_levels() -> None:
    levels = {"a": [100, 101, 99, 80, 81, 82], "b": [10, 11, 12]}
    result = affected_repeats(measured(levels), higher_is_better=True, levels_differ=False)
    assert slow_keys(result) == [3, 4, 5]


@pytest.mark.parametrize(
    ("higher_is_better", "slow"), [(True, [1]), (False, [2])], ids=["improved", "worse"]
)
def test_the_slower_side_of_a_change_is_affected(higher_is_better: bool, slow: list[int]) -> None:
    before, after = [MeasuredRepeat(1, 5.0)], [MeasuredRepeat(2, 9.0), MeasuredRepeat(3, 0.0)]
    result = changed_repeats(before, after, higher_is_better=higher_is_better)
    assert slow_keys(result) == slow
    assert (result.affected, result.others) == (1, 1)


def test_a_category_of_all_affected_repeats_is_first() -> None:
    rows = rank_conditions(
        repeats(6, 6),
        [
            condition(["x", "y"] * 6, Kind.CONFIGURATION),
            condition([9.0] * 5 + [1.0] * 7, Kind.CPU_LOAD),
            condition(["mq-deadline"] * 6 + ["none"] * 6, Kind.SETTING),
        ],
    )
    assert [row.condition.kind for row in rows] == [Kind.SETTING, Kind.CPU_LOAD]
    best = rows[0].split
    assert (best.value, best.affected, best.others) == ("mq-deadline", (6, 6), (0, 6))
    assert rows[0].p == pytest.approx(2 / 924)


def test_few_repeats_fit_less_than_many() -> None:
    few, many = (
        rank_conditions(repeats(n, n), [condition([2.0] * n + [1.0] * n)])[0].score for n in (3, 9)
    )
    assert few < many


def test_only_more_of_a_number_may_explain() -> None:
    assert rank_conditions(repeats(6, 6), [condition([1.0] * 6 + [2.0] * 6)]) == []


def test_an_immaterial_number_comes_after_a_material_one() -> None:
    values = [10.2] * 6 + [10.0] * 6
    rows = rank_conditions(
        repeats(6, 6),
        [condition(values, Kind.CPU_LOAD, material=10.0), condition(values, Kind.TEMPERATURE)],
    )
    assert [row.condition.kind for row in rows] == [Kind.TEMPERATURE]


def test_a_condition_of_one_side_only_is_no_candidate() -> None:
    assert rank_conditions(repeats(2, 2), [condition({0: "a", 1: "b"})]) == []
    assert rank_conditions(repeats(2, 2), [condition({0: "a", 2: "a", 3: "a"})]) == []


def test_what_equals_the_levels_is_marked() -> None:
    (row,) = rank_conditions(repeats(4, 4, level=True), [condition(["a"] * 4 + ["b"] * 4)])
    assert row.equals_factor
    assert row.inside is None


def test_a_number_that_contradicts_the_values_inside_the_levels_weighs_less() -> None:
    rows = [AffectedRepeat(n, n < 4, float(n % 4), str(n < 4)) for n in range(8)]
    follows = condition([10.0 + n % 4 for n in range(4)] + [float(n) for n in range(4)])
    against = condition(
        [10.0 - n % 4 for n in range(4)] + [4.0 - n for n in range(4)], Kind.TEMPERATURE
    )
    first, second = rank_conditions(rows, [against, follows])
    assert (first.condition, second.condition) == (follows, against)
    assert first.inside == pytest.approx(1)
    assert second.inside == pytest.approx(-1)


def test_a_correlation_inside_the_levels_that_may_be_chance_does_not_count() -> None:
    rows = [AffectedRepeat(n, n < 4, float(n % 4), str(n < 4)) for n in range(8)]
    values = [11.0, 13.0, 10.0, 12.0, 4.0, 2.0, 3.0, 1.0]
    (row,) = rank_conditions(rows, [condition(values)])
    assert row.inside is not None
    assert row.inside < -0.3
    assert (row.inside_sign, row.weight) == (0, 1.0)


def test_random_numbers_seldom_beat_the_planted_condition() -> None:
    """Twenty conditions of noise against one that fits all but one of the repeats."""
    generator = random.Random(1)
    first = 0
    for _round in range(100):
        noise = [
            condition([generator.random() for _n in range(12)], Kind.TEMPERATURE)
            for _one in range(20)
        ]
        planted = condition([1.0] * 5 + [0.0] * 7, Kind.DISK_LOAD)
        first += rank_conditions(repeats(6, 6), [*noise, planted])[0].condition is planted
    assert first >= 80


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [((3, 3), (0, 3), 1 / 20), ((0, 3), (3, 3), 1.0), ((6, 6), (0, 6), 1 / 924)],
)
def test_exact_probability(a: tuple[int, int], b: tuple[int, int], p: float) -> None:
    assert split_probability(a, b) == pytest.approx(p)
