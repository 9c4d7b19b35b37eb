"""Filters of evaluated expectations: `{% load benchlab_expectations %}`."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.domain.value_format import format_change
from apps.common.domain.verdicts import VerdictKind
from apps.plans.forms.expectations import SOURCES
from apps.results.presenters.expectation_text import expected_text, figure_text, reason_text
from apps.results.selectors.expectations import EvaluatedExpectation

register = template.Library()
register.filter("expectation_text", expected_text)
register.filter("expectation_reason", reason_text)


@register.filter
def expectation_source(one: EvaluatedExpectation) -> str:
    """Return the label of an expectation's source."""
    return str(dict(SOURCES)[one.expected.source])


@register.filter
def expectation_measured(one: EvaluatedExpectation) -> str:
    """Return the median of the repeats in the unit of the expectation."""
    return figure_text(one, one.result.median)


@register.filter
def expectation_within(one: EvaluatedExpectation) -> str:
    """Return "of 6,000 IOPS: met within 5 %" where only the tolerance lets the median pass."""
    margin_share, tolerance = one.result.margin, one.expected.tolerance
    is_within = one.verdict == VerdictKind.MET and not one.result.waived
    if not is_within or margin_share is None or margin_share >= 0:
        return ""
    words = _("of {value}: met within {percent} %")
    return words.format(value=figure_text(one, one.expected.value), percent=f"{tolerance:g}")


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
        low=figure_text(one, result.interval_low),
        high=figure_text(one, result.interval_high),
    )


@register.filter
def margin(share: float) -> str:
    """Return a margin with its sign: 0.05 as "+5.0 %"."""
    return format_change(1 + share)
