"""Sentences about spreads: between repeats, and within tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult
from apps.analysis.verdicts.variability import Variability
from apps.analysis.verdicts.verdict_text import SHORT, kind_of
from apps.common.domain.verdicts import VerdictKind


def spreads(
    comparison: ComparisonResult, results: Sequence[ComparedResult]
) -> Iterator[tuple[str, str]]:
    """Yield spreads that differ: the workload, if there are several, and a sentence."""
    for result in results:
        name = result.group.label if len(comparison.results) > 1 else ""
        for number in range(len(result.pairs)):
            for text in varies(result, number, comparison.baseline):
                yield name, text


def within_texts(
    comparison: ComparisonResult, result: ComparedResult, *, with_level: bool
) -> Iterator[tuple[str, str]]:
    """Yield stalls and spreads within tests: workload (and level), and a sentence."""
    for pair in result.pairs:
        note = comparison.within_tests.get((result.group.slug, pair.level))
        level = pair.level if with_level else ""
        parts = (result.group.label, result.group.where, level)
        name = " · ".join(filter(None, parts))
        for text in note.sentences if note else ():
            yield name, text


def varies(result: ComparedResult, number: int, baseline: str) -> Iterator[str]:
    """Yield sentences about the spread of one level against the baseline's."""
    for metric, one in result.spreads[number].items():
        equal = kind_of(result.verdicts[number].get(metric)) is VerdictKind.NO_DIFFERENCE
        yield _sentence(metric, one, (result.pairs[number].level, baseline), equal=equal)


def _sentence(metric: str, one: Variability, names: tuple[str, str], *, equal: bool) -> str:
    times, low, high = one.ratio, one.low, one.high
    if times < 1:
        times, names = 1 / times, names[::-1]
        low, high = (1 / high if high else None), (1 / low if low else None)
    if equal:
        text = _(
            "{metric}: no difference shown, but “{level}” varies {times:.1f} times as much as "
            "“{other}”{interval}."
        )
    else:
        text = _("{metric}: “{level}” varies {times:.1f} times as much as “{other}”{interval}.")
    interval = ""
    if low and high:
        interval = _(" (interval {low:.1f} to {high:.1f})").format(low=low, high=high)
    return text.format(
        metric=SHORT[metric], level=names[0], other=names[1], times=times, interval=interval
    )
