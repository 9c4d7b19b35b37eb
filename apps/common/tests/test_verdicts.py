"""The one vocabulary of verdicts: every word of it has its group and its look."""

from __future__ import annotations

from apps.common.domain.verdicts import (
    COMPARISON_VERDICTS,
    DIFFERENCE_SHOWN,
    EXPECTATION_VERDICTS,
    VerdictKind,
)
from apps.common.templatetags.benchlab_badges import BADGES


def test_every_verdict_is_of_a_comparison_or_of_an_expectation() -> None:
    assert {*COMPARISON_VERDICTS, *EXPECTATION_VERDICTS} == set(VerdictKind)
    assert not {*COMPARISON_VERDICTS} & {*EXPECTATION_VERDICTS}
    assert set(DIFFERENCE_SHOWN) < set(COMPARISON_VERDICTS)


def test_people_read_a_word_for_every_verdict() -> None:
    """UNKNOWN alone has the words of a host that is not heard of."""
    assert set(VerdictKind) - {VerdictKind.UNKNOWN} <= set(BADGES)
