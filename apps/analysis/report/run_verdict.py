"""Verdict on an ended run in a few lines, for notifications."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.report.run_headline import medians_of
from apps.analysis.result import Finding
from apps.analysis.verdicts.baseline_links import baseline_queries
from apps.analysis.verdicts.comparison import compute_comparison
from apps.analysis.verdicts.headlines import has_worse, overall
from apps.analysis.verdicts.verdict_text import kind_text
from apps.common.domain.verdicts import DIFFERENCE_SHOWN
from apps.common.errors import ServiceError
from apps.runs.models import Run

MAX_BASELINES = 1
"""Limit of baselines that a run is compared with: the newest."""


@dataclass(frozen=True)
class RunVerdict:
    """Lines of the verdict; `is_worse`: a main metric is worse than a baseline."""

    lines: tuple[str, ...] = ()
    is_worse: bool = False


def verdict_of(run: Run) -> RunVerdict:
    """Return the headline of the run's comparison and of that with the baseline of its target.

    A run with one tuning has medians instead of the first. No lines for a run with more results
    than a page compares.
    """
    try:
        own = _verdict(ComparisonQuery(runs=(run.pk,)))
    except ServiceError:
        return RunVerdict()
    lines = own.lines or medians_of(run, counts_others=True)
    is_worse = own.is_worse
    for baseline, query in baseline_queries([run.pk], MAX_BASELINES):
        try:
            against = _verdict(query)
        except ServiceError:
            continue
        name = _("Against the baseline {name}").format(name=baseline)
        lines += tuple(f"{name}: {line}" for line in against.lines)
        is_worse = is_worse or against.is_worse
    return RunVerdict(lines, is_worse)


def _verdict(query: ComparisonQuery) -> RunVerdict:
    """Return the verdict of a comparison; empty with one level. Raises: ServiceError."""
    comparison = compute_comparison(query)
    if len(comparison.levels) < 2:
        return RunVerdict()
    return RunVerdict(tuple(map(_line, overall(comparison))), has_worse(comparison))


def _line(finding: Finding) -> str:
    """Return the text of a finding; a change begins with its verdict, as there is no badge."""
    if finding.kind in DIFFERENCE_SHOWN:
        return f"{kind_text(finding.kind)}: {finding.text}"
    return finding.text
