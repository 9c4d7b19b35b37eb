"""Rules that may add cases to a run, in words."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.plans.schemas.factors import factor_words
from apps.plans.schemas.plan import ON_TUNING_UNAVAILABLE
from apps.plans.schemas.steady_state import METRIC, SteadyStateRule
from apps.plans.schemas.stopping import PrecisionLimits
from apps.tools.fields import Field

UNTIL = "until"


class FurtherRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules as `apps.runs.selectors.effect_rules` writes them.

    `load_search`: parameter and hours. `blocks`: kind, first and last block, hours, precision.
    """

    stopping_rule: PrecisionLimits | None = None
    load_search: tuple[str, float | None] = ("", None)
    steady_state: SteadyStateRule | None = None
    without_tuning: str = ""
    blocks: tuple[tuple[str, int, int, float | None, float | None], ...] = ()


def further_lines(further: str) -> list[str]:
    """Return each rule as a sentence; the JSON itself if a sentence would lose a part of it."""
    if not further:
        return []
    try:
        rules = msgspec.json.decode(further, type=FurtherRules)
    except (msgspec.MsgspecError, UnicodeError):
        return [further]
    is_whole = msgspec.json.encode(rules, order="sorted").decode() == further
    is_known = all(kind == UNTIL for kind, *_rest in rules.blocks)
    return [*_lines(rules), *([] if is_whole and is_known else [further])]


def _lines(rules: FurtherRules) -> Iterator[str]:
    if rules.stopping_rule is not None:
        yield _precision(rules.stopping_rule)
    for _kind, first, last, hours, precision in rules.blocks:
        text = _("Blocks %(first)d to %(last)d, until every interval is within ± %(precision)s %%")
        values = {"first": first, "last": last, "precision": _number(precision)}
        yield f"{text % values}; {_hours(hours)}"
    parameter, hours = rules.load_search
    if parameter:
        text = _("A search for the largest %(name)s that meets the expectations adds values")
        yield f"{text % {'name': parameter}}; {_hours(hours)}"
    if rules.steady_state is not None:
        yield _rounds(rules.steady_state)
    if rules.without_tuning:
        what = _choice(ON_TUNING_UNAVAILABLE, rules.without_tuning)
        yield f"{_(ON_TUNING_UNAVAILABLE.label)}: {what}"


def _precision(rule: PrecisionLimits) -> str:
    text = _("Blocks until every comparison of %(what)s is within ± %(precision)s %%") % {
        "what": factor_words(rule.factor),
        "precision": _number(rule.precision_percent),
    }
    most = ngettext("at most %(count)d block", "at most %(count)d blocks", rule.max_blocks)
    return f"{text}; {most % {'count': rule.max_blocks}}; {_hours(rule.max_hours)}"


def _rounds(rule: SteadyStateRule) -> str:
    text = _("Rounds of all tests until the %(metric)s of step %(step)d is steady") % {
        "metric": _choice(METRIC, rule.metric),
        "step": rule.step,
    }
    most = ngettext("at most %(count)d round", "at most %(count)d rounds", rule.max_rounds)
    return f"{text}; {most % {'count': rule.max_rounds}}"


def _hours(hours: float | None) -> str:
    if hours is None:
        return _("no limit of hours")
    return _("at most %(hours)s h") % {"hours": _number(hours)}


def _choice(field: Field, value: str) -> str:
    """Return the label of a choice; the value itself if it has none."""
    labels = dict(zip(field.choices, field.labels, strict=True))
    return _(labels[value]) if value in labels else value


def _number(value: float | None) -> str:
    """Return all digits of a number."""
    if value is None:
        return "–"
    return str(int(value)) if value.is_integer() else str(value)
