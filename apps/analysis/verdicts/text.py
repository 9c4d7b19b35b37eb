"""Sentences and figures of a comparison, for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from apps.analysis.verdicts.changes import Change
from apps.analysis.verdicts.verdict import SENTENCES, Verdict
from apps.common.domain.preferences import other_rate, rate
from apps.common.domain.units import (
    gbit_per_second,
    mb_per_second,
    nanoseconds,
    operations_per_second,
    significant,
)
from apps.common.domain.verdicts import VerdictKind
from apps.common.templatetags.benchlab_badges import BADGES
from apps.stats.effect import Effect
from apps.tools.metrics import COMPARISON_METRICS, METRICS, NETWORK, shown_unit

SHORT = {key: lazy(METRICS[key].head) for key in COMPARISON_METRICS}


def kind_of(verdict: Verdict | None) -> VerdictKind:
    """The kind of a verdict; "not tested" where there is none."""
    return verdict.kind if verdict else VerdictKind.NOT_TESTED


class VerdictText:
    """The words of many cells for one reader: each is translated once."""

    def __init__(self) -> None:
        self._kinds: dict[VerdictKind, str] = {}
        self._sentences: dict[str, str] = {}

    def kind(self, kind: VerdictKind) -> str:
        """A kind of verdict as people read it, on pages, charts and terminals: as badges do."""
        if kind not in self._kinds:
            self._kinds[kind] = str(BADGES[kind].label)
        return self._kinds[kind]

    def sentence(self, verdict: Verdict | None, change: Change | None = None) -> str:
        """The verdict as a sentence in the reader's language; `change`: as the figures beside it
        give it, else the estimate alone.
        """
        if verdict is None:
            return self._not_tested
        if verdict.code not in self._sentences:
            self._sentences[verdict.code] = _(SENTENCES[verdict.code])
        shown = change or Change(verdict.effect.ratio, verdict.effect)
        return self._sentences[verdict.code].format(**verdict.parts(self.figures(shown)))

    def figures(self, change: Change, *more: str) -> str:
        """A change with its interval: "−39.6 % (−44.2 to −35.9)", or where the medians and the
        estimate disagree "−27.3 % (medians); typical pair −23.3 %, −48.2 to −17.2". `more` stands
        behind the interval.
        """
        found = [*filter(None, [self._bare(change.effect)]), *more]
        if change.shown is None:
            return ", ".join([percent(None), *more])
        if change.needs_both:
            return "; ".join([self.medians(change), ", ".join([self.typical(change), *found])])
        if not found:
            return percent(change.shown)
        return f"{percent(change.shown)} ({', '.join(found)})"

    def medians(self, change: Change) -> str:
        """The change that is shown first: "−27.3 %", named where another one stands beside it."""
        shown = percent(change.shown)
        return self._of_medians.format(change=shown) if change.needs_both else shown

    def typical(self, change: Change) -> str:
        """The estimate where it disagrees with the medians: "typical pair −23.3 %"; else empty."""
        if not change.needs_both:
            return ""
        return self._typical_pair.format(change=percent(change.effect.ratio))

    def _bare(self, effect: Effect) -> str:
        return self.interval(effect).removesuffix(" %")

    def interval(self, effect: Effect) -> str:
        """The interval of the change: "+1.0 to +5.3 %"; empty where there is none."""
        if effect.low is None or effect.high is None:
            return ""
        low = percent(effect.low).removesuffix(" %")
        return self._between.format(low=low, high=percent(effect.high))

    @cached_property
    def _not_tested(self) -> str:
        return _("Not tested: what stands before it shows no difference, or it was not asked for.")

    @cached_property
    def _of_medians(self) -> str:
        return _("{change} (medians)")

    @cached_property
    def _typical_pair(self) -> str:
        return _("typical pair {change}")

    @cached_property
    def _between(self) -> str:
        return _("{low} to {high}")


def kind_text(kind: VerdictKind) -> str:
    """The words of one kind of verdict."""
    return VerdictText().kind(kind)


def sentence(verdict: Verdict | None, change: Change | None = None) -> str:
    """One verdict as a sentence."""
    return VerdictText().sentence(verdict, change)


def typical_pair_note() -> str:
    """The meaning of a typical pair beside a change."""
    return _(
        "The change is that of the two medians; the typical pair is the middle of the ratios "
        "between the repeats of both sides, and interval and verdict belong to it."
    )


def figure(metric: str, value: float | None, *, network: bool = False) -> str:
    """A value with its unit: MiB/s or MB/s (of a network Gbit/s), IOPS, µs. A dash where there is
    none.
    """
    unit = shown_unit(metric, network=network)
    if value is None:
        return "–"
    if unit == NETWORK:
        return gbit_per_second(value)
    if unit == "bytes/s":
        return rate(value)
    if unit == "1/s":
        return operations_per_second(value)
    return nanoseconds(value) if unit == "ns" else f"{significant(value)} {unit}".strip()


def second_figure(metric: str, value: float | None, *, network: bool = False) -> str:
    """Bandwidth in its other unit, beside Gbit/s in MB/s; empty for what has one unit."""
    if METRICS[metric].unit != "bytes/s" or value is None:
        return ""
    return mb_per_second(value) if network else other_rate(value)


def percent(ratio: float | None) -> str:
    """A ratio as the change it means with one decimal: "+3.2 %". A dash where there is none."""
    if ratio is None:
        return "–"
    text = f"{(ratio - 1) * 100:+,.1f}".replace("-", "\N{MINUS SIGN}")
    return "0.0 %" if text[1:] == "0.0" else f"{text} %"


def interval(effect: Effect) -> str:
    """The interval of one change."""
    return VerdictText().interval(effect)


def chance(p: float | None) -> str:
    """A p-value: "0.004", "< 0.001"; empty where no test was made."""
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def listed(texts: Sequence[str]) -> str:
    """Texts in a row: "a, b and c"."""
    if len(texts) < 2:
        return "".join(texts)
    return _("{first} and {last}").format(first=", ".join(texts[:-1]), last=texts[-1])
