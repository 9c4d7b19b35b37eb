"""Filters of evaluated expectations: `{% load benchlab_expectations %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.domain.value_format import format_change
from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.value_parser import value_text, words_of
from apps.plans.forms.expectations import SOURCES
from apps.results.selectors.expectations import EvaluatedExpectation
from apps.tools.metrics import METRICS

register = template.Library()


@register.filter
def expectation_text(one: EvaluatedExpectation) -> str:
    """Return an expectation as text."""
    return words_of(one.expected)


@register.filter
def expectation_source(one: EvaluatedExpectation) -> str:
    """Return the label of an expectation's source."""
    return str(dict(SOURCES)[one.expected.source])


@register.filter
def expectation_measured(one: EvaluatedExpectation) -> str:
    """Return the median of the repeats in the unit of the expectation."""
    return _figure(one, one.result.median)


@register.filter
def expectation_within(one: EvaluatedExpectation) -> str:
    """Return "of 6,000 IOPS: met within 5 %" where only the tolerance lets the median pass."""
    margin_share, tolerance = one.result.margin, one.expected.tolerance
    is_within = one.verdict == VerdictKind.MET and not one.result.waived
    if not is_within or margin_share is None or margin_share >= 0:
        return ""
    words = _("of {value}: met within {percent} %")
    return words.format(value=_figure(one, one.expected.value), percent=f"{tolerance:g}")


@register.filter
def expectation_interval(one: EvaluatedExpectation) -> str:
    """Return "6 repeats, 95 % interval of the median 5,800 to 6,100"; empty for one repeat."""
    result = one.result
    if result.repeats < 2:
        return ""
    words = (
        ngettext(
            # xgettext:no-python-format
            "{n} repeat, 95 % interval of the median {low} to {high}",
            "{n} repeats, 95 % interval of the median {low} to {high}",
            result.repeats,
        )
        if result.is_exact
        else ngettext(
            "{n} repeat, from {low} to {high}", "{n} repeats, from {low} to {high}", result.repeats
        )
    )
    return words.format(
        n=result.repeats,
        low=_figure(one, result.interval_low),
        high=_figure(one, result.interval_high),
    )


@register.filter
def margin(share: float) -> str:
    """Return a margin with its sign: 0.05 as "+5.0 %"."""
    return format_change(1 + share)


@register.filter
def expectation_reason(one: EvaluatedExpectation) -> str:
    """Return the meaning of the verdict."""
    words: dict[VerdictKind, Any] = {
        VerdictKind.MET: _("All of the interval is on the good side of the limit, {limit}."),
        VerdictKind.MISSED: _("All of the interval is beyond the limit, {limit}."),
        VerdictKind.INCONCLUSIVE: _(
            "The limit, {limit}, is inside the interval: repeats say both."
        ),
        VerdictKind.UNKNOWN: _("Nothing valid was measured of it."),
    }
    if one.result.waived:
        return _("The other SLA limit is met, and no disk exceeds both.")
    return str(words[one.verdict]).format(limit=_figure(one, one.result.limit))


def _figure(one: EvaluatedExpectation, value: float | None) -> str:
    expected = one.expected
    if value is None:
        return "–"
    return value_text(METRICS[expected.metric], value, expected.unit) if value > 0 else "0"
