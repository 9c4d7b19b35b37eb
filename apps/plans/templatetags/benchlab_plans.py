"""Filters for plans: `{% load benchlab_plans %}`."""

from __future__ import annotations

from django import template
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from apps.common.domain.messages import localize_message
from apps.plans.domain.expand import step_params
from apps.plans.domain.param_text import inside
from apps.plans.domain.value_parser import words_of
from apps.plans.domain.workload_labels import Labelled, unique_labels
from apps.plans.forms.expectations import SOURCES
from apps.plans.schemas.advice import Advice, AdviceNote
from apps.plans.schemas.expectations import Expectation
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import Problem
from apps.tools.errors import ParamsError

register = template.Library()


@register.filter
def problem_text(problem: Problem) -> str:
    """Return a problem with its step: "Step 2: ..."."""
    if problem.step is None:
        return problem.message
    words = {"number": problem.step + 1, "text": problem.message}
    return _("Step %(number)s: %(text)s") % words


@register.filter
def advice_text(advice: Advice | AdviceNote) -> str:
    """Return advice with its step: "Step 2: ..."."""
    text = localize_message(advice.text)
    if advice.step is None:
        return text
    return _("Step %(number)s: %(text)s") % {"number": advice.step + 1, "text": text}


@register.filter
def in_short(fields: list[tuple[BoundField, str]]) -> str:
    """Return the labels of a group in one line, for a collapsed group."""
    return ", ".join(inside(str(field.label)) for field, _unit in fields)


@register.filter
def expectation_words(expected: Expectation) -> str:
    """Return e.g. "IOPS at least 6,000 IOPS, 5 % tolerance"."""
    return words_of(expected)


@register.filter
def expectation_source(expected: Expectation) -> str:
    """Return the source of an expectation, as text."""
    return str(dict(SOURCES)[expected.source])


@register.filter
def step_line(step: StepSpec) -> str:
    """Return a step in the form: its first points, or that its parameters are not valid."""
    try:
        step_params(step)
    except ParamsError:
        return _("not valid yet")
    text = step_text(step, 2)
    return _("background load: %(load)s") % {"load": text} if step.is_background else text


@register.filter
def step_text(step: StepSpec, most: int = 6) -> str:
    """Return a step in its tool's words: each point of the sweep, at most `most` of them."""
    try:
        points = [Labelled(step.tool, point.canonical()) for point in step_params(step)]
    except ParamsError as error:
        return str(error)
    more = len(points) - most
    labels = unique_labels(dict(enumerate(points)))
    shown = "; ".join(labels[number] for number in range(min(most, len(points))))
    if more <= 0:
        return shown
    return _("%(shown)s; and %(more)d more") % {"shown": shown, "more": more}
