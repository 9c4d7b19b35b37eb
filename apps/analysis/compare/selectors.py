"""Reads for comparisons: what there is to choose, what is left out, histograms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from apps.analysis.compare.question import MAX_RUNS, Question
from apps.analysis.selection.filters import narrowed
from apps.common.errors import Refused
from apps.common.histograms import Ints, merge
from apps.common.stored.sentences import said
from apps.plans.models import TestPlan
from apps.results.models import Figure, Histogram
from apps.results.selectors import figures_that_count
from apps.runs.models import Case, CaseState, Purpose, Run

LISTED = 20


@dataclass(frozen=True)
class LeftOut:
    """Contents that a comparison leaves out: results by reason, cases without one by state."""

    results: Mapping[str, int]
    cases: Mapping[str, int]


def runs_of(question: Question) -> list[Run]:
    """The runs a question is about, oldest first."""
    if question.is_empty:
        return []
    chosen = Q(pk__in=question.runs)
    if question.plan is not None:
        chosen |= Q(plan_id=question.plan)
    named = bool(question.runs) or question.plan is not None
    rows = Run.objects.filter(chosen) if named else Run.objects.all()
    if not named or not question.further.is_empty:
        of = figures_that_count().filter(run__in=rows) if named else figures_that_count()
        rows = rows.filter(pk__in=narrowed(of, question.whole).order_by().values("run"))
    found = list(rows.select_related("plan").order_by("pk")[: None if named else MAX_RUNS + 1])
    if not named and len(found) > MAX_RUNS:
        words = _("More than {most} runs fit. Narrow them down.").format(most=MAX_RUNS)
        raise Refused(words, {"run": words}, status=400)
    return found


def runs_to_choose(chosen: Iterable[int]) -> QuerySet[Run]:
    """The latest runs that are not archived, and those already chosen: their names."""
    latest = Run.objects.filter(archived_at=None).order_by("-pk").values("pk")[:LISTED]
    rows = Run.objects.filter(Q(pk__in=latest) | Q(pk__in=list(chosen))).order_by("-pk")
    return rows.only("name")


def plans_to_choose(chosen: int | None) -> QuerySet[TestPlan]:
    """The plans made last of those that have been launched, and the one already chosen: names."""
    launched = TestPlan.objects.filter(Exists(Run.objects.filter(plan=OuterRef("pk"))))
    latest = launched.order_by("-pk").values("pk")[:LISTED]
    return TestPlan.objects.filter(Q(pk__in=latest) | Q(pk=chosen)).order_by("name").only("name")


def left_out(runs: Sequence[int]) -> LeftOut:
    """Results that may not be compared, by reason; cases that gave none, by state."""
    unasked = [Figure.LeftOut.REPLACED, Figure.LeftOut.PREPARE]
    rows = Figure.objects.filter(run_id__in=runs, counts=False)
    invalid = (
        rows.exclude(left_out__in=unasked)
        .order_by()
        .values_list("measurement__invalid_reason", "measurement__attempt__invalid_reason")
        .annotate(rows=Count("pk"))
    )
    reasons: Counter[str] = Counter()
    for own, of_attempt, number in invalid:
        reasons[said(own or of_attempt) or _("the attempt did not succeed")] += number
    cases = (
        Case.objects.filter(run_id__in=runs, purpose=Purpose.MEASURE)
        .exclude(state__in=[CaseState.SUCCEEDED, CaseState.SKIPPED])
        .order_by()
        .values_list("state")
        .annotate(rows=Count("pk"))
    )
    return LeftOut(dict(reasons.most_common()), dict(cases))


def merged_histogram(measurements: Sequence[int]) -> tuple[Ints, Ints]:
    """The sum of these measurements' histograms (bins in ns, counts); empty where none is kept."""
    rows = Histogram.objects.filter(measurement_id__in=measurements)
    return merge(rows.values_list("bins", "counts"))
