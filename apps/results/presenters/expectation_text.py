"""Evaluated expectations as text."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.value_parser import value_text, words_of
from apps.results.selectors.expectations import EvaluatedExpectation
from apps.tools.metrics import METRICS


def expected_text(one: EvaluatedExpectation) -> str:
    """Return an expectation as text."""
    return words_of(one.expected)


def reason_text(one: EvaluatedExpectation) -> str:
    """Return the meaning of the verdict."""
    words: dict[VerdictKind, Any] = {
        VerdictKind.MET: _("All of the interval is on the good side of the limit, {limit}."),
        VerdictKind.MISSED: _("All of the interval is beyond the limit, {limit}."),
        VerdictKind.INCONCLUSIVE: _(
            "The limit, {limit}, is inside the interval: repeats show both."
        ),
        VerdictKind.UNKNOWN: _("Nothing valid was measured of it."),
    }
    if one.result.waived:
        return _("The other SLA limit is met, and no disk exceeds both.")
    return str(words[one.verdict]).format(limit=figure_text(one, one.result.limit))


def figure_text(one: EvaluatedExpectation, value: float | None) -> str:
    """Return a value in the unit of the expectation."""
    expected = one.expected
    if value is None:
        return "–"
    return value_text(METRICS[expected.metric], value, expected.unit) if value > 0 else "0"
