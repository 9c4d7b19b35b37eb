"""Met, missed, or the limit inside the interval; the margin; a provider's two caps."""

from __future__ import annotations

import pytest

from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.expectation_verdicts import (
    ExpectationResult,
    evaluate,
    is_either,
    limit_of,
    median_interval,
    waive_alternatives,
)
from apps.plans.schemas.expectations import Expectation


def test_a_single_test_is_its_own_interval() -> None:
    found = evaluate(6000, "least", limit_of(6000, "least", 5), [5700])
    assert (found.verdict, found.interval_low, found.interval_high, found.is_exact) == (
        VerdictKind.MET,
        5700,
        5700,
        False,
    )
    assert found.margin == pytest.approx(-0.05)
    assert evaluate(6000, "least", limit_of(6000, "least", 5), [5699]).verdict == VerdictKind.MISSED


def test_upper_bound_reverses_the_comparison() -> None:
    bound = limit_of(10e6, "most", 10)
    assert bound == pytest.approx(11e6)
    found = evaluate(10e6, "most", bound, [8e6])
    assert found.verdict == VerdictKind.MET
    assert found.margin == pytest.approx(0.2)
    assert evaluate(10e6, "most", bound, [11.1e6]).verdict == VerdictKind.MISSED


def test_repeats_on_both_sides_are_neither() -> None:
    found = evaluate(100, "least", 100, [98, 99, 103])
    assert (found.verdict, found.interval_low, found.interval_high) == (
        VerdictKind.INCONCLUSIVE,
        98,
        103,
    )
    assert (found.median, found.repeats, found.is_exact) == (99, 3, False)


def test_one_bad_repeat_of_nine_does_not_miss() -> None:
    found = evaluate(100, "least", 100, [50, 101, 102, 103, 104, 105, 106, 107, 108])
    assert (found.verdict, found.interval_low, found.interval_high, found.is_exact) == (
        VerdictKind.MET,
        101,
        107,
        True,
    )


@pytest.mark.parametrize(
    ("n", "expected"),
    [(1, (1, 1, False)), (5, (1, 5, False)), (6, (1, 6, True)), (9, (2, 8, True))],
)
def test_the_interval_is_exact_from_six_on(n: int, expected: tuple[float, float, bool]) -> None:
    # Of 6 the extremes leave 2 / 64 outside, of 9 the second ones 20 / 512: Conover's table A3.
    assert median_interval([float(k) for k in range(1, n + 1)]) == expected


def test_what_was_not_measured_is_unknown() -> None:
    found = evaluate(100, "least", 100, [float("nan")])
    assert (found.verdict, found.median, found.margin) == (VerdictKind.UNKNOWN, None, None)


def test_of_a_providers_caps_one_is_enough() -> None:
    iops = evaluate(6000, "least", 6000, [170.0])
    rate = evaluate(170e6, "least", 170e6, [178e6])
    met = waive_alternatives([(True, iops), (True, rate)])
    assert [each.verdict for each in met] == [VerdictKind.MET, VerdictKind.MET]
    assert [each.waived for each in met] == [True, False]
    apart = waive_alternatives([(False, iops), (False, rate)])
    assert [each.verdict for each in apart] == [VerdictKind.MISSED, VerdictKind.MET]


def test_both_caps_missed_is_missed() -> None:
    missed = [(True, ExpectationResult(VerdictKind.MISSED, 1, 1.0))] * 2
    assert {each.verdict for each in waive_alternatives(missed)} == {VerdictKind.MISSED}


def test_only_a_providers_rates_are_caps() -> None:
    assert is_either(Expectation("iops", source="provider"))
    assert not is_either(Expectation("iops"))
    assert not is_either(Expectation("latency_p99", "most", source="provider"))
