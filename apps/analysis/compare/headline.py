"""The result of a run in a line or two: for lists of runs, which ask for it one by one."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.db.models import Aggregate, Count, FloatField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from apps.analysis.compare.question import Question
from apps.analysis.compare.shown import Answers, Shown, View
from apps.common.errors import Refused
from apps.results.selectors import figures_that_count
from apps.runs.models import Run

MOST = 2


class Median(Aggregate):
    """PostgreSQL's percentile_cont(0.5): the middle, or the mean of the two in the middle."""

    function = "percentile_cont"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


@dataclass(frozen=True)
class Middle:
    """A workload's medians over `number` results: operations/s and bytes/s, as far as measured."""

    label: str
    operation: str
    tool: str
    number: int
    iops: float | None
    bandwidth: float | None


@require_safe
@login_required
def run_headline(request: HttpRequest, pk: int) -> HttpResponse:
    """The fragment: the first sentences of the run's comparison of tunings; where there is one
    tuning only, medians. Kept as the comparison's page is, so the second time costs little.
    """
    run = get_object_or_404(Run, pk=pk)
    question = Question(runs=(run.pk,))
    found = _compared(question)
    many = found is not None and len(found.levels) > 1
    middles = [] if many else _middles(run)
    context = {"shown": found, "many": many, "middles": middles, "query": question.query()}
    return render(request, "analysis/compare/partials/headline.html", context)


def _compared(question: Question) -> Shown | None:
    """None where the run has more results than a page compares."""
    try:
        return Answers(question).page(View())
    except Refused:
        return None


def _middles(run: Run) -> list[Middle]:
    """Of the workloads that came first into the archive."""
    rows = (
        figures_that_count()
        .filter(run_id=run.pk)
        .order_by("workload_id", "operation")
        .values_list("workload__label", "operation", "workload__tool")
        .annotate(number=Count("pk"), io=Median("iops"), bytes=Median("bandwidth"))
    )
    return [Middle(*row) for row in rows[:MOST]]
