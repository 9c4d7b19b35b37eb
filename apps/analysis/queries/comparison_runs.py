"""Queries of comparisons: form choices, excluded results, histograms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from apps.analysis.queries.comparison_query import MAX_RUNS, ComparisonQuery
from apps.analysis.queries.filters import narrowed
from apps.common.domain.histograms import Ints, merge
from apps.common.domain.messages import localize_message
from apps.common.errors import ServiceError
from apps.results.models import Histogram, ResultSummary
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Case, CaseState, Purpose, Run

LISTED = 20


@dataclass(frozen=True)
class ExcludedResults:
    """Excluded results by reason, cases without a result by state."""

    results: Mapping[str, int]
    cases: Mapping[str, int]


def query_runs(query: ComparisonQuery, *, names_alone: bool = False) -> list[Run]:
    """Return the runs of a query, oldest first. `names_alone`: load key and name only."""
    if query.is_empty:
        return []
    chosen = Q(pk__in=query.runs)
    if query.plan is not None:
        chosen |= Q(plan_id=query.plan)
    named = bool(query.runs) or query.plan is not None
    rows = Run.objects.filter(chosen) if named else Run.objects.all()
    if not named or not query.further.is_empty:
        of = comparable_summaries().filter(run__in=rows) if named else comparable_summaries()
        rows = rows.filter(pk__in=narrowed(of, query.whole).order_by().values("run"))
    rows = rows.only("name") if names_alone else rows
    result = list(rows.order_by("pk")[: None if named else MAX_RUNS + 1])
    if not named and len(result) > MAX_RUNS:
        message = _("More than {limit} runs match. Narrow the selection.").format(limit=MAX_RUNS)
        raise ServiceError(message, {"run": message}, status=400)
    return result


class OfferedNames(NamedTuple):
    """(key, name) of plans and of runs."""

    plans: list[tuple[int, str]]
    runs: list[tuple[int, str]]


# The latest runs that are not archived, the latest launched plans, and the chosen ones.
_CHOICES = """
SELECT
    (SELECT coalesce(json_agg(json_build_array(p.id, p.name) ORDER BY p.name), '[]')
        FROM plans_testplan p WHERE p.id = %(plan)s OR p.id IN (
            SELECT l.id FROM plans_testplan l
            WHERE EXISTS (SELECT FROM runs_run WHERE plan_id = l.id)
            ORDER BY l.id DESC LIMIT %(listed)s)),
    (SELECT coalesce(json_agg(json_build_array(r.id, r.name) ORDER BY r.id DESC), '[]')
        FROM runs_run r WHERE r.id = ANY (%(runs)s) OR r.id IN (
            SELECT id FROM runs_run WHERE archived_at IS NULL ORDER BY id DESC LIMIT %(listed)s))
""".strip()


def offered_names(runs: Sequence[int], plan: int | None) -> OfferedNames:
    """Return the plans and runs to choose from, including these (ids). One query."""
    with connection.cursor() as cursor:
        cursor.execute(_CHOICES, {"runs": list(runs), "plan": plan, "listed": LISTED})
        plans, result = cursor.fetchall()[0]
    return OfferedNames(
        [(pk, name) for pk, name in plans],
        [(pk, str(Run(pk=pk, name=name))) for pk, name in result],
    )


def excluded_results(runs: Sequence[int]) -> ExcludedResults:
    """Return the number of excluded results by reason, and of cases without a result by state."""
    unlisted = [ResultSummary.ExclusionReason.REPLACED, ResultSummary.ExclusionReason.PRECONDITION]
    rows = ResultSummary.objects.filter(run_id__in=runs, is_comparable=False)
    invalid = (
        rows.exclude(exclusion_reason__in=unlisted)
        .order_by()
        .values_list("measurement__invalid_reason", "measurement__attempt__invalid_reason")
        .annotate(rows=Count("pk"))
    )
    reasons: Counter[str] = Counter()
    for own, of_attempt, number in invalid:
        reasons[localize_message(own or of_attempt) or _("the attempt did not succeed")] += number
    cases = (
        Case.objects.filter(run_id__in=runs, purpose=Purpose.MEASURE)
        .exclude(state__in=[CaseState.SUCCEEDED, CaseState.SKIPPED])
        .order_by()
        .values_list("state")
        .annotate(rows=Count("pk"))
    )
    return ExcludedResults(dict(reasons.most_common()), dict(cases))


def merged_histogram(measurements: Sequence[int]) -> tuple[Ints, Ints]:
    """Return the summed histogram (bins in ns, counts); empty without histograms."""
    rows = Histogram.objects.filter(measurement_id__in=measurements)
    return merge(rows.values_list("bins", "counts"))
