"""Conditions that would explain the newest changes of a history."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from apps.analysis.causes.affected import MeasuredRepeat, changed_repeats
from apps.analysis.causes.report import CauseReport, Subject, cause_report
from apps.analysis.history.change_text import change_point_text
from apps.analysis.history.readings import HistoryPoint
from apps.analysis.history.result import History, Level
from apps.analysis.history.segments import ChangePoint, Segment
from apps.plans.models import Workload
from apps.runs.models import Run
from apps.tools.metrics import METRICS
from apps.tools.registry import measures_network

MAX_CHANGES = 3
"""Limit of changes with a report: each needs queries of its own."""
MAX_RUNS = 30
"""Limit of runs on each side of a change: the nearest ones."""


def history_causes(history: History, workload: Workload, metric: str) -> tuple[CauseReport, ...]:
    """Return the reports on the newest changes, the newest first."""
    newest = list(reversed(history.change_points))[:MAX_CHANGES]
    levels = {level.label: level for level in history.levels}
    network = measures_network(workload.tool)
    return tuple(
        cause_report(_subject(levels[point.level], point, workload, metric, network=network))
        for point in newest
    )


def _subject(
    level: Level, point: ChangePoint, workload: Workload, metric: str, *, network: bool
) -> Subject:
    before = _repeats(level, point.before, nearest_last=True)
    after = _repeats(level, point.after, nearest_last=False)
    # An increase is "slower" for a metric without a better direction.
    worse = METRICS[metric].higher_is_better or False
    affected = changed_repeats(before, after, higher_is_better=worse)
    text = _("The affected repeats are the {n} slower ones, after the change.")
    if affected.repeats and affected.repeats[0].affected:
        text = _("The affected repeats are the {n} slower ones, before the change.")
    return Subject(
        title=change_point_text(point, metric, network=network),
        affected=affected,
        affected_text=text.format(n=affected.affected),
        plan=Run.objects.filter(pk=point.after.last.run).values_list("plan", flat=True).first(),
        workload=workload.pk,
    )


def _repeats(level: Level, segment: Segment, *, nearest_last: bool) -> list[MeasuredRepeat]:
    """Return the repeats of the runs of a segment that are nearest to the change."""
    runs = [run.run for run in level.runs]
    first, last = runs.index(segment.first.run), runs.index(segment.last.run)
    chosen = runs[first : last + 1]
    near = set(chosen[-MAX_RUNS:] if nearest_last else chosen[:MAX_RUNS])
    return [_repeat(reading) for reading in _timed(level.readings) if reading.run in near]


def _timed(readings: Sequence[HistoryPoint]) -> list[HistoryPoint]:
    return [reading for reading in readings if reading.timed]


def _repeat(reading: HistoryPoint) -> MeasuredRepeat:
    return MeasuredRepeat(reading.measurement, reading.value)
