"""Expectations beside what was measured: `{% load benchlab_expectations %}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.common.domain import units
from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.value_parser import value_text, words_of
from apps.plans.forms.expectations import SOURCES
from apps.results.selectors.expectations import ExpectedSide, HeldExpectation, case_held, run_held
from apps.runs.models import Case, Run
from apps.runs.presenters.workloads import in_order, labels_of, run_workloads
from apps.tools.metrics import METRICS

register = template.Library()


@register.inclusion_tag("results/partials/expectations.html")
def run_expectations(run: Run) -> dict[str, object]:
    """The card of a run's expectations; nothing where its plan has none."""
    if not any(step.expectations for step in run.spec.steps):
        return {"rows": []}
    workloads = run_workloads(run)
    labels = labels_of(workloads)
    places = {workload: place for place, workload in enumerate(in_order(workloads))}
    rows = sorted(run_held(run), key=lambda held: _place(held.side, places))
    return expectations_card([(_head(held.side, labels), held) for held in rows])


@register.inclusion_tag("results/partials/expectations.html")
def expectations_card(rows: Sequence[tuple[str, HeldExpectation]]) -> dict[str, object]:
    """The card of expectations under heads."""
    return {"rows": rows, "counts": counts_of([held for _label, held in rows])}


def _place(side: ExpectedSide | None, places: Mapping[int, int]) -> tuple[str, int]:
    """Steps one after the other, their workloads by the values of their parameters."""
    return (side.step, places.get(side.workload, 0)) if side else ("", 0)


def _head(side: ExpectedSide | None, labels: Mapping[int, str]) -> str:
    """Head of a side's rows: step, workload, target and tuning."""
    if side is None:
        return ""
    words = (side.step, labels.get(side.workload, ""), side.target, side.tuning)
    return " · ".join(filter(None, words))


@register.inclusion_tag("results/partials/expectations.html")
def case_expectations(case: Case) -> dict[str, object]:
    """The card of one test's expectations."""
    if not any(step.expectations for step in case.run.spec.steps):
        return {"rows": []}
    return {"rows": [("", held) for held in case_held(case)]}


def counts_of(found: Sequence[HeldExpectation]) -> list[tuple[str, int]]:
    """(how it was judged, how often), the worst first."""
    order = (VerdictKind.MISSED, VerdictKind.INCONCLUSIVE, VerdictKind.MET, VerdictKind.UNKNOWN)
    numbers = [(each, sum(held.judged == each for held in found)) for each in order]
    return [(each.value, number) for each, number in numbers if number]


@register.filter
def held_words(held: HeldExpectation) -> str:
    """An expectation in words."""
    return words_of(held.expected)


@register.filter
def held_source(held: HeldExpectation) -> str:
    """The source of an expectation."""
    return str(dict(SOURCES)[held.expected.source])


@register.filter
def held_measured(held: HeldExpectation) -> str:
    """The figure, or the median of the repeats, in the unit of what was expected."""
    return _figure(held, held.finding.middle)


@register.filter
def held_interval(held: HeldExpectation) -> str:
    """Interval that the limit was held against, where it is more than one figure: "6 repeats, 95 %
    interval 5,800 to 6,100 IOPS".
    """
    found = held.finding
    if found.repeats < 2:
        return ""
    words = (
        ngettext(
            "{n} repeat, 95 % interval of the median {low} to {high}",
            "{n} repeats, 95 % interval of the median {low} to {high}",
            found.repeats,
        )
        if found.exact
        else ngettext(
            "{n} repeat, from {low} to {high}", "{n} repeats, from {low} to {high}", found.repeats
        )
    )
    return words.format(
        n=found.repeats, low=_figure(held, found.low), high=_figure(held, found.high)
    )


@register.filter
def margin(share: float) -> str:
    """A margin with its sign: 0.05 is "+5.0 %"."""
    return units.change(1 + share)


@register.filter
def held_why(held: HeldExpectation) -> str:
    """Meaning of its badge here."""
    words: dict[VerdictKind, Any] = {
        VerdictKind.MET: _("All of the interval is on the good side of the limit, {bound}."),
        VerdictKind.MISSED: _("All of the interval is beyond the limit, {bound}."),
        VerdictKind.INCONCLUSIVE: _(
            "The limit, {bound}, is inside the interval: repeats say both."
        ),
        VerdictKind.UNKNOWN: _("Nothing valid was measured of it."),
    }
    if held.finding.spared:
        return _("The provider's other promise is reached, and more than one of both cannot be.")
    return str(words[held.judged]).format(bound=_figure(held, held.finding.bound))


def _figure(held: HeldExpectation, value: float | None) -> str:
    expected = held.expected
    if value is None:
        return "–"
    return value_text(METRICS[expected.metric], value, expected.unit) if value > 0 else "0"
