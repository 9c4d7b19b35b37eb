"""Latest verdicts on one tuning profile or one target, from the comparisons of whole runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from urllib.parse import urlencode

import numpy as np
from django.db.models import Count, Exists, Max, OuterRef, Q

from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.related_rows import RelatedRows, related_rows
from apps.analysis.repeats.repeats import Repeats, settings_text
from apps.analysis.repeats.selectors import repeats_of
from apps.analysis.verdicts.comparison import ComparisonResult, compare_repeats
from apps.analysis.verdicts.evaluate import ComparedResult
from apps.analysis.verdicts.headlines import Summary, summaries
from apps.analysis.verdicts.verdict_text import SHORT, VerdictText
from apps.inventory.models import Target
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import FINAL_RUN, Run, RunTarget, RunTargetMember, RunTuning
from apps.runs.selectors.runs import runs_visible
from apps.tuning.models import TuningProfile

MAX_VERDICTS = 20
MAX_RUNS = 20
"""Limit of compared runs: the newest."""
MAX_RESULTS = 20_000
"""Limit of results of the compared runs together."""
BATCH = 50
"""Runs whose results are searched at once: one query of all results would read the archive."""


@dataclass(frozen=True)
class Subject:
    """What verdicts are on. `results`: condition of its result summaries; `runs`: of its runs."""

    results: Q
    runs: Q


@dataclass(frozen=True)
class LatestVerdict:
    """Verdict of a run's comparison. `measured_at`: the run's last measurement."""

    run: Run
    measured_at: datetime
    summary: Summary

    @property
    def query(self) -> str:
        """Return the query string of the run's comparison, with this workload open."""
        return urlencode([("run", self.run.pk), ("group", self.summary.slug)])

    @property
    def change(self) -> str:
        """Return metric and change: "IOPS +10.2 %"."""
        text = VerdictText().medians(self.summary.change)
        return f"{SHORT[self.summary.metric]} {text}" if self.summary.is_measured else ""

    @property
    def interval(self) -> str:
        """Return the interval of the change; empty without one."""
        return VerdictText().interval(self.summary.change)


@dataclass(frozen=True)
class LatestVerdicts:
    """Latest verdicts, and the runs that were too large to be compared with the others."""

    verdicts: Sequence[LatestVerdict] = ()
    left_out: Sequence[Run] = ()


def latest_verdicts_of_tuning(tuning: TuningProfile) -> LatestVerdicts:
    """Return the latest verdicts on this profile or against it."""
    of_run = RunTuning.objects.filter(run=OuterRef("pk"), tuning=tuning)
    return _latest_verdicts(Subject(Q(run_tuning__tuning=tuning), Q(Exists(of_run))))


def latest_verdicts_of_target(target: Target) -> LatestVerdicts:
    """Return the latest verdicts on tunings on this target, alone or as a member."""
    whole = RunTarget.objects.filter(target=target.pk).order_by().values("pk")
    parts = RunTargetMember.objects.filter(target=target.pk).order_by().values("run_target")
    runs = whole.values("run").union(parts.values("run_target__run"))
    return _latest_verdicts(Subject(Q(run_target__in=whole.union(parts)), Q(pk__in=runs)))


def _latest_verdicts(subject: Subject) -> LatestVerdicts:
    """Return the verdicts on results of the subject, those of the newest run first."""
    runs, left_out = _compared_runs(subject)
    verdicts = list(islice(_verdicts(runs, subject.results), MAX_VERDICTS)) if runs else []
    return LatestVerdicts(verdicts, left_out)


def _compared_runs(subject: Subject) -> tuple[dict[int, tuple[Run, datetime]], list[Run]]:
    """Return ended runs of several tunings with results of the subject, the newest first.

    The second part: runs that exceed the limit of results together with newer ones.
    """
    runs = _newest_runs(subject)
    sizes = comparable_summaries().filter(run__in=runs).order_by().values_list("run")
    rows = sizes.annotate(results=Count("pk"), measured_at=Max("measured_at")).order_by("-run")
    selected, left_out, total = {}, [], 0
    for pk, results, measured_at in rows if runs else ():
        if total + results <= MAX_RESULTS:
            selected[pk], total = (runs[pk], measured_at), total + results
        else:
            left_out.append(runs[pk])
    return selected, left_out


def _newest_runs(subject: Subject) -> dict[int, Run]:
    """Return the newest of these runs, at most MAX_RUNS, by batches of the subject's runs."""
    second = RunTuning.objects.filter(run=OuterRef("pk")).order_by("position")[1:2]
    rows = (
        runs_visible()
        .filter(subject.runs, Exists(second), state__in=FINAL_RUN, archived_at=None)
        .select_related(None)
        .only("name")
        .order_by("-pk")
    )
    result: dict[int, Run] = {}
    batch = {run.pk: run for run in rows[:BATCH]}
    while batch:
        measured = comparable_summaries().filter(subject.results, run__in=batch).order_by()
        found = set(measured.values_list("run", flat=True).distinct())
        result |= {pk: run for pk, run in batch.items() if pk in found}
        if len(result) >= MAX_RUNS or len(batch) < BATCH:
            break
        batch = {run.pk: run for run in rows.filter(pk__lt=min(batch))[:BATCH]}
    return dict(islice(result.items(), MAX_RUNS))


def _verdicts(runs: dict[int, tuple[Run, datetime]], subject: Q) -> Iterator[LatestVerdict]:
    """Yield the verdicts of each run, as its own comparison has them."""
    ids = list(runs)
    related = related_rows(ids)
    every, baselines = repeats_of(ids, related=related), _baseline_tunings(ids)
    measured = comparable_summaries().filter(subject, run__in=ids).order_by()
    of_subject = np.isin(every.measurement, list(measured.values_list("pk", flat=True)))
    for pk, (run, measured_at) in runs.items():
        rows = every.run == pk
        repeats = replace(every.where(rows), baseline_tunings=baselines.get(pk, ()))
        comparison = _comparison(run, repeats, related)
        for summary in _summaries(comparison, set(every.measurement[rows & of_subject].tolist())):
            yield LatestVerdict(run, measured_at, summary)


def _baseline_tunings(runs: Sequence[int]) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return the baseline tuning of each run that has one, as in `RelatedRows`."""
    rows = RunTuning.objects.filter(run__in=runs, is_baseline=True).order_by()
    columns = rows.values_list("run", "name", "settings")
    return {run: ((name, settings_text(settings)),) for run, name, settings in columns}


def _comparison(run: Run, repeats: Repeats, related: RelatedRows) -> ComparisonResult:
    return compare_repeats(ComparisonQuery(runs=(run.pk,)), [run], repeats, related)


def _summaries(comparison: ComparisonResult, measurements: set[int]) -> Iterator[Summary]:
    """Yield the summaries of levels for which one side has any of these measurements."""
    for result in comparison.results:
        numbers = [
            number
            for number in range(len(result.pairs))
            if not measurements.isdisjoint(_compared_measurements(result, number))
        ]
        if numbers:
            of_levels = summaries(comparison, [result])
            yield from (of_levels[number] for number in numbers)


def _compared_measurements(result: ComparedResult, number: int) -> list[int]:
    pair = result.pairs[number]
    rows: list[int] = result.repeats.measurement[[*pair.a, *pair.b]].tolist()
    return rows
