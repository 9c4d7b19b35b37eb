"""Headlines of a comparison, for pages, reports, exports and messages.

A headline has the workload, the metric, the change, its interval and the number of repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, log

from django.utils.translation import gettext as _

from apps.analysis.result import Finding
from apps.analysis.verdicts.changes import Change
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.evaluate import ComparedResult, MetricComparison
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText, kind_of, listed, sentence
from apps.common.domain.value_format import format_difference
from apps.common.domain.verdicts import COMPARISON_VERDICTS, DIFFERENCE_SHOWN, VerdictKind
from apps.stats.effect import Effect
from apps.tools.added_params import BACKGROUND

MAX_NAMED = 3
"""Limit of workloads named in a headline."""


@dataclass(frozen=True)
class Summary:
    """Level of a workload against the baseline, by the headline metric.

    `n`: repeats of baseline and level; `also`: tested metrics with an opposite verdict; `needed`:
    repeats of each side if there are too few; `differing`: confounders; `slug`: of the group.
    `blocks`: of baseline and level, 0 without blocks; `test`, `confidence`: of a tested level.
    """

    slug: str
    label: str
    where: str
    level: str
    baseline: str
    metric: str
    kind: VerdictKind
    sentence: str
    change: Change
    n: tuple[int, int]
    also: str = ""
    needed: int | None = None
    differing: tuple[str, ...] = ()
    blocks: tuple[int, int] = (0, 0)
    test: str | None = None
    confidence: float | None = None

    @property
    def workload(self) -> str:
        """Return the workload with its target, if there are several."""
        return " · ".join(part for part in (self.label, self.where) if part)

    @property
    def repeats(self) -> str:
        """Return the number of repeats: "n = 6", or for unequal sides "n = 6 and 5"."""
        text = _("n = {n}") if self.n[0] == self.n[1] else _("n = {n} and {m}")
        return text.format(n=self.n[0], m=self.n[1])

    @property
    def text(self) -> str:
        """Return the sentence with metrics of an opposite verdict."""
        if not self.also:
            return self.sentence
        return f"{self.sentence.removesuffix('.')}. {self.also}"

    @property
    def is_measured(self) -> bool:
        """Return True if both sides have a value."""
        return self.change.shown is not None


@dataclass(frozen=True)
class HeadlineLine:
    """Line of the headline with the workloads that it names.

    `kind` is None for the line that counts the others (`more`).
    """

    kind: VerdictKind | None
    text: str
    named: tuple[Summary, ...] = ()
    more: int = 0


def summaries(
    comparison: ComparisonResult, results: Sequence[ComparedResult] | None = None
) -> list[Summary]:
    """Return a summary for every level of every workload, or of these results only."""
    return [
        _summary(comparison, result, number)
        for result in (comparison.results if results is None else results)
        for number in range(len(result.pairs))
    ]


def headlines(comparison: ComparisonResult) -> tuple[HeadlineLine, ...]:
    """Return the largest changes, the number of the others, and a line per undecided verdict."""
    heads = _headline_verdicts(comparison)
    lines = list(_decided_lines(comparison, heads))
    for kind in COMPARISON_VERDICTS:
        mine = [one for one in heads if one.kind is kind]
        if mine and kind not in DIFFERENCE_SHOWN:
            lines.append(_undecided_line(comparison, kind, mine))
    return tuple(lines)


def overall(comparison: ComparisonResult) -> tuple[Finding, ...]:
    """Return the headline as findings."""
    return tuple(Finding(line.text, line.kind) for line in headlines(comparison))


def has_worse(comparison: ComparisonResult) -> bool:
    """Return True if a main metric of any workload is worse than the baseline."""
    return any(one.kind is VerdictKind.WORSE for one in _headline_verdicts(comparison))


@dataclass(frozen=True)
class _Head:
    """Headline verdict on one level (`number`) of a workload; `size`: of its change.

    Infinite if one side measured zero.
    """

    result: ComparedResult
    number: int
    kind: VerdictKind
    size: float


def _headline_verdicts(comparison: ComparisonResult) -> list[_Head]:
    heads = []
    for result in comparison.results:
        for number in range(len(result.pairs)):
            verdict = result.head(number)
            ratio = verdict.effect.ratio if verdict else None
            kind = verdict.kind if verdict else VerdictKind.TOO_FEW_REPEATS
            heads.append(_Head(result, number, kind, abs(log(ratio)) if ratio else inf))
    return heads


def _decided_lines(comparison: ComparisonResult, heads: Sequence[_Head]) -> Iterator[HeadlineLine]:
    """Yield lines of the largest changes, and one that counts the others."""
    result = sorted(
        (one for one in heads if one.kind in DIFFERENCE_SHOWN), key=lambda one: -one.size
    )
    for one in _summaries_of(comparison, result[:MAX_NAMED]):
        yield HeadlineLine(one.kind, one.text, (one,))
    remaining = Counter(one.kind for one in result[MAX_NAMED:])
    if more := remaining.total():
        words = {VerdictKind.BETTER: _("better"), VerdictKind.WORSE: _("worse")}
        kinds = [f"{remaining[kind]} {words[kind]}" for kind in DIFFERENCE_SHOWN if remaining[kind]]
        kinds_text = listed(kinds) if len(kinds) > 1 else words[next(iter(remaining))]
        text = _("and {n} more: {kinds}").format(n=more, kinds=kinds_text)
        yield HeadlineLine(None, text, more=more)


def _summaries_of(comparison: ComparisonResult, heads: Sequence[_Head]) -> list[Summary]:
    return [_summary(comparison, one.result, one.number) for one in heads]


def _levels_text(comparison: ComparisonResult, level: str) -> str:
    """Return the level against the baseline, in terms of the factor.

    Only the baseline if several levels are named (`level` is empty).
    """
    base, factor = comparison.baseline, comparison.query.factor
    if not level:
        return _("against {base}").format(base=base)
    if factor in ("host", "target", "disk"):
        text = _("on {level} against {base}")
    elif comparison.query.param not in ("", BACKGROUND):
        text = _("at {level} against {base}")
    else:
        text = _("with {level} against {base}")
    return text.format(level=level, base=base)


_UNDECIDED = {
    VerdictKind.NO_DIFFERENCE: lambda: _("No difference shown {levels}: {workloads}"),
    VerdictKind.TOO_FEW_REPEATS: lambda: _("Too few repeats to separate {levels}: {workloads}"),
    VerdictKind.NOT_COMPARABLE: lambda: _("Not comparable {levels}: {workloads}"),
    VerdictKind.NOT_TESTED: lambda: _("Not tested {levels}: {workloads}"),
}


def _undecided_line(
    comparison: ComparisonResult, kind: VerdictKind, heads: Sequence[_Head]
) -> HeadlineLine:
    """Return the line of the workloads with this verdict."""
    named, more = _summaries_of(comparison, heads[:MAX_NAMED]), len(heads[MAX_NAMED:])
    several = len(comparison.levels) > 2
    texts = [_undecided_text(comparison, one, several) for one in named]
    workloads = _("{workloads}; and {n} more") if more else "{workloads}"
    levels = _levels_text(comparison, "" if several else named[0].level)
    text = _UNDECIDED[kind]().format(
        levels=levels, workloads=workloads.format(workloads="; ".join(texts), n=more)
    )
    return HeadlineLine(kind, text, tuple(named), more)


def _undecided_text(comparison: ComparisonResult, one: Summary, several: bool) -> str:
    """Return the workload with the reason for the verdict, in brackets."""
    name = f"{one.workload}, {one.level}" if several else one.workload
    return f"{name} ({_reason(one)})"


def _reason(one: Summary) -> str:
    if one.kind is VerdictKind.NOT_COMPARABLE:
        return listed(one.differing)
    if one.needed is not None:
        return _("{repeats}, {needed} of each are needed").format(
            repeats=one.repeats, needed=one.needed
        )
    if not one.is_measured:
        return _("{metric} has no figures").format(metric=SHORT[one.metric])
    interval = VerdictText().interval(one.change)
    return ", ".join(filter(None, [f"{SHORT[one.metric]} {interval}".strip(), one.repeats]))


def headline_entry(result: ComparedResult, number: int) -> MetricComparison | None:
    """Return the comparison of a summary: of the main metric, else of the first tested one."""
    preferred = result.main
    entries = [line.entries[number] for line in result.lines]
    tested = [entry for entry in entries if entry.verdict is not None]
    return next((e for e in tested if e.metric == preferred), tested[0] if tested else None)


def _summary(comparison: ComparisonResult, result: ComparedResult, number: int) -> Summary:
    entry, pair = headline_entry(result, number), result.pairs[number]
    verdict = entry.verdict if entry else None
    metric = entry.metric if entry else result.main
    kind = kind_of(verdict) if verdict else VerdictKind.TOO_FEW_REPEATS
    change = entry.change if entry else Change(None, Effect(None, None, None))
    summary = Summary(
        slug=result.group.slug,
        label=result.group.label,
        where=result.group.where,
        level=pair.level,
        baseline=comparison.baseline,
        metric=metric,
        kind=kind,
        sentence=sentence(verdict, change) if verdict else _("No tested metric has figures here."),
        change=change,
        n=pair.counts(metric),
        also=_opposite_text(result, number, kind),
        needed=verdict.needed if verdict and kind is VerdictKind.TOO_FEW_REPEATS else None,
        differing=tuple(one.label for one in pair.differing),
        blocks=(result.repeats.blocks(metric, pair.a), result.repeats.blocks(metric, pair.b)),
        test=verdict.test if verdict and verdict.p is not None else None,
        confidence=1 - verdict.level if verdict and verdict.p is not None else None,
    )
    if kind in DIFFERENCE_SHOWN and summary.is_measured:
        return replace(summary, sentence=_decided_text(comparison, summary))
    return summary


def _decided_text(comparison: ComparisonResult, one: Summary) -> str:
    """Return the headline of a decided comparison.

    Example: "random read 4 KiB: IOPS −39.6 % (−44.2 to −35.9, n = 6) with mq-deadline against Host
    defaults".
    """
    return _("{workload}: {metric} {figures} {levels}").format(
        workload=one.workload,
        metric=SHORT[one.metric],
        figures=VerdictText().figures(one.change, one.repeats),
        levels=_levels_text(comparison, one.level),
    )


def _opposite_text(result: ComparedResult, number: int, kind: VerdictKind) -> str:
    """Return the strongest opposite verdicts: "But latency p99 is worse (+30.1 %)."."""
    against = {VerdictKind.BETTER: VerdictKind.WORSE, VerdictKind.WORSE: VerdictKind.BETTER}.get(
        kind
    )
    other = [
        line.entries[number]
        for line in result.lines
        if kind_of(line.entries[number].verdict) in ((against,) if against else DIFFERENCE_SHOWN)
    ]
    if not other or kind in (VerdictKind.TOO_FEW_REPEATS, VerdictKind.NOT_COMPARABLE):
        return ""
    parts = [
        _("{metric} is {kind} ({change})").format(
            metric=SHORT[entry.metric],
            kind=_("better") if entry.kind is VerdictKind.BETTER else _("worse"),
            change=format_difference(entry.change.shown),
        )
        for entry in other
    ]
    return _("But {what}.").format(what=listed(parts))
