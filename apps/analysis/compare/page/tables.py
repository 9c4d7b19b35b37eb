"""Tables of the comparison page, with values as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.utils.translation import gettext as _

from apps.analysis.repeats.repeats import LABELS
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.detectable import detectable_effect, extra_repeat_of
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison, MetricLine
from apps.analysis.verdicts.headlines import Summary, summaries
from apps.analysis.verdicts.verdict_text import (
    SHORT,
    VerdictText,
    chance,
    listed,
    typical_pair_note,
)
from apps.common.domain.value_format import format_detail, format_metric
from apps.common.domain.verdicts import VerdictKind
from apps.stats.effect import Effect
from apps.stats.spread import Spread
from apps.tools.metrics import METRICS, shown_unit

PAGE_SIZE = 20
NARROWEST = math.log(1.05)
WIDEST = math.log(4)
"""Scale limits of the interval pictures: at least ±5 %, at most a factor of 4."""


@dataclass(frozen=True)
class Picture:
    """Interval on a logarithmic line of 0 to 100, 50 being "no change"."""

    low: float
    high: float
    middle: float

    @property
    def width(self) -> float:
        return self.high - self.low


@dataclass(frozen=True)
class Side:
    """Repeats of one metric at one level."""

    median: str
    second: str
    reach: str
    cv: str
    n: int


@dataclass(frozen=True)
class Versus:
    """One level against the baseline.

    `change`: of the medians; `typical`: the estimate if it disagrees.
    """

    level: str
    side: Side
    change: str
    typical: str
    interval: str
    kind: VerdictKind
    sentence: str
    chance: str
    picture: Picture | None


@dataclass(frozen=True)
class MetricRow:
    label: str
    metric: str
    baseline: Side
    versus: tuple[Versus, ...]


@dataclass(frozen=True)
class Head:
    """Verdict on one level of a group by its main metric.

    `level` is empty if there is one; `could`: the detectable effect if no difference is shown.
    """

    kind: VerdictKind
    level: str
    sentence: str
    also: str
    picture: Picture | None
    could: str = ""


@dataclass(frozen=True)
class GroupTable:
    """Table of a group, a row per metric.

    `note`: the meaning of a typical pair, if a row has one.
    """

    slug: str
    label: str
    where: str
    levels: tuple[str, ...]
    rows: tuple[MetricRow, ...]
    warnings: tuple[str, ...]
    heads: tuple[Head, ...]
    has_latency: bool
    note: str = ""


def table_of(comparison: ComparisonResult, result: ComparedResult) -> GroupTable:
    """Return a group's table with its summary; all pictures have one scale."""
    heads = summaries(comparison, [result])
    could = _detectable_texts(comparison, result)
    effects = [head.change.effect for head in heads]
    effects += [e.effect for e in result.entries if e.verdict]
    scale = _scale(effects)
    group = result.group
    return GroupTable(
        slug=group.slug,
        label=group.label,
        where=group.where,
        levels=tuple(group.sides),
        rows=tuple(_row(result, line, scale) for line in result.lines),
        warnings=tuple(_warnings(comparison, result)),
        heads=tuple(
            replace(_head(head, scale, many=len(result.pairs) > 1), could=text)
            for head, text in zip(heads, could, strict=True)
        ),
        has_latency=any(line.metric.startswith("latency") for line in result.lines),
        note=_note(result),
    )


def _note(result: ComparedResult) -> str:
    needed = any(entry.change.needs_both for entry in result.entries)
    return typical_pair_note() if needed else ""


def _head(line: Summary, scale: float, *, many: bool) -> Head:
    shown = picture(line.change.effect, scale)
    return Head(line.kind, line.level if many else "", line.sentence, line.also, shown)


def _detectable_texts(comparison: ComparisonResult, result: ComparedResult) -> list[str]:
    """Return the detectable effect of each level without a shown difference."""
    minimum = comparison.query.minimum / 100
    extra = extra_repeat_of(comparison.repeats)
    effects = [
        detectable_effect(result, number, extra, minimum) for number in range(len(result.pairs))
    ]
    return ["" if one is None else one.sentence for one in effects]


def _warnings(comparison: ComparisonResult, result: ComparedResult) -> list[str]:
    """Return warnings about the order of measurement that change no verdict."""
    notes = []
    for level in result.drifts:
        text = _(
            "Drift: part of the figures of “{level}” and “{base}” follows the clock. "
            "Inside blocks it is taken out; without blocks it hides differences."
        )
        notes.append(text.format(level=level, base=comparison.baseline))
    notes += _import_warnings(result)
    if comparison.query.factor in ("host", "run"):
        for level in result.separated:
            text = _(
                "“{level}” and “{base}” were measured at different times: "
                "what changed in between shows here as well."
            )
            notes.append(text.format(level=level, base=comparison.baseline))
    return notes


def _import_warnings(result: ComparedResult) -> list[str]:
    """Return a warning about properties that are not known of imported results."""
    rows = np.concatenate(list(result.group.sides.values()))
    codes = np.unique(result.repeats.conditions[rows]).tolist()
    names = {name for code in codes for name in result.repeats.shared[code].unknown_properties}
    if not names:
        return []
    text = _("Some of these results were imported. Nothing is known of their {names}.")
    labels = [str(LABELS[name]) for name in LABELS if name in names]
    return [text.format(names=listed(labels))]


def _row(result: ComparedResult, line: MetricLine, scale: float) -> MetricRow:
    network = result.group.of_network
    return MetricRow(
        label=str(SHORT[line.metric]),
        metric=line.metric,
        baseline=_side(line.metric, line.baseline, network),
        versus=tuple(
            _level_row(entry, scale, network, result.stopped_by(number))
            for number, entry in enumerate(line.entries)
        ),
    )


def _side(metric: str, result: Spread, network: bool) -> Side:
    reach = ""
    if result.n > 1:
        reach = _("{low} to {high}").format(
            low=format_metric(metric, result.min, network=network),
            high=format_metric(metric, result.max, network=network),
        )
    return Side(
        median=format_metric(metric, result.median, network=network),
        second=_other_rate(metric, result.median, network),
        reach=reach,
        cv="" if result.cv is None else f"{result.cv * 100:.1f} %",
        n=result.n,
    )


def _other_rate(metric: str, value: float | None, network: bool) -> str:
    """Return bandwidth in its other unit, for Gbit/s in MB/s; empty for other metrics."""
    unit = shown_unit(metric, network=network)
    return format_detail(value, unit) if METRICS[metric].unit == "bytes/s" else ""


def _level_row(entry: MetricComparison, scale: float, network: bool, stopped_by: str) -> Versus:
    text = VerdictText()
    return Versus(
        level=entry.level,
        side=_side(entry.metric, entry.spread, network),
        change=text.medians(entry.change),
        typical=text.typical(entry.change),
        interval=text.interval(entry.change),
        kind=entry.kind,
        sentence=text.sentence(entry.verdict, entry.change, stopped_by),
        chance=chance(entry.p_corrected),
        picture=picture(entry.effect, scale),
    )


def _scale(effects: Sequence[Effect]) -> float:
    ends = [end for e in effects for end in (e.ratio, e.low, e.high) if end]
    widest = max((abs(math.log(end)) for end in ends), default=0.0)
    return min(max(widest * 1.1, NARROWEST), WIDEST)


def picture(effect: Effect, scale: float) -> Picture | None:
    """Return the picture of a finite interval, else None."""
    if not effect.ratio or not effect.low or not effect.high:
        return None
    low, middle, high = (
        min(max(50 + 50 * math.log(end) / scale, 0.0), 100.0)
        for end in (effect.low, effect.ratio, effect.high)
    )
    return Picture(round(low, 2), round(high, 2), round(middle, 2))
