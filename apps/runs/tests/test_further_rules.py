"""Rules that add cases in words; nothing of them is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from apps.plans.schemas.steady_state import SteadyStateRule
from apps.plans.schemas.stopping import PrecisionLimits
from apps.runs.domain.effects import canonical
from apps.runs.domain.further_rules import further_lines

NONE: dict[str, Any] = {
    "stopping_rule": None,
    "load_search": ["", None],
    "steady_state": None,
    "without_tuning": "fail",
    "blocks": [],
}
UNAVAILABLE = "If a tuning profile cannot be applied: refuse the test"


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ({}, []),
        (
            {"stopping_rule": PrecisionLimits(3.0, "param:iodepth", 20, 1.5)},
            [
                "Blocks until every comparison of values of iodepth is within ± 3 %; "
                "at most 20 blocks; at most 1.5 h"
            ],
        ),
        (
            {"load_search": ["iodepth", None]},
            [
                "A search for the largest iodepth that meets the expectations adds values; "
                "no limit of hours"
            ],
        ),
        (
            {"steady_state": SteadyStateRule(25, 2, "latency_mean")},
            ["Rounds of all tests until the mean latency of step 2 is steady; at most 25 rounds"],
        ),
        (
            {"blocks": [["until", 2, 9, 4.0, 2.5]]},
            ["Blocks 2 to 9, until every interval is within ± 2.5 %; at most 4 h"],
        ),
    ],
)
def test_rules_are_sentences(rules: dict[str, Any], lines: list[str]) -> None:
    with translation.override("en"):
        assert further_lines(canonical(NONE | rules)) == [*lines, UNAVAILABLE]


@pytest.mark.parametrize(
    "further",
    [
        canonical(NONE | {"another_rule": [1]}),
        canonical(NONE | {"stopping_rule": {"precision_percent": 3.0, "other": 1}}),
        canonical(NONE | {"blocks": [["repeats", 1, 2, None, None]]}),
    ],
)
def test_what_no_sentence_has_is_shown_as_it_is(further: str) -> None:
    assert further in further_lines(further)


FLOATS = st.none() | st.floats(0.01, 1000.0)
RULES = st.fixed_dictionaries(
    {
        "stopping_rule": st.none()
        | st.builds(
            PrecisionLimits, st.floats(0.5, 50.0), st.sampled_from(["tuning", "param:bs"]),
            st.integers(1, 100), FLOATS,
        ),
        "load_search": st.tuples(st.sampled_from(["", "iodepth"]), FLOATS),
        "steady_state": st.none() | st.builds(SteadyStateRule, st.integers(1, 100)),
        "without_tuning": st.sampled_from(["fail", "untuned"]),
        "blocks": st.lists(st.tuples(st.just("until"), st.integers(1, 9), st.integers(1, 9),
                                     FLOATS, FLOATS), max_size=2),
    }
)  # fmt: skip


@given(RULES, RULES)
def test_different_rules_are_different_lines(one: dict[str, Any], other: dict[str, Any]) -> None:
    for rules in (one, other):
        if not rules["load_search"][0]:
            rules["load_search"] = ("", None)
    before, after = canonical(one), canonical(other)
    assert (further_lines(before) == further_lines(after)) == (before == after)
