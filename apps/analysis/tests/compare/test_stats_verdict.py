"""Verdicts that a comparison may give, and how often they may be wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apps.analysis.verdicts.batches import Blocks, ChainCell
from apps.analysis.verdicts.chains import evaluate_chains, verdicts
from apps.analysis.verdicts.chains import verdict as verdict_of
from apps.analysis.verdicts.verdict import SENTENCES, Verdict
from tests.statistics.verdicts import NOISE, SimulatedPage, contradictions, wrong

LOW = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0]
HIGH = [120.0, 121.0, 122.0, 123.0, 124.0, 125.0]
SAME = [100.5, 101.5, 102.5, 102.7, 103.5, 104.5]


def verdict(a: list[float], b: list[float], cells: int = 1, **more: Any) -> Verdict:
    return verdict_of(ChainCell(a, b, more.pop("higher_is_better", True), **more), cells)


@pytest.mark.parametrize(
    ("a", "b", "higher", "kind"),
    [
        (LOW, HIGH, True, "better"),
        (LOW, HIGH, False, "worse"),
        (HIGH, LOW, True, "worse"),
        (HIGH, LOW, False, "better"),
        (LOW, SAME, True, "no_difference"),
        (LOW[:3], HIGH[:3], True, "too_few_repeats"),
        ([83.3], [88.9], True, "too_few_repeats"),
        ([], HIGH, True, "too_few_repeats"),
    ],
)
def test_kind(a: list[float], b: list[float], higher: bool, kind: str) -> None:
    assert verdict(a, b, higher_is_better=higher).kind == kind


def test_a_differing_factor_comes_before_everything_else() -> None:
    texts = verdict(LOW, HIGH, higher_is_better=True, differing_factors=["kernel", "firmware"])
    assert texts.kind == "not_comparable"
    assert (texts.p, texts.p_adjusted) == (None, None)
    assert texts.factors == ("kernel", "firmware")


def test_three_against_three_asks_for_six() -> None:
    texts = verdict(LOW[:3], HIGH[:3], higher_is_better=True)
    assert (texts.code, texts.needed) == ("too_few_repeats", 6)
    assert (texts.n_a, texts.n_b) == (3, 3)


def test_too_many_comparisons_ask_for_more_repeats() -> None:
    texts = verdict(LOW, HIGH, higher_is_better=True, cells=24)
    assert (texts.kind, texts.code, texts.needed) == ("too_few_repeats", "too_few_in_family", 7)
    assert texts.cells == 24
    assert verdict(LOW, HIGH, higher_is_better=True, cells=23).kind == "better"


def test_effect_is_given_even_where_no_verdict_is() -> None:
    texts = verdict([100.0], [110.0], higher_is_better=True)
    assert texts.effect.ratio == pytest.approx(1.1)


def test_a_difference_below_the_minimum_is_none() -> None:
    texts = verdict(LOW, HIGH, higher_is_better=True, minimum_effect=0.3)
    assert (texts.kind, texts.code) == ("no_difference", "below_minimum")
    assert texts.minimum == pytest.approx(30)
    assert verdict(LOW, HIGH, higher_is_better=True, minimum_effect=0.1).kind == "better"


def test_zero_against_something_is_a_difference_without_a_figure() -> None:
    texts = verdict([0.0] * 6, LOW, higher_is_better=True)
    assert (texts.kind, texts.code) == ("better", "better_unbounded")


def test_one_of_many_may_count_alone_only() -> None:
    near = [103.1, 104.1, 105.1, 106.1, 107.1, 108.1]
    family = [ChainCell(LOW, near, True)] + [ChainCell(LOW, SAME, True)] * 9
    first = verdicts(family)[0]
    assert (first.kind, first.code) == ("no_difference", "not_shown_in_family")
    assert verdict(LOW, near, higher_is_better=True).kind == "better"


def test_family_ignores_what_cannot_be_compared() -> None:
    family = [
        ChainCell(LOW, HIGH, True),
        *[ChainCell(LOW, HIGH, True, differing_factors=["disk"])] * 60,
    ]
    texts = verdicts(family)
    assert texts[0].kind == "better"
    assert texts[0].p_adjusted == texts[0].p
    assert {v.kind for v in texts[1:]} == {"not_comparable"}


def test_drift_between_blocks_hides_nothing() -> None:
    labels = np.repeat(np.arange(1, 4), 3)
    a = 100.0 * np.array([1.0, 1.001, 1.002, 2.0, 2.001, 2.002, 0.5, 0.501, 0.502])
    plain = verdict(a.tolist(), (1.05 * a).tolist())
    blocked = verdict(a.tolist(), (1.05 * a).tolist(), blocks=Blocks(labels, labels))
    assert plain.kind == "no_difference"
    assert (blocked.kind, blocked.test) == ("better", "blocks")
    assert blocked.effect.low is not None
    assert blocked.effect.low > 1.04


def test_metric_after_one_without_difference_is_not_tested() -> None:
    ((first, second),) = evaluate_chains([[ChainCell(LOW, SAME, True), ChainCell(LOW, HIGH, True)]])
    assert first is not None
    assert first.kind == "no_difference"
    assert second is None


def test_metric_after_one_with_difference_has_the_whole_alpha() -> None:
    twenty = [[ChainCell(LOW, HIGH, True), ChainCell(LOW, HIGH, False)]] * 2
    for first, second in evaluate_chains(twenty):
        assert first is not None
        assert second is not None
        assert (first.kind, second.kind) == ("better", "worse")


def test_a_metric_with_too_few_values_is_passed_over() -> None:
    few = ChainCell([1.0, None, None, None, None, None], HIGH, True)
    ((_first, second, third),) = evaluate_chains(
        [[ChainCell(LOW, HIGH, True), few, ChainCell(LOW, HIGH, True)]]
    )
    assert second is None
    assert third is not None
    assert third.kind == "better"


def test_a_chain_whose_rest_has_too_few_repeats_gives_its_part_to_the_others() -> None:
    few = ChainCell([1.0, None, None, None, None, None], HIGH, True)
    ((first, _few), (second,)) = evaluate_chains(
        [[ChainCell(LOW, HIGH, True), few], [ChainCell(LOW, HIGH, True)]]
    )
    assert first is not None
    assert second is not None
    assert (first.cells, second.cells) == (2, 1)


def test_an_empty_family_has_no_verdicts() -> None:
    assert verdicts([]) == []


def test_every_sentence_can_be_rendered() -> None:
    parts = verdict(LOW, HIGH, higher_is_better=True).parts("+1.0 %")
    for template in SENTENCES.values():
        assert template.format(**parts)


SAMPLING_ERROR = 0.015
"""One standard error of 5 % in 200 pages; that the level is exact, listing proves elsewhere."""


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("repeats", [6, 9])
def test_pages_of_equal_tunings_err_in_5_percent(noise: str, repeats: int) -> None:
    page = SimulatedPage(4, 3, repeats, noise=noise, drift=1.2)
    assert wrong(page, 200, seed=4).share <= 0.05 + SAMPLING_ERROR


@pytest.mark.parametrize("effect", [1.0, 1.04])
def test_no_interval_contradicts_its_verdict(effect: float) -> None:
    assert contradictions(SimulatedPage(4, 5, 8, effect=effect, drift=1.2), 60, seed=5) == 0
