"""Rows of a case's page: results, settings and facts of an attempt."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from apps.common.domain import units
from apps.common.templatetags.benchlab_format import bytes_, count, duration, latency, when
from apps.inventory.models import Directory, Disk
from apps.inventory.presenters import smart_rows
from apps.inventory.schemas.backing_arrays import backing_rows
from apps.inventory.schemas.host_facts import KnownDisk, KnownFacts, Smart, known
from apps.inventory.schemas.raid_levels import level_words
from apps.results.models import Measurement
from apps.results.presenters.host_dashboard import dashboard_links
from apps.results.schemas.values import typed_value
from apps.results.selectors.jobs import job_rows
from apps.runs.models import Attempt, Case
from apps.runs.presenters.advice import advice, failure_cause_text
from apps.runs.selectors.unresponsive_hosts import contact_lost_since
from apps.tools.metrics import COLUMNS, METRICS
from apps.tools.series.stalls import BOUNDS, MEANS, NAME, SlowestWindow
from apps.tools.workloads.order import operation_key
from apps.tuning.domain.baseline import tuning_label

DefinitionRow = tuple[str, Any]
MOST_VALUES = 400


@dataclass(frozen=True)
class OperationFigures:
    """Results of an operation. `percentiles`: (percent, ns); `values`: (name, text)."""

    row: Measurement
    percentiles: list[tuple[str, float | None]]
    values: list[tuple[str, str]]
    hidden: int
    has_histogram: bool


@dataclass(frozen=True)
class AttemptRow:
    """Attempt in the list of a case's attempts."""

    attempt: Attempt
    state: str
    seconds: float | None
    failure_cause: str
    todo: str


def figures_of(attempt: Attempt) -> list[OperationFigures]:
    """Return the whole measurements of an attempt by operation."""
    rows = attempt.measurements.filter(component="").select_related("histogram", "workload")
    shown = []
    for row in sorted(rows, key=lambda row: operation_key(attempt.case.tool, row.operation)):
        values = list(flat(row.values))
        shown.append(
            OperationFigures(
                row,
                percentiles=sorted(row.percentiles.items(), key=lambda item: float(item[0])),
                values=values[:MOST_VALUES],
                hidden=max(0, len(values) - MOST_VALUES),
                has_histogram=hasattr(row, "histogram"),
            )
        )
    return shown


def flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Flatten a document: {"jobs": [{"iops": 3}]} yields ("jobs.0.iops", "3")."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from flat(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        for number, inner in enumerate(value):
            yield from flat(inner, f"{path}.{number}".lstrip("."))
    elif isinstance(value, list):
        yield path, ", ".join(_text(inner) for inner in value)
    elif value is not None:
        yield path, _text(value)


def _text(value: Any) -> str:
    return f"{value:,.6g}" if isinstance(value, float) and not value.is_integer() else str(value)


def attempt_rows(case: Case, attempts: list[Attempt]) -> list[AttemptRow]:
    """Return the attempts of a case, newest first."""
    return [_attempt_row(case, attempt) for attempt in reversed(attempts)]


def _attempt_row(case: Case, attempt: Attempt) -> AttemptRow:
    state = str(attempt.state)
    if contact_lost_since(attempt) is not None:
        state = "unknown"
    elif state == "succeeded" and not attempt.valid:
        state = "invalid"
    return AttemptRow(
        attempt,
        state,
        _seconds(attempt),
        failure_cause_text(attempt.failure_cause),
        advice(attempt.state, attempt.failure_cause),
    )


def _seconds(attempt: Attempt) -> float | None:
    if attempt.started_at is None or attempt.ended_at is None:
        return None
    return (attempt.ended_at - attempt.started_at).total_seconds()


def command_text(attempt: Attempt) -> str:
    """Return the executed commands as shell lines."""
    specs = [job.spec for job in job_rows(attempt)]
    planned = [command["argv"] for spec in specs for command in spec.get("commands") or []]
    argv = attempt.argv or planned
    return "\n".join(shlex.join(str(word) for word in words) for words in argv if words)


def attempt_facts(attempt: Attempt) -> list[DefinitionRow]:
    """Return label and value of the conditions of an attempt."""
    facts = attempt.facts.known if attempt.facts else KnownFacts()
    absent = _("not known") if attempt.case.run.is_imported else ""
    cpus = f"{facts.cpu.count} × {facts.cpu.model or ''}" if facts.cpu.count else None
    links = dashboard_links(attempt)
    return [
        (_("First host") if len(attempt.case.host_ids) > 1 else _("Host"), attempt.case.host.name),
        (_("Kernel"), facts.kernel),
        (_("System"), facts.distribution),
        (_("CPUs"), cpus),
        (_("Memory"), bytes_(facts.memory)),
        (_("Tool"), f"{attempt.case.tool} {attempt.tool_version}".strip()),
        *_target_facts(attempt, facts),
        (_("Started"), when(attempt.started_at, absent)),
        (_("Ended"), when(attempt.ended_at, absent)),
        (_("Took"), duration(_seconds(attempt))),
        *([(_("Host dashboard"), links)] if links else []),
    ]


def _target_facts(attempt: Attempt, facts: KnownFacts) -> list[DefinitionRow]:
    row = attempt.case.target
    if isinstance(row, Disk):
        return _disk_facts(attempt, row, facts)
    if isinstance(row, Directory):
        return [(_("Directory"), row.path)]
    target = attempt.case.run_target
    level = level_words(target.level, len(target.all_members))
    words = (_("Target"), attempt.case.target_words or None)
    return [words, (_("Level"), level)] if level else [words]


def _disk_facts(attempt: Attempt, disk: Disk, facts: KnownFacts) -> list[DefinitionRow]:
    reported = facts.disk(disk.identity) or KnownDisk()
    seen = next((job.exit["node"] for job in job_rows(attempt) if job.exit.get("node")), None)
    node = seen or reported.node or disk.device_path
    return [
        (_("Disk"), node),
        (_("Identity"), disk.identity),
        (_("Model"), reported.model or disk.model_name),
        (_("Firmware"), reported.firmware),
        *([(_("Slot"), reported.bay)] if reported.bay else ()),
        (_("Size"), bytes_(reported.size or disk.size)),
        *_worn(attempt, disk.identity),
        (_("Scheduler before the test"), reported.queue.scheduler),
        *_array_facts(attempt),
    ]


def _array_facts(attempt: Attempt) -> list[DefinitionRow]:
    """Return the array of the disk as it was at the launch."""
    members = attempt.case.run_target.all_members
    rows = backing_rows(members[0].backing if members else None)
    return [(_("Array: %s") % label, text) for label, text in rows]


def _worn(attempt: Attempt, identity: str) -> list[DefinitionRow]:
    """Return the disk's wear (SMART) at the end of the attempt."""
    smart_reports = [job.exit.get("smart") or {} for job in job_rows(attempt)]
    result = next((one[identity] for one in smart_reports if identity in one), None)
    return smart_rows(known(Smart, result)) if result else []


def case_facts(case: Case, label: str) -> list[DefinitionRow]:
    """Return label and value of the case's place in the plan."""
    return [
        (_("Step"), case.step_name or case.tool),
        (_("Workload"), label),
        (_("Target"), case.target_words or None),
        (_("Tuning"), tuning_label(case.tuning_name)),
        (_("Repeat"), count(case.repeat)),
        (_("Position in the order"), count(case.sequence + 1)),
        *([] if case.run.is_imported else _planned(case)),
    ]


def _planned(case: Case) -> list[DefinitionRow]:
    return [
        (_("Random block"), count(case.block)),
        (_("Settle time"), duration(case.settle_seconds)),
        (_("Planned time"), duration(case.expected_seconds)),
    ]


LATENCIES = tuple(
    metric for key in COLUMNS if (metric := METRICS[key]).unit == "ns" and not metric.percentile
)


def latency_rows(figures: list[OperationFigures]) -> list[tuple[str, list[Any]]]:
    """Return (name, a cell per operation): statistics, then all percentiles."""
    rows = [
        (
            _(metric.statistic),
            [latency(result.row.value_of(metric)) for result in figures],
        )
        for metric in LATENCIES
    ]
    percents = sorted({p for result in figures for p, _ns in result.percentiles}, key=float)
    for percent in percents:
        cells = [latency(dict(result.percentiles).get(percent)) for result in figures]
        rows.append((f"p{percent}", cells))
    slowest = [typed_value(result.row.values, NAME, SlowestWindow) for result in figures]
    if any(slowest):
        rows.append((_("slowest window"), [_slowest(each) for each in slowest]))
    return rows


def _slowest(result: SlowestWindow | None) -> SafeString:
    """Return "324.6 ms at 12 s", the end of the slowest window after the start of the tool."""
    if not result:
        return latency(None)
    words = {
        MEANS: _("{latency} at {second}, the mean of a window"),
        BOUNDS: _("at most {latency} at {second}"),
    }.get(result["of"], _("{latency} at {second}"))
    # The chart over time has a window's figures where it ends.
    end = units.seconds(result["start"] + result["interval"])
    return format_html(words, latency=latency(result["latency"]), second=end)
