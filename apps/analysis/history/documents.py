"""A history as the API answers it. The serializers of `apps.analysis.history.api` describe the same
shapes for people; a test holds the two together.
"""

from __future__ import annotations

from typing import TypedDict

from apps.analysis.history.answer import History
from apps.analysis.history.chosen import Chosen
from apps.analysis.history.readings import Mark, Reading
from apps.analysis.history.stretches import ChangePoint
from apps.plans.models import Workload
from apps.plans.workload_names import workload_name
from apps.tools.metrics import METRICS


class ReadingDocument(TypedDict):
    at: str
    timed: bool
    value: float
    tuning: str
    target: str
    measurement: int
    case: int
    run: int


class ChangeDocument(TypedDict):
    at: str
    target: str
    what: str
    before: str
    after: str
    run: int


class ChangePointDocument(TypedDict):
    at: str
    tuning: str
    ratio: float
    before: float
    after: float
    runs_before: int
    runs_after: int
    run: int
    changes: list[ChangeDocument]


class HistoryDocument(TypedDict):
    workload: str
    label: str
    operation: str
    operations: list[str]
    metric: str
    metrics: list[str]
    unit: str
    more: bool
    readings: list[ReadingDocument]
    changes: list[ChangeDocument]
    change_points: list[ChangePointDocument]


def history_document(workload: Workload, chosen: Chosen, found: History) -> HistoryDocument:
    """A workload's history: readings, and what changed between them."""
    return {
        "workload": workload.key,
        "label": workload_name(workload),
        "operation": chosen.operation,
        "operations": list(chosen.operations),
        "metric": chosen.metric,
        "metrics": list(chosen.metrics),
        "unit": METRICS[chosen.metric].unit,
        "more": found.more,
        "readings": [_reading(reading) for reading in found.readings],
        "changes": [_change(mark) for mark in found.marks],
        "change_points": [_change_point(point) for point in found.change_points],
    }


def _reading(reading: Reading) -> ReadingDocument:
    return {
        "at": reading.at.isoformat(), "timed": reading.timed, "value": reading.value,
        "tuning": reading.level, "target": reading.place, "measurement": reading.measurement,
        "case": reading.case, "run": reading.run,
    }  # fmt: skip


def _change(mark: Mark) -> ChangeDocument:
    return {
        "at": mark.at.isoformat(), "target": mark.place, "what": mark.what,
        "before": mark.before, "after": mark.after, "run": mark.run,
    }  # fmt: skip


def _change_point(point: ChangePoint) -> ChangePointDocument:
    return {
        "at": point.at.isoformat(), "tuning": point.level, "ratio": point.ratio,
        "before": point.before.median, "after": point.after.median,
        "runs_before": point.before.runs, "runs_after": point.after.runs,
        "run": point.after.first.run, "changes": [_change(mark) for mark in point.marks],
    }  # fmt: skip
