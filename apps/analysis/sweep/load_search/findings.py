"""Sentences about a load search: the largest load that meets the expectations."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.analysis.sweep.load_search.search import Load, Search
from apps.plans.domain.value_parser import value_text
from apps.plans.schemas.expectations import Expectation
from apps.tools.messages import TranslatableMessage, message
from apps.tools.metrics import METRICS
from apps.tuning.domain.baseline import tuning_label


def search_message(search: Search, name: str, several: bool) -> TranslatableMessage:
    result = _search_text(search, name)
    if not several:
        return result
    like = search.like
    where = f"{like.target_words}, {tuning_label(like.tuning_name)}"
    return message("%(where)s: %(found)s", where=where, found=result)


def _search_text(search: Search, name: str) -> TranslatableMessage:
    """Return the result of a search.

    Example: "latency p99 at most 10 ms holds up to iodepth 48 (3 repeats each); at 64 it is 12.4
    ms".
    """
    low, high = search.largest, search.first_missed
    what = ", ".join(map(_expectation_text, search.expected))
    if high is None:
        assert low is not None, "a search has a load"
        return message(
            "%(what)s holds up to %(load)s %(value)d, the largest that was tried",
            what=what,
            load=name,
            value=low.value,
        )
    if low is None:
        return message(
            "%(what)s does not hold at %(load)s %(value)d, the smallest that was tried: %(why)s",
            what=what,
            load=name,
            value=high.value,
            why=_reason(high),
        )
    return message(
        "%(what)s holds up to %(load)s %(value)d (%(n)d repeats each); at %(high)d %(why)s",
        what=what, load=name, value=low.value, n=low.repeats, high=high.value,
        why=_reason(high),
    )  # fmt: skip


def _expectation_text(expected: Expectation) -> str:
    metric = METRICS[expected.metric]
    assert expected.value is not None, "frozen at the launch"
    text = "at least" if expected.direction == "least" else "at most"
    return f"{_(metric.label)} {text} {value_text(metric, expected.value, expected.unit)}"


def _reason(load: Load) -> TranslatableMessage:
    if not load.missed:
        return message("every repeat failed")
    missed = load.missed[0]
    text = value_text(METRICS[missed.expected.metric], missed.median, missed.expected.unit)
    return message("it is %(value)s", value=text)
