"""Verdicts and changes of a comparison as text: sentences, intervals and percentages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.verdicts.changes import Change
from apps.analysis.verdicts.verdict import SENTENCES, Verdict
from apps.common.domain import units
from apps.common.domain.value_format import (
    format_change,
    format_difference,
    format_multiple,
    is_multiple,
)
from apps.common.domain.verdicts import VerdictKind
from apps.common.templatetags.benchlab_badges import BADGES
from apps.tools.metrics import COMPARISON_METRICS, METRICS

SHORT = {key: lazy(METRICS[key].head) for key in COMPARISON_METRICS}


def kind_of(verdict: Verdict | None) -> VerdictKind:
    """Return the kind of a verdict; "not tested" without one."""
    return verdict.kind if verdict else VerdictKind.NOT_TESTED


class VerdictText:
    """Texts of many cells, each translated once."""

    def __init__(self) -> None:
        self._kinds: dict[VerdictKind, str] = {}
        self._sentences: dict[str, str] = {}

    def kind(self, kind: VerdictKind) -> str:
        """Return a verdict's name, as badges show it."""
        if kind not in self._kinds:
            self._kinds[kind] = str(BADGES[kind].label)
        return self._kinds[kind]

    def sentence(
        self, verdict: Verdict | None, change: Change | None = None, stopped_by: str = ""
    ) -> str:
        """Return the verdict as a sentence; `change`: with the values shown beside it.

        `stopped_by`: the metric after which no other was tested, if known.
        """
        if verdict is None:
            return self._stopped_text(stopped_by) if stopped_by else self._not_tested_text
        if verdict.code not in self._sentences:
            self._sentences[verdict.code] = _(SENTENCES[verdict.code])
        shown = change or Change(verdict.effect.ratio, verdict.effect)
        return self._sentences[verdict.code].format(**verdict.parts(self.figures(shown)))

    def figures(self, change: Change, *more: str) -> str:
        """Return a change with its interval: "−39.6 % (−44.2 to −35.9)".

        Above +100 %: "3.1 times as high (2.6 to 3.8)". If medians and estimate disagree: "−27.3 %
        (medians); typical pair −23.3 %, −48.2 to −17.2". `more` follows the interval.
        """
        result = [*filter(None, [self._interval_without_unit(change)]), *more]
        if change.shown is None:
            return ", ".join([format_change(None), *more])
        if change.needs_both:
            return "; ".join([self.medians(change), ", ".join([self.typical(change), *result])])
        if not result:
            return format_difference(change.shown)
        return f"{format_difference(change.shown)} ({', '.join(result)})"

    def medians(self, change: Change) -> str:
        """Return the main change: "−27.3 %", labelled if the estimate disagrees."""
        shown = format_difference(change.shown)
        return self._medians_template.format(change=shown) if change.needs_both else shown

    def typical(self, change: Change) -> str:
        """Return the estimate if it disagrees with the medians: "typical pair −23.3 %".

        Else empty.
        """
        if not change.needs_both:
            return ""
        return self._typical_template.format(change=format_difference(change.effect.ratio))

    def _interval_without_unit(self, change: Change) -> str:
        effect = change.effect
        if effect.low is None or effect.high is None:
            return ""
        if _has_multiples(change):
            return self._between(units.multiple(effect.low), units.multiple(effect.high))
        return self.interval(change).removesuffix(" %")

    def interval(self, change: Change) -> str:
        """Return the interval of the change: "+1.0 to +5.3 %"; empty without one.

        In the unit of the ratio that it belongs to: "2.6 to 3.8 times as high".
        """
        effect = change.effect
        if effect.low is None or effect.high is None:
            return ""
        if _has_multiples(change):
            return self._between(units.multiple(effect.low), format_multiple(effect.high))
        return self._between(
            format_change(effect.low).removesuffix(" %"), format_change(effect.high)
        )

    def _between(self, low: str, high: str) -> str:
        return self._interval_template.format(low=low, high=high)

    @staticmethod
    def _stopped_text(metric: str) -> str:
        text = _("Not tested: metrics are tested in order, and {metric} shows no difference.")
        return text.format(metric=SHORT[metric])

    @cached_property
    def _not_tested_text(self) -> str:
        return _(
            "Not tested: an earlier metric shows no difference, or the metric was not requested."
        )

    @cached_property
    def _medians_template(self) -> str:
        return _("{change} (medians)")

    @cached_property
    def _typical_template(self) -> str:
        return _("typical pair {change}")

    @cached_property
    def _interval_template(self) -> str:
        return _("{low} to {high}")


def kind_text(kind: VerdictKind) -> str:
    """Return the name of a verdict."""
    return VerdictText().kind(kind)


def sentence(verdict: Verdict | None, change: Change | None = None) -> str:
    """Return one verdict as a sentence."""
    return VerdictText().sentence(verdict, change)


def typical_pair_note() -> str:
    """Return the meaning of a typical pair."""
    return _(
        "The change is that of the two medians; the typical pair is the middle of the ratios "
        "between the repeats of both sides, and interval and verdict belong to it."
    )


def interval(change: Change) -> str:
    """Return the interval of one change."""
    return VerdictText().interval(change)


def _has_multiples(change: Change) -> bool:
    """Return True if the ratio beside the interval is shown as a multiple."""
    return is_multiple(change.effect.ratio if change.needs_both else change.shown)


def chance(p: float | None) -> str:
    """Return a p-value: "0.004", "< 0.001"; empty without a test."""
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def listed(texts: Sequence[str]) -> str:
    """Return texts as a list: "a, b and c"."""
    if len(texts) < 2:
        return "".join(texts)
    return _("{first} and {last}").format(first=", ".join(texts[:-1]), last=texts[-1])
