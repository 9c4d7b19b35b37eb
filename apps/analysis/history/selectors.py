"""Reads for histories: figures of one workload by one index, and the names of what they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypedDict

from django.db.models import Count, F, Max, Model, QuerySet
from django.utils.translation import gettext as _

from apps.analysis.compare.matching.repeats import settings_text
from apps.analysis.history.answer import History, history_of
from apps.analysis.history.readings import Reading
from apps.inventory.models import Disk, Host, HostFacts
from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_names
from apps.results.models import Figure
from apps.results.selectors.metric_columns import extent_value, window_value
from apps.runs.models import RunTarget, RunTuning
from apps.tools.metrics import COLUMNS, METRICS, METRICS_BY_PRIORITY, OVER_TIME, WINDOWED
from apps.tools.workloads.order import operation_key, workload_order

MOST = 20_000
"""Readings of one history; of more the newest are shown."""
FIRST = next(key for key in METRICS_BY_PRIORITY if METRICS[key].percentile)
"""The metric that is shown unless somebody asks for another: the percentile that people ask for."""
ORDER = tuple(dict.fromkeys((FIRST, *METRICS_BY_PRIORITY, *COLUMNS)))
_COLUMNS = (
    "pk", "case_id", "run_id", "at", "timed", "operation", "host_id", "target_id", "run_target_id",
    "run_tuning_id", "settings_hash", "facts_id", "tool_version",
)  # fmt: skip


class FigureRow(TypedDict):
    """A figure as histories read it; `value` of the metric that is asked for."""

    pk: int
    case_id: int
    run_id: int
    at: datetime
    timed: bool
    operation: str
    host_id: int | None
    target_id: int | None
    run_target_id: int
    run_tuning_id: int
    settings_hash: int | None
    facts_id: int | None
    tool_version: str
    value: float


TuningKey = tuple[Literal["hash"], int] | tuple[Literal["told"], int]
TargetKey = tuple[Literal["target", "told"], int]

LATEST = 2_000
"""Results among which workloads are looked for where nobody names a place: all of an archive take
seconds.
"""


@dataclass(frozen=True)
class Measured:
    """A workload that was measured here: how often, and when last. `name`: among the others."""

    workload: Workload
    name: str
    results: int
    last: datetime


def history_read(rows: QuerySet[Figure], *, metric: str, operation: str) -> History:
    """The history in these figures, of one metric and operation."""
    value = extent_value(metric) if metric in OVER_TIME else F(metric)
    wanted = rows.filter(operation=operation).annotate(value=value).filter(value__isnull=False)
    newest = list(wanted.order_by("-at", "-pk").values(*_COLUMNS, "value")[: MOST + 1])
    windows = _windows(wanted, metric) if metric in WINDOWED else {}
    return history_of(readings_of(newest[:MOST], windows), more=len(newest) > MOST)


def _windows(rows: QuerySet[Figure], metric: str) -> dict[int, float]:
    """The length of the windows of each of the newest readings, where they have several: a most of
    shorter ones is higher, and no change.
    """
    window = window_value(METRICS[metric].series)
    newest = rows.annotate(window=window).order_by("-at", "-pk")[:MOST]
    found: dict[int, float] = dict(newest.values_list("pk", "window"))
    return found if len(set(found.values())) > 1 else {}


def operations_of(rows: QuerySet[Figure], tool: str) -> dict[str, list[str]]:
    """The operations that were measured, in their tool's order, each with the metrics it has, in
    the order in which people ask for them.
    """
    counts = {f"number_{key}": Count(key) for key in COLUMNS}
    counted = rows.order_by().values_list("operation").annotate(**counts)
    found = {name: dict(zip(COLUMNS, numbers, strict=True)) for name, *numbers in counted}
    return {
        operation: [key for key in ORDER if found[operation][key]] + _over_time(rows, operation)
        for operation in sorted(found, key=lambda name: operation_key(tool, name))
    }


def _over_time(rows: QuerySet[Figure], operation: str) -> list[str]:
    """The figures over time that the newest result of the operation has."""
    own = rows.filter(operation=operation).order_by("-at", "-pk").values_list("pk", flat=True)
    # Two queries: PostgreSQL would work them out for all rows before it looks for the newest.
    newest = Figure.objects.filter(pk=own.first()).order_by()
    values = {key: extent_value(key) for key in OVER_TIME}
    found = newest.values(**values).first() or {}
    return [key for key in OVER_TIME if found.get(key) is not None]


def workloads_of(rows: QuerySet[Figure], target: Model | None, most: int) -> list[Measured]:
    """The workloads of these figures in their order, of more than `most` those measured last."""
    if target is not None:
        # A target's runs are few; figures have no index that begins with the target.
        runs = RunTarget.objects.filter(target=getattr(target, "target_id", None))
        rows = rows.filter(run__in=runs.order_by().values("run"))
    counted = rows.values("workload").annotate(results=Count("pk"), last=Max("at"))
    newest = list(counted.order_by("-last", "workload")[:most])
    named = Workload.objects.in_bulk([row["workload"] for row in newest])
    names = workload_names(named.values())
    found = [
        Measured(named[pk], names[pk], row["results"], row["last"])
        for row in newest
        for pk in [row["workload"]]
    ]
    return sorted(found, key=lambda one: workload_order(one.workload.tool, one.workload.params))


def workloads_lately(rows: QuerySet[Figure], most: int) -> list[Measured]:
    """The workloads of the latest of these figures."""
    newest = rows.order_by("-pk").values("pk")[:LATEST]
    return workloads_of(rows.filter(pk__in=newest), None, most)


def readings_of(rows: Sequence[FigureRow], windows: Mapping[int, float]) -> list[Reading]:
    """Figures' rows with names: a few queries, however many rows there are. `windows`: the length
    of each one's, which tells levels apart.
    """
    tunings = tuning_names(rows)
    places = place_names(rows)
    known = _properties(rows)
    several = len(set(places.values())) > 1
    found = []
    for row in rows:
        tuning, place = tunings[tuning_key(row)], places[place_key(row)]
        window = windows.get(row["pk"])
        if window is not None:
            tuning = _("{tuning}, windows of {seconds:g} s").format(tuning=tuning, seconds=window)
        found.append(
            Reading(
                measurement=row["pk"],
                case=row["case_id"],
                run=row["run_id"],
                at=row["at"],
                timed=row["timed"],
                operation=row["operation"],
                value=row["value"],
                level=f"{place} · {tuning}" if several else tuning,
                place=place,
                properties=_of_row(row, known),
            )
        )
    return found


def tuning_key(row: FigureRow) -> TuningKey:
    """The key of the tuning in force; of an import, which does not say it, the given name."""
    if row["settings_hash"] is None:
        return ("told", row["run_tuning_id"])
    return ("hash", row["settings_hash"])


def tuning_names(rows: Sequence[FigureRow]) -> dict[TuningKey, str]:
    """A tuning's newest name; with its settings where others are called the same."""
    newest = {tuning_key(row): row["run_tuning_id"] for row in reversed(rows)}
    found = RunTuning.objects.in_bulk(newest.values())
    told = {key: found[pk] for key, pk in newest.items()}
    names = {key: tuning.name or _("no name") for key, tuning in told.items()}
    texts = {key: settings_text(tuning.settings) for key, tuning in told.items()}
    alike = Counter(name for name, _text in {(names[key], texts[key]) for key in names})
    return {
        key: f"{name} ({texts[key]})" if alike[name] > 1 and texts[key] else name
        for key, name in names.items()
    }


def place_key(row: FigureRow) -> TargetKey:
    """The key of the target; of an import the host and its words."""
    if row["target_id"] is None:
        return ("told", row["run_target_id"])
    return ("target", row["target_id"])


def place_names(rows: Sequence[FigureRow]) -> dict[TargetKey, str]:
    """A target's newest name; of an import with its host before it."""
    newest = {place_key(row): (row["run_target_id"], row["host_id"]) for row in reversed(rows)}
    names = dict(
        RunTarget.objects.filter(pk__in={pk for pk, _host in newest.values()})
        .order_by()
        .values_list("pk", "name")
    )
    hosts = _host_names({host for key, (_pk, host) in newest.items() if key[0] == "told"})
    return {
        key: " ".join(
            filter(None, (hosts.get(host or 0, "") if key[0] == "told" else "", names[pk]))
        )
        for key, (pk, host) in newest.items()
    }


def _host_names(hosts: Iterable[int | None]) -> dict[int, str]:
    return dict(Host.objects.filter(pk__in=[pk for pk in hosts if pk]).values_list("pk", "name"))


@dataclass(frozen=True)
class _Known:
    """Facts by key, with their properties of a target's disk; disks' identities by target."""

    facts: dict[int, HostFacts]
    identities: dict[int, str]
    told: dict[tuple[int, int | None], tuple[tuple[str, str], ...]]


def _properties(rows: Sequence[FigureRow]) -> _Known:
    facts = HostFacts.objects.in_bulk({row["facts_id"] for row in rows} - {None})
    targets = {row["target_id"] for row in rows} - {None}
    disks = Disk.objects.filter(target__in=targets).values_list("target", "identity")
    return _Known(facts, dict(disks), {})


def _of_row(row: FigureRow, known: _Known) -> tuple[tuple[str, str], ...]:
    tool = (("tool", row["tool_version"]),) if row["tool_version"] else ()
    facts, target = row["facts_id"], row["target_id"]
    if facts is None:
        return tool
    place = (facts, target)
    if place not in known.told:
        identity = known.identities.get(target, "") if target is not None else ""
        known.told[place] = tuple(_of_facts(known.facts[facts], identity))
    return (*known.told[place], *tool)


def _of_facts(facts: HostFacts, identity: str) -> Iterable[tuple[str, str]]:
    disk = facts.known.disk(identity) if identity else None
    queue = ", ".join(f"{name} {value}" for name, value in disk.queue.values()) if disk else ""
    found = {
        "kernel": facts.known.kernel,
        "distribution": facts.known.distribution,
        "firmware": disk.firmware if disk else None,
        "slot": disk.bay if disk else None,
        "queue": ", ".join(filter(None, (disk.queue.scheduler, queue))) if disk else None,
    }
    return ((name, value) for name, value in found.items() if value)
