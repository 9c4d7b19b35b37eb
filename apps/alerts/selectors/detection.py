"""Causes for a message: changes, missed promises, failed runs, unhealthy hosts. Reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.alerts.models import Alert
from apps.analysis.presenters.text import cell_text
from apps.analysis.queries.workload_filter import WorkloadFilter
from apps.analysis.registry import VIEWS
from apps.analysis.result import Row, Table
from apps.common.domain.messages import localize_message
from apps.common.domain.verdicts import VerdictKind
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.plans.selectors.workload_names import workload_name
from apps.results.models import Figure
from apps.runs.models import Run, RunState


@dataclass(frozen=True)
class Cause:
    """`key`: the same for the same cause; `since`: when it began, None where that says nothing:
    then it counts as new unless it was told.
    """

    key: str
    text: str
    since: datetime | None = None


@dataclass(frozen=True)
class Detection:
    """The causes that were found, and prefixes of keys that were looked at: a cause among them that
    was not found is over.
    """

    causes: list[Cause] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)


def touches(alert: Alert, run: Run) -> bool:
    """Whether a run has tests of what the alert's view is about; of a view whose question became
    wrong (its target is gone) no run has.
    """
    if not alert.view:
        return True
    asked = _asked(alert)
    if asked is None or not asked.form.is_valid():
        return False
    cases = run.cases.all()
    chosen = asked.selection
    if chosen.workload:
        cases = cases.filter(workload__key__in=chosen.workload)
    if chosen.host:
        cases = cases.filter(run_target__members__host__in=chosen.host)
    if chosen.target:
        cases = cases.filter(run_target__target__in=chosen.target)
    return bool(cases.exists())


def _asked(alert: Alert) -> WorkloadFilter | None:
    """The filter of the alert's selection, None for an alert on no view."""
    if not alert.view:
        return None
    return WorkloadFilter(QueryDict(alert.query), queryset=Figure.objects.all())


def judged_run(alert: Alert, run: Run) -> Detection:
    """All causes in a run that ended, and in the view it touches."""
    found = Detection()
    if alert.on_failed and run.state in (RunState.FAILED, RunState.LOST):
        why = localize_message(run.reason)
        words = _("{run} has {state}: {why}") if why else _("{run} has {state}.")
        text = words.format(run=run, state=run.get_state_display(), why=why)
        found.causes.append(Cause(f"failed:{run.pk}", text))
    if alert.on_missed:
        _missed(alert, run, found)
    if alert.on_change and alert.view:
        _changed(alert, found)
    return found


def _missed(alert: Alert, run: Run, found: Detection) -> None:
    """Promises by workload, target and operation: one cause each, over when they are met."""
    rows: QuerySet[Figure] = Figure.objects.filter(run=run, counts=True).exclude(judged="")
    asked = _asked(alert)
    if asked is not None and asked.form.is_valid():
        rows = asked.filter_queryset(rows)
    states: dict[str, tuple[str, set[str]]] = {}
    named = rows.select_related("workload", "run_target").order_by("workload", "run_target")
    for row in named[:5000]:
        key = f"missed:{row.workload_id}:{row.target_id or row.run_target.name}:{row.operation}"
        words = f"{workload_name(row.workload)}, {row.operation}, {row.run_target.name}"
        states.setdefault(key, (words, set()))[1].add(row.judged)
    for key, (words, judged) in states.items():
        found.looked_at.append(key)
        if VerdictKind.MISSED in judged:
            text = _("A promise was missed: {what}").format(what=words)
            found.causes.append(Cause(key, text))


def _changed(alert: Alert, found: Detection) -> None:
    try:
        answer = VIEWS[alert.view].analyse(QueryDict(alert.query))
    except ServiceError:
        return
    if alert.view == Alert.View.HISTORY:
        table = answer.table("change_points")
        found.causes.extend(_points(table, answer.about) if table else ())
        return
    outliers = answer.table("outliers")
    found.looked_at.append("outlier:")
    for row in outliers.rows if outliers else ():
        line = _line(outliers, row) if outliers else ""
        found.causes.append(
            Cause(f"outlier:{row.cells[0]}", _("An outlier: {line}").format(line=line))
        )


def _points(table: Table, about: str) -> Iterator[Cause]:
    """The newest change of each tuning."""
    seen = set()
    places = {column.key: place for place, column in enumerate(table.columns)}
    for row in table.rows:
        level = str(row.cells[places["tuning"]])
        if level in seen:
            continue
        seen.add(level)
        since = datetime.fromisoformat(str(row.cells[places["at"]]))
        words = _("{about}: a level changed. {line}")
        yield Cause(f"change:{level}", words.format(about=about, line=_line(table, row)), since)


def _line(table: Table, row: Row) -> str:
    cells = zip(table.columns, row.cells, strict=True)
    told = [(column.title, cell_text(column, value)) for column, value in cells if value]
    return ", ".join(f"{title}: {text}" for title, text in told)


def judged_hosts(alert: Alert) -> Detection:
    """Hosts that are switched on and were not reached, or warned, at their last check."""
    found = Detection(looked_at=["host:"])
    bad = (Host.Health.UNREACHABLE, Host.Health.WARNING)
    rows = Host.objects.filter(enabled=True, health__in=bad).exclude(kind=Host.Kind.IMPORTED_ONLY)
    asked = _asked(alert)
    if asked is not None and asked.form.is_valid() and (named := asked.selection.host):
        rows = rows.filter(pk__in=named)
    for host in rows.order_by("name")[:200]:
        words = _("Host {name} is unhealthy: {why}")
        text = words.format(name=host.name, why=host.health_text or host.get_health_display())
        found.causes.append(Cause(f"host:{host.pk}:{host.health}", text))
    return found
