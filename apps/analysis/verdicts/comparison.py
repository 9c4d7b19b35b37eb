"""Comparison of a query: called by page, API and scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import FACTOR_LABELS, ComparisonQuery
from apps.analysis.queries.comparison_runs import ExcludedResults, excluded_results, query_runs
from apps.analysis.repeats.groups import GroupedRepeats, group_repeats
from apps.analysis.repeats.levels import (
    Levels,
    levels_of,
    params_that_vary,
    swept_params,
    with_param,
)
from apps.analysis.repeats.related_rows import RelatedRows, related_rows
from apps.analysis.repeats.repeats import Conditions, Flags, Repeats
from apps.analysis.repeats.selectors import repeats_of
from apps.analysis.verdicts.evaluate import ComparedResult, evaluate
from apps.analysis.verdicts.within_tests import Notes, within_tests
from apps.runs.models import Run
from apps.tools.metrics import COMPARISON_METRICS
from apps.tools.workloads.order import name_key, names_in_order, operations_in_order
from apps.tuning.domain.baseline import tuning_key


@dataclass(frozen=True)
class Choices:
    """Form choices that narrow the query. `params`: name to label."""

    params: Mapping[str, str] = field(default_factory=dict)
    operations: tuple[str, ...] = ()
    hosts: tuple[tuple[int, str], ...] = ()
    targets: tuple[str, ...] = ()
    tunings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ComparisonResult:
    """Result of a comparison.

    `level_names`: of the levels, in English. `tested`: metrics that may have verdicts; `family`:
    number of tested comparisons; `alone`: number of results without a counterpart; `without`:
    number of results whose workloads lack the compared parameter. `proposed`: parameters to compare
    by instead if one tuning was measured, with True for numbers, the best first.
    """

    query: ComparisonQuery
    runs: tuple[Run, ...]
    levels: tuple[str, ...]
    level_names: tuple[str, ...]
    results: tuple[ComparedResult, ...]
    tested: tuple[str, ...]
    family: int
    used: int
    alone: int
    repeats: Repeats
    related: RelatedRows
    without: int = 0
    choices: Choices = field(default_factory=Choices)
    proposed: Mapping[str, bool] = field(default_factory=dict)

    @property
    def sweep(self) -> str:
        """Return the swept number to compare by if no factor was requested; else empty."""
        return next((name for name, is_number in self.proposed.items() if is_number), "")

    @property
    def param_label(self) -> str:
        """Return the label of the compared parameter; empty if another factor is compared."""
        return self.choices.params.get(self.query.param, self.query.param)

    @property
    def factor_label(self) -> str:
        """Return what the levels are: "Tuning", "Host", the label of a parameter."""
        return self.param_label or str(FACTOR_LABELS[self.query.factor])

    @property
    def left_out(self) -> ExcludedResults:
        """Return excluded results and cases as of now: one query each."""
        return excluded_with_reasons(
            [run.pk for run in self.runs], self.without, self.param_label, self.related
        )

    @cached_property
    def within_tests(self) -> Notes:
        """Return stalls and spreads within the tests: two queries on first access."""
        return within_tests([run.pk for run in self.runs], self.results)

    @property
    def baseline(self) -> str:
        return self.levels[0] if self.levels else ""

    @property
    def mains(self) -> tuple[str, ...]:
        """Return the main metrics of the workloads, in order."""
        metrics = {result.main for result in self.results}
        return tuple(metric for metric in COMPARISON_METRICS if metric in metrics)

    @property
    def headline(self) -> str:
        """Return the main metric of the largest number of workloads."""
        counts = Counter(result.main for result in self.results)
        return max(self.mains, key=lambda m: counts[m], default=COMPARISON_METRICS[0])


def compare_runs(
    *,
    runs: Iterable[int] | None = None,
    plan: int | None = None,
    factor: str = "tuning",
    baseline: str = "",
    operation: str = "",
    metrics: Sequence[str] = (),
    host: int | None = None,
    target: str = "",
    tuning: str = "",
    minimum: float = 0.0,
) -> ComparisonResult:
    """Compare runs (ids), or all runs of a plan (id), by a factor.

    The arguments are those of the page's URL (docs/howto/compare.md); `minimum` is in percent.
    Raises: ServiceError if there are too many results.
    """
    query = ComparisonQuery(
        runs=tuple(sorted(set(runs or ()))),
        plan=plan,
        factor=factor,
        baseline=baseline,
        operation=operation,
        metrics=tuple(metrics),
        host=host,
        target=target,
        tuning=tuning,
        minimum=minimum,
    )
    return compute_comparison(query)


def compute_comparison(
    query: ComparisonQuery, runs: Sequence[Run] | None = None, related: RelatedRows | None = None
) -> ComparisonResult:
    """Return the comparison of a query. `runs`, `related`: if known already.

    Raises: ServiceError (400) if there are too many results.
    """
    runs = query_runs(query) if runs is None else runs
    ids = [run.pk for run in runs]
    related = related or related_rows(ids)
    every = repeats_of(ids, query.metrics, query.further, related)
    return compare_repeats(query, runs, every, related)


def compare_repeats(
    query: ComparisonQuery, runs: Sequence[Run], every: Repeats, related: RelatedRows
) -> ComparisonResult:
    """Return the comparison of a query from all repeats of its runs. No query."""
    mask = every.where(_mask(every, query))
    repeats = with_param(mask, query.param)
    levels = levels_of(repeats, query)
    result = group_repeats(repeats, levels, query)
    evaluation = evaluate(repeats, result.groups, query)
    params = params_that_vary(every)
    return ComparisonResult(
        query=query,
        runs=tuple(runs),
        levels=levels.labels,
        level_names=levels.names,
        results=evaluation.results,
        tested=evaluation.tested,
        family=evaluation.family,
        used=len(repeats) - result.alone,
        alone=result.alone,
        repeats=repeats,
        related=related,
        without=len(mask) - len(repeats),
        choices=_choices(every, params),
        proposed=swept_params(repeats) if _has_single_level(levels, query) else {},
    )


def excluded_with_reasons(
    ids: Sequence[int], without: int, label: str, related: RelatedRows
) -> ExcludedResults:
    """Return excluded results and cases of these runs (ids).

    `without`: number of results whose workloads lack the parameter `label`.
    """
    any_at_all = related.left_out or related.without_result
    result = excluded_results(ids) if any_at_all else ExcludedResults({}, {})
    if not without:
        return result
    reason = _("their tests have no parameter “{name}”, or it is not known")
    return replace(result, results={**result.results, reason.format(name=label): without})


def _has_single_level(levels: Levels, query: ComparisonQuery) -> bool:
    return query.factor == "tuning" and len(levels.labels) == 1


def grouped(query: ComparisonQuery) -> tuple[Repeats, GroupedRepeats]:
    """Return the repeats and their groups, for charts without verdicts."""
    every = repeats_of([run.pk for run in query_runs(query)], query.metrics, query.further)
    repeats = with_param(every.where(_mask(every, query)), query.param)
    return repeats, group_repeats(repeats, levels_of(repeats, query), query)


def _mask(repeats: Repeats, query: ComparisonQuery) -> Flags:
    here = np.array([_matches(each, query) for each in repeats.shared], dtype=bool)
    operations = [query.operation in ("", name) for name in repeats.operations]
    named = np.array(operations, dtype=bool)
    mask: Flags = here[repeats.conditions] & named[repeats.operation]
    return mask


def _matches(here: Conditions, query: ComparisonQuery) -> bool:
    return (
        query.host in (None, here.host)
        and query.target in ("", here.target_label)
        and query.tuning in ("", here.tuning_name)
    )


def _sorted_by_name(rows: Iterable[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted(rows, key=lambda row: (name_key(row[1]), row[0])))


def _choices(repeats: Repeats, params: Mapping[str, str]) -> Choices:
    here = repeats.shared_here
    # One number per pair: finding distinct rows of a matrix takes much longer.
    codes = np.unique(repeats.point * len(repeats.operations) + repeats.operation).tolist()
    tests = [divmod(code, len(repeats.operations)) for code in codes]
    return Choices(
        params=params,
        operations=tuple(
            operations_in_order(
                (repeats.points[point].tool, repeats.operations[name]) for point, name in tests
            )
        ),
        hosts=_sorted_by_name({(c.host, c.host_name) for c in here}),
        targets=tuple(names_in_order(c.target_label for c in here)),
        tunings=tuple(sorted({c.tuning_name for c in here}, key=tuning_key)),
    )
