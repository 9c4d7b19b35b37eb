"""Queries of histories: results of one workload by one index, then names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from apps.analysis.history.readings import HistoryPoint
from apps.analysis.history.result import History, history_of
from apps.analysis.repeats.level_names import (
    SummaryRow,
    target_key,
    target_names,
    tuning_key,
    tuning_names,
)
from apps.inventory.models import Disk, HostFacts
from apps.results.models import ResultSummary
from apps.results.selectors.metric_columns import extent_value, window_value
from apps.tools.metrics import METRICS, OVER_TIME, WINDOWED

MAX_POINTS = 20_000
"""Limit of results of a history: the newest."""
_COLUMNS = (
    "pk", "case_id", "run_id", "measured_at", "has_measured_time", "operation", "host_id",
    "target_id", "run_target_id", "run_tuning_id", "settings_hash", "facts_id", "tool_version",
)  # fmt: skip


def history_read(rows: QuerySet[ResultSummary], *, metric: str, operation: str) -> History:
    """Return the history of these results, of one metric and operation."""
    value = extent_value(metric) if metric in OVER_TIME else F(metric)
    measured = rows.filter(operation=operation).annotate(value=value).filter(value__isnull=False)
    newest = list(
        measured.order_by("-measured_at", "-pk").values(*_COLUMNS, "value")[: MAX_POINTS + 1]
    )
    windows = _windows(measured, metric) if metric in WINDOWED else {}
    return history_of(history_points(newest[:MAX_POINTS], windows), more=len(newest) > MAX_POINTS)


def _windows(rows: QuerySet[ResultSummary], metric: str) -> dict[int, float]:
    """Return the window length of each of the newest results, if there are several lengths.

    A maximum over shorter windows is higher without any change.
    """
    window = window_value(METRICS[metric].series)
    newest = rows.annotate(window=window).order_by("-measured_at", "-pk")[:MAX_POINTS]
    result: dict[int, float] = dict(newest.values_list("pk", "window"))
    return result if len(set(result.values())) > 1 else {}


def history_points(rows: Sequence[SummaryRow], windows: Mapping[int, float]) -> list[HistoryPoint]:
    """Return the results with names, by a constant number of queries.

    `windows`: window length by result, which separates levels.
    """
    tunings = tuning_names(rows)
    targets = target_names(rows)
    properties = _properties(rows)
    several = len(set(targets.values())) > 1
    result = []
    for row in rows:
        tuning, target = tunings[tuning_key(row)], targets[target_key(row)]
        window = windows.get(row["pk"])
        if window is not None:
            tuning = _("{tuning}, windows of {seconds:g} s").format(tuning=tuning, seconds=window)
        result.append(
            HistoryPoint(
                measurement=row["pk"],
                case=row["case_id"],
                run=row["run_id"],
                at=row["measured_at"],
                timed=row["has_measured_time"],
                operation=row["operation"],
                value=row["value"],
                level=f"{target} · {tuning}" if several else tuning,
                target=target,
                properties=_row_properties(row, properties),
            )
        )
    return result


@dataclass(frozen=True)
class _Properties:
    """Facts by key, reported properties by facts and target, disk identities by target."""

    facts: dict[int, HostFacts]
    identities: dict[int, str]
    reported: dict[tuple[int, int | None], tuple[tuple[str, str], ...]]


def _properties(rows: Sequence[SummaryRow]) -> _Properties:
    facts = HostFacts.objects.in_bulk({row["facts_id"] for row in rows} - {None})
    targets = {row["target_id"] for row in rows} - {None}
    disks = Disk.objects.filter(target__in=targets).values_list("target", "identity")
    return _Properties(facts, dict(disks), {})


def _row_properties(row: SummaryRow, properties: _Properties) -> tuple[tuple[str, str], ...]:
    tool = (("tool", row["tool_version"]),) if row["tool_version"] else ()
    facts, target = row["facts_id"], row["target_id"]
    if facts is None:
        return tool
    key = (facts, target)
    if key not in properties.reported:
        identity = properties.identities.get(target, "") if target is not None else ""
        properties.reported[key] = tuple(_facts_properties(properties.facts[facts], identity))
    return (*properties.reported[key], *tool)


def _facts_properties(facts: HostFacts, identity: str) -> Iterable[tuple[str, str]]:
    disk = facts.known.disk(identity) if identity else None
    queue = ", ".join(f"{name} {value}" for name, value in disk.queue.values()) if disk else ""
    result = {
        "kernel": facts.known.kernel,
        "distribution": facts.known.distribution,
        "firmware": disk.firmware if disk else None,
        "slot": disk.bay if disk else None,
        "queue": ", ".join(filter(None, (disk.queue.scheduler, queue))) if disk else None,
    }
    return ((name, value) for name, value in result.items() if value)
