"""Detect causes: changes, missed expectations, failed runs, unhealthy hosts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.alerts.models import Alert
from apps.alerts.selectors.causes import Cause, Detection
from apps.alerts.selectors.ended import end_mark, ended_cause
from apps.analysis.presenters.table_cells import cell_text
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.registry import VIEWS
from apps.analysis.result import Row, Table
from apps.common.domain.messages import localize_message
from apps.common.domain.verdicts import VerdictKind
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.plans.selectors.workload_names import workload_name
from apps.results.models import ResultSummary
from apps.runs.models import Case, Run, RunState

FAILED, MISSED = "failed:", "missed:"
"""Prefixes of keys of causes."""


def touches(alert: Alert, run: Run) -> bool:
    """Return True if a run is in the scope of an alert, or has cases in its view's selection."""
    return runs_in_scope(alert, Run.objects.filter(pk=run.pk)).exists()


def runs_in_scope(alert: Alert, runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return those of the runs that are in the alert's scope, or have cases in its selection.

    None for an invalid query, such as one of a deleted target.
    """
    scopes = (("pk", alert.run_id), ("plan", alert.plan_id), ("team", alert.run_team_id))
    for name, key in scopes:
        if key:
            return runs.filter(**{name: key})
    if not alert.view:
        return runs
    query = _workload_filter(alert)
    if query is None or not query.form.is_valid():
        return runs.none()
    cases = Case.objects.filter(run=OuterRef("pk"))
    selection = query.selection
    if selection.workload:
        cases = cases.filter(workload__key__in=selection.workload)
    if selection.host:
        cases = cases.filter(run_target__members__host__in=selection.host)
    if selection.target:
        cases = cases.filter(run_target__target__in=selection.target)
    return runs.filter(Exists(cases))


def _workload_filter(alert: Alert) -> WorkloadFilter | None:
    """Return the filter of the alert's query; None for an alert on every run."""
    if not alert.view:
        return None
    return WorkloadFilter(QueryDict(alert.query), queryset=ResultSummary.objects.all())


def detect_run(alert: Alert, run: Run) -> Detection:
    """Return the causes in an ended run and in the view it touches."""
    detection = Detection()
    if alert.on_failed and run.state in (RunState.FAILED, RunState.LOST):
        reason = localize_message(run.reason)
        template = _("{run} has {state}: {reason}") if reason else _("{run} has {state}.")
        text = template.format(run=run, state=run.get_state_display(), reason=reason)
        detection.causes.append(Cause(f"{FAILED}{end_mark(run)}", text))
    expectations = (
        _expectations(alert, run) if (alert.on_expectation_missed or alert.on_ended) else []
    )
    if alert.on_expectation_missed:
        _add_missed(expectations, detection)
    if alert.on_change and alert.view:
        _changed(alert, detection)
    if alert.on_ended:
        subjects = [one.subject for one in expectations if one.is_missed]
        _summarise(alert, run, subjects, detection)
    return detection


def _summarise(alert: Alert, run: Run, missed: Sequence[str], detection: Detection) -> None:
    """Put the end of the run first, if the alert wants it; it reports failure and expectations."""
    ended = ended_cause(alert, run, missed)
    if ended is None:
        return
    others = [
        replace(cause, text="") if cause.key.startswith((FAILED, MISSED)) else cause
        for cause in detection.causes
    ]
    detection.causes[:] = [ended, *others]


@dataclass(frozen=True)
class _Expectation:
    """Expectation of a workload, a target and an operation."""

    key: str
    subject: str
    is_missed: bool


def _expectations(alert: Alert, run: Run) -> list[_Expectation]:
    """Return the expectations of a run's results in the alert's view."""
    rows: QuerySet[ResultSummary] = ResultSummary.objects.filter(run=run, is_comparable=True)
    rows = rows.exclude(expectation_verdict="")
    query = _workload_filter(alert)
    if query is not None and query.form.is_valid():
        rows = query.filter_queryset(rows)
    states: dict[str, tuple[str, set[str]]] = {}
    named = rows.select_related("workload", "run_target").order_by("workload", "run_target")
    for row in named[:5000]:
        target = row.target_id or row.run_target.name
        key = f"{MISSED}{row.workload_id}:{target}:{row.operation}"
        subject = f"{workload_name(row.workload)}, {row.operation}, {row.run_target.name}"
        states.setdefault(key, (subject, set()))[1].add(row.expectation_verdict)
    return [
        _Expectation(key, subject, VerdictKind.MISSED in verdicts)
        for key, (subject, verdicts) in states.items()
    ]


def _add_missed(expectations: Sequence[_Expectation], detection: Detection) -> None:
    """Add a cause for each missed expectation."""
    for one in expectations:
        detection.checked.append(one.key)
        if one.is_missed:
            text = _("Expectation missed: {subject}").format(subject=one.subject)
            detection.causes.append(Cause(one.key, text))


def _changed(alert: Alert, detection: Detection) -> None:
    try:
        result = VIEWS[alert.view].analyse(QueryDict(alert.query))
    except ServiceError:
        return
    if alert.view == Alert.View.HISTORY:
        table = result.table("change_points")
        detection.causes.extend(_points(table, result.subject) if table else ())
        return
    outliers = result.table("outliers")
    detection.checked.append("outlier:")
    for row in outliers.rows if outliers else ():
        line = _line(outliers, row) if outliers else ""
        detection.causes.append(
            Cause(f"outlier:{row.cells[0]}", _("An outlier: {line}").format(line=line))
        )


def _points(table: Table, about: str) -> Iterator[Cause]:
    """Yield the newest change of each tuning."""
    seen = set()
    indexes = {column.key: index for index, column in enumerate(table.columns)}
    for row in table.rows:
        level = str(row.cells[indexes["tuning"]])
        if level in seen:
            continue
        seen.add(level)
        since = datetime.fromisoformat(str(row.cells[indexes["at"]]))
        text = _("{about}: a level changed. {line}").format(about=about, line=_line(table, row))
        yield Cause(f"change:{level}", text, since)


def _line(table: Table, row: Row) -> str:
    cells = zip(table.columns, row.cells, strict=True)
    values = [(column.title, cell_text(column, value)) for column, value in cells if value]
    return ", ".join(f"{title}: {text}" for title, text in values)


def detect_hosts(alert: Alert) -> Detection:
    """Return hosts on hold, and enabled ones that were unreachable or had warnings at a check."""
    detection = Detection(checked=["host:"])
    bad = (Host.Health.UNREACHABLE, Host.Health.WARNING)
    bad_ones = Q(health__in=bad) | Q(held_since__isnull=False)
    rows = Host.objects.filter(bad_ones, enabled=True).exclude(kind=Host.Kind.IMPORTED_ONLY)
    query = _workload_filter(alert)
    if query is not None and query.form.is_valid() and (named := query.selection.host):
        rows = rows.filter(pk__in=named)
    for host in rows.order_by("name")[:200]:
        if host.held_since is not None:
            detection.causes.append(Cause(hold_key(host), hold_text(host)))
        if host.health not in bad:
            continue
        template = _("Host {name} is unhealthy: {reason}")
        text = template.format(name=host.name, reason=host.health_text or host.get_health_display())
        detection.causes.append(Cause(f"host:{host.pk}:{host.health}", text))
    return detection


def hold_key(host: Host) -> str:
    """Return what a message is about: this hold of the host."""
    since = host.held_since.timestamp() if host.held_since else 0.0
    return f"host:{host.pk}:hold:{since:.0f}"


def hold_text(host: Host) -> str:
    """Return that a host is on hold, and why."""
    template = _(
        "Host {name} is on hold: {reason}. No run starts on it until an admin releases it."
    )
    return template.format(name=host.name, reason=localize_message(host.hold_reason))
