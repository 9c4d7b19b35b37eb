"""One line per workload: which level is better, and whether that is real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.compare.comparison import Comparison
from apps.analysis.compare.stats import Effect
from apps.analysis.compare.verdicts.judge import ComparedResult, Entry
from apps.analysis.compare.verdicts.verdict import Verdict
from apps.analysis.compare.words import SHORT, interval, kind_of, listed, percent, sentence
from apps.common.verdicts import COMPARISON_VERDICTS, DECIDED, VerdictKind
from apps.tools.metrics import METRICS


@dataclass(frozen=True)
class Summary:
    """`kind` is a word of words.KINDS; `also` names tested metrics whose verdict points the other
    way. `slug` is the group's.
    """

    slug: str
    label: str
    where: str
    level: str
    metric: str
    kind: VerdictKind
    sentence: str
    effect: Effect
    also: str


def summaries(
    comparison: Comparison, results: Sequence[ComparedResult] | None = None
) -> list[Summary]:
    """A line for every level of every workload against the baseline, by the headline metric; of
    these results only, if they are given.
    """
    return [
        _summary(comparison, result, number)
        for result in (comparison.results if results is None else results)
        for number in range(len(result.pairs))
    ]


def overall(comparison: Comparison) -> list[tuple[VerdictKind, str]]:
    """(kind, sentence) of what the whole comparison says, most important first."""
    counts, baseline = comparison.results.heads, comparison.baseline
    found = []
    for kind in COMPARISON_VERDICTS:
        levels = {level: n for (k, level), n in counts.items() if k == kind}
        if kind in DECIDED:
            found += [(kind, _direction(kind, lv, n, baseline)) for lv, n in levels.items()]
        elif levels:
            found.append((kind, _undecided(kind, sum(levels.values()))))
    return found


def _direction(kind: VerdictKind, level: str, number: int, baseline: str) -> str:
    if kind is VerdictKind.BETTER:
        words = ngettext(
            "“{level}” is better than “{base}” for {n} workload.",
            "“{level}” is better than “{base}” for {n} workloads.",
            number,
        )
    else:
        words = ngettext(
            "“{level}” is worse than “{base}” for {n} workload.",
            "“{level}” is worse than “{base}” for {n} workloads.",
            number,
        )
    return words.format(level=level, base=baseline, n=number)


def _undecided(kind: VerdictKind, number: int) -> str:
    words = {
        VerdictKind.NO_DIFFERENCE: ngettext(
            "No difference shown in {n} comparison.",
            "No difference shown in {n} comparisons.",
            number,
        ),
        VerdictKind.TOO_FEW: ngettext(
            "Too few repeats to tell in {n} comparison.",
            "Too few repeats to tell in {n} comparisons.",
            number,
        ),
        VerdictKind.NOT_COMPARABLE: ngettext(
            "{n} comparison is not comparable: more than the factor differs.",
            "{n} comparisons are not comparable: more than the factor differs.",
            number,
        ),
    }
    return words[kind].format(n=number)


def headline_entry(result: ComparedResult, number: int) -> Entry | None:
    """The entry a summary is about: the main metric's, else the first tested one's."""
    wanted = result.main
    entries = [line.entries[number] for line in result.lines]
    tested = [entry for entry in entries if entry.verdict is not None]
    return next((e for e in tested if e.metric == wanted), tested[0] if tested else None)


def _summary(comparison: Comparison, result: ComparedResult, number: int) -> Summary:
    entry = headline_entry(result, number)
    verdict = entry.verdict if entry else None
    metric = entry.metric if entry else result.main
    level = result.pairs[number].level
    return Summary(
        slug=result.group.slug,
        label=result.group.label,
        where=result.group.where,
        level=level,
        metric=metric,
        kind=kind_of(verdict) if verdict else VerdictKind.TOO_FEW,
        sentence=_words(verdict, metric, level, comparison.baseline),
        effect=entry.effect if entry else Effect(None, None, None),
        also=_also(result, number, kind_of(verdict)),
    )


def _words(verdict: Verdict | None, metric: str, level: str, baseline: str) -> str:
    """The headline in the words of somebody who asks "is it real?"."""
    if verdict is None:
        return _("None of the tested metrics has figures here.")
    effect = verdict.effect
    if verdict.kind not in DECIDED or effect.ratio is None:
        return sentence(verdict)
    words = _("“{level}” gives {change} {metric} against “{base}”: more than chance would.")
    if not METRICS[metric].higher_is_better:
        words = _(
            "“{level}” changes {metric} by {change} against “{base}”: more than chance would."
        )
    known = words.format(
        level=level, base=baseline, change=percent(effect.ratio), metric=SHORT[metric]
    )
    said = interval(effect)
    return known + (" " + _("Interval {interval}.").format(interval=said) if said else "")


def _also(result: ComparedResult, number: int, kind: VerdictKind) -> str:
    """The strongest verdict against the headline, as in "But latency p99 is worse (+30.1 %)."."""
    against = {VerdictKind.BETTER: VerdictKind.WORSE, VerdictKind.WORSE: VerdictKind.BETTER}.get(
        kind
    )
    other = [
        line.entries[number]
        for line in result.lines
        if kind_of(line.entries[number].verdict) in ((against,) if against else DECIDED)
    ]
    if not other or kind in (VerdictKind.TOO_FEW, VerdictKind.NOT_COMPARABLE):
        return ""
    parts = [
        _("{metric} is {kind} ({change})").format(
            metric=SHORT[entry.metric],
            kind=_("better") if kind_of(entry.verdict) is VerdictKind.BETTER else _("worse"),
            change=percent(entry.effect.ratio),
        )
        for entry in other
    ]
    return _("But {what}.").format(what=listed(parts))
