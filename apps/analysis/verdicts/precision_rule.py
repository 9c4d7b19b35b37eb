"""Stopping rule that adds blocks until every comparison of a run is precise enough.

A comparison is precise if the interval of its verdict is within so many percent of its ratio. The
interval includes an interim analysis after each block (`repeats.interim`), so results may be viewed
after every block. Compared are tunings, or what else the run randomises within blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.verdicts.comparison import ComparisonResult, compute_comparison
from apps.analysis.verdicts.verdict import Verdict
from apps.common.domain.verdicts import VerdictKind
from apps.plans.schemas.factors import HOST, PARAM, TARGET, TUNING
from apps.runs.models import Case, CaseState, Run, RunExtension
from apps.runs.selectors.extension_blocks import block_after, block_size, existing_cases
from apps.runs.selectors.extension_limits import limit_passed
from apps.runs.services.stopping_rules import Extend, Stop
from apps.stats.effect import Effect
from apps.tools.messages import TranslatableMessage, join_messages, message, plural_message
from apps.tools.metrics import METRICS

NAME = "until decided"


@dataclass(frozen=True)
class Undecided:
    """Comparison with an interval wider than requested.

    `half_width_share`: half width of the interval (a share), None if unbounded.
    """

    metric: str
    workload: str
    half_width_share: float | None

    @property
    def sentence(self) -> TranslatableMessage:
        metric = _(METRICS[self.metric].head)
        if self.half_width_share is None:
            return message(
                "%(metric)s of %(workload)s has no interval", metric=metric, workload=self.workload
            )
        return message(
            "%(metric)s of %(workload)s is still ±%(off)s %%",
            metric=metric,
            workload=self.workload,
            off=f"{self.half_width_share * 100:.1f}",
        )


class PrecisionRule:
    """Stopping rule of a precision limit; the worker calls it after each block."""

    name = NAME

    def applies(self, run: Run) -> bool:
        return until_of_run(run) is not None

    def decide(self, run: Run) -> Extend | Stop:
        until = until_of_run(run)
        assert until is not None, "the rule applies"
        assert until.precision_percent is not None, "a constraint"
        before = existing_cases(run, until.factor)
        ended = run.cases.filter(block=before.block, state=CaseState.SUCCEEDED)
        if not ended.exists():
            return Stop(
                message(
                    "stopped after block %(block)d: none of its tests succeeded", block=before.block
                )
            )
        comparison = compute_comparison(ComparisonQuery(runs=(run.pk,), factor=until.factor))
        wide = undecided(comparison, until.precision_percent / 100)
        if not wide:
            return Stop(_with_factor(until, _stop_message(comparison, before.block, until)))
        cases = block_after(run, before, block_size(run, before))
        if stop := _limit_message(run, until, before.block, cases):
            return Stop(_with_factor(until, join_messages(stop, _undecided_message(wide))))
        number, still = before.block + 1, _undecided_message(wide)
        more = message("block %(block)d is added: %(still)s", block=number, still=still)
        return Extend(cases, _with_factor(until, more))


def until_of_run(run: Run) -> RunExtension | None:
    """Return the limits of the newest stage."""
    stages = run.extensions.exclude(kind=RunExtension.Kind.RULE)
    newest = stages.order_by("-position").first()
    return newest if newest is not None and newest.kind == RunExtension.Kind.UNTIL else None


def decisions_of(runs: Sequence[Run]) -> list[RunExtension]:
    """Return the newest decision of the rule for each of these runs: one query."""
    rows = RunExtension.objects.filter(run__in=runs, rule=NAME).select_related("run")
    return list(rows.order_by("run_id", "-position").distinct("run_id"))


def undecided(comparison: ComparisonResult, within: float) -> list[Undecided]:
    """Return comparisons of main metrics less precise than this share, the widest first.

    Comparisons that are not comparable are omitted, as repeats do not change that.
    """
    rows = []
    for result in comparison.results:
        for verdicts in result.verdicts:
            verdict = verdicts.get(result.main)
            if verdict is None or verdict.kind is VerdictKind.NOT_COMPARABLE:
                continue
            half_width_share = _half_width_share(verdict)
            if half_width_share is None or half_width_share > within:
                rows.append(Undecided(result.main, result.group.label, half_width_share))
    return sorted(
        rows, key=lambda one: (one.half_width_share is not None, -(one.half_width_share or 0.0))
    )


def half_width(effect: Effect) -> float | None:
    """Return the half width of the interval as a share; None without an interval."""
    return sqrt(effect.high / effect.low) - 1 if effect.low and effect.high else None


def _half_width_share(verdict: Verdict) -> float | None:
    return None if verdict.kind is VerdictKind.TOO_FEW_REPEATS else half_width(verdict.effect)


def _with_factor(
    until: RunExtension, reason: TranslatableMessage | str
) -> TranslatableMessage | str:
    """Return the sentence with the factor, unless it is the tuning."""
    if until.factor == TUNING:
        return reason
    if until.factor == TARGET:
        return message("between targets: %(reason)s", reason=reason)
    if until.factor == HOST:
        return message("between hosts: %(reason)s", reason=reason)
    name = until.factor.removeprefix(PARAM)
    return message("between values of %(name)s: %(reason)s", name=name, reason=reason)


def _stop_message(
    comparison: ComparisonResult, block: int, until: RunExtension
) -> TranslatableMessage:
    results = comparison.results
    verdicts = [
        verdict for result in results for one in result.verdicts for verdict in one.values()
    ]
    if not verdicts:
        return message("stopped after block %(block)d: there is nothing to compare", block=block)
    if all(verdict.kind is VerdictKind.NOT_COMPARABLE for verdict in verdicts):
        return message(
            "stopped after block %(block)d: nothing is comparable, as %(differing)s differs",
            block=block,
            differing=", ".join(_confounder_labels(comparison)),
        )
    return plural_message(
        "decided after %(count)d block: every interval is within %(within)s %%",
        "decided after %(count)d blocks: every interval is within %(within)s %%",
        block,
        within=f"{until.precision_percent:g}",
    )


def _confounder_labels(comparison: ComparisonResult) -> list[str]:
    """Return the names of the confounders, each once."""
    pairs = [pair for result in comparison.results for pair in result.pairs]
    return list(dict.fromkeys(one.label for pair in pairs for one in pair.differing))


def _limit_message(
    run: Run, until: RunExtension, block: int, cases: Sequence[Case]
) -> TranslatableMessage | None:
    """Return the limit that prevents adding these cases, if any."""
    if block >= until.last_block:
        return message("stopped at the limit of %(blocks)d blocks", blocks=until.last_block)
    return limit_passed(run, cases, until.max_hours, first_block=until.first_block)


def _undecided_message(wide: Sequence[Undecided]) -> TranslatableMessage:
    """Return the widest interval, and the number of others."""
    if len(wide) == 1:
        return wide[0].sentence
    more = plural_message(
        "%(count)d more is wider than requested",
        "%(count)d more are wider than requested",
        len(wide) - 1,
    )
    return message("%(first)s, and %(more)s", first=wide[0].sentence, more=more)
