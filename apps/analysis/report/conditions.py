"""Conditions of results: disk, firmware, kernel, tool, engine, run time, repeats, date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.analysis.queries.filters import narrowed, selection_of
from apps.analysis.queries.selection import only, parts_of
from apps.analysis.result import BasisItem
from apps.common.domain.preferences import in_zone, size
from apps.common.errors import ServiceError
from apps.inventory.domain.facts import rows as rows_of
from apps.inventory.models import HostFacts
from apps.inventory.schemas.host_facts import Raw
from apps.plans.domain.param_text import value_text
from apps.plans.models import Workload
from apps.results.models import ResultSummary
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import RunTargetMember
from apps.tools.registry import role_of
from apps.tools.values import Parameters

MAX_VALUES = 4
"""Limit of values of one condition that are listed."""
MAX_GROUPS = 5000
"""Limit of groups of results whose conditions are read."""
_GROUP = (
    "facts_id", "tool_version", "workload_id", "run_target_id", "run_tuning_id", "operation",
    "has_measured_time",
)  # fmt: skip


@dataclass(frozen=True)
class _Measured:
    """Results that share all of _GROUP: number, first and last time.

    `has_measured_time`: times of measurement, not of import.
    """

    facts: int | None
    tool_version: str
    workload: int
    run_target: int
    run_tuning: int
    operation: str
    has_measured_time: bool
    n: int
    first: datetime
    last: datetime


def conditions_of(view: str, query: str) -> tuple[BasisItem, ...]:
    """Return the conditions of the results of a view's query; empty if it names no results."""
    try:
        selection = selection_of(only(QueryDict(query), *parts_of(view)))
    except ServiceError:
        return ()
    if selection.names_nothing:
        return ()
    return conditions_of_figures(narrowed(comparable_summaries(), selection))


def conditions_of_figures(figures: QuerySet[ResultSummary]) -> tuple[BasisItem, ...]:
    """Return the conditions of these results; an unknown condition is "not known"."""
    grouped = figures.order_by().values_list(*_GROUP)
    grouped = grouped.annotate(n=Count("pk"), first=Min("measured_at"), last=Max("measured_at"))
    result = [_Measured(*row) for row in grouped[: MAX_GROUPS + 1]]
    if not result:
        return ()
    if len(result) > MAX_GROUPS:
        return (BasisItem(_("Conditions"), _("more different ones than a report lists")),)
    facts = _facts({one.facts for one in result})
    workloads = Workload.objects.in_bulk({one.workload for one in result})
    points = [(one.tool, one.params) for one in workloads.values()]
    tools = {(workloads[one.workload].tool, one.tool_version) for one in result}
    return (
        BasisItem(_("Measured on"), _list_text(_targets(result, facts))),
        BasisItem(
            _("Kernel"),
            _list_text(str(facts_of_host.get("kernel") or "") for facts_of_host in facts.values()),
        ),
        BasisItem(_("Tool"), _list_text(version or tool for tool, version in sorted(tools))),
        *_param_items(points),
        BasisItem(_("Repeats"), _repeats(result)),
        BasisItem(
            _("Date") if any(one.has_measured_time for one in result) else _("Imported"),
            _dates(result),
        ),
    )


def merged(many: Iterable[Sequence[BasisItem]]) -> tuple[BasisItem, ...]:
    """Merge the conditions of several results for one report."""
    texts: dict[str, dict[str, None]] = {}
    for facts in many:
        for fact in facts:
            texts.setdefault(fact.name, {})[fact.text] = None
    return tuple(BasisItem(name, "; ".join(result)) for name, result in texts.items())


def _facts(ids: Iterable[int | None]) -> dict[int, Raw]:
    rows = HostFacts.objects.filter(pk__in=[pk for pk in ids if pk is not None]).order_by("pk")
    return dict(rows.values_list("pk", "facts"))


def _targets(result: Sequence[_Measured], facts: dict[int, Raw]) -> Iterator[str]:
    """Yield each disk with model, size and firmware; other targets by name."""
    facts_of_host = {one.run_target: facts.get(one.facts or 0, {}) for one in result}
    members = RunTargetMember.objects.filter(run_target__in=facts_of_host)
    members = members.exclude(role=RunTargetMember.Role.OSD_HOST)
    rows = members.select_related("run_target").order_by("run_target", "position")
    for member in rows:
        if member.kind == "disk":
            yield _disk(member, facts_of_host[member.run_target_id])
        else:
            label = member.label or member.run_target.name
            where = member.host_name if member.host_name not in label else ""
            yield " ".join(filter(None, [where, label]))


def _disk(member: RunTargetMember, facts_of_host: Raw) -> str:
    name = " ".join(filter(None, [member.host_name, member.label.split(" ")[-1]]))
    rows = [
        row for row in rows_of(facts_of_host, "disks") if row.get("identity") == member.identity
    ]
    row: Raw = rows[0] if rows else {}
    size_bytes = row.get("size") or member.size
    model, firmware = row.get("model"), row.get("firmware")
    without = _("firmware not known") if model else ""
    parts = [
        str(model or _("model not known")),
        size(float(str(size_bytes))) if size_bytes else "",
        _("firmware {version}").format(version=firmware) if firmware else without,
    ]
    return f"{name}: {', '.join(filter(None, parts))}"


def _param_items(points: Sequence[tuple[str, Parameters]]) -> Iterator[BasisItem]:
    """Yield engine, direct and run time, if any of the tools has them."""
    yield from _param_item(_("Engine"), points, lambda tool, name: name == "ioengine")
    yield from _param_item(_("Direct"), points, lambda tool, name: name == "direct")
    yield from _param_item(_("Run time"), points, lambda tool, name: role_of(tool, name) == "time")


def _param_item(
    title: str, points: Sequence[tuple[str, Parameters]], matches: Callable[[str, str], bool]
) -> Iterator[BasisItem]:
    values = [
        value_text(tool, name, value)
        for tool, params in points
        for name, value in params.items()
        if matches(tool, name)
    ]
    if values:
        yield BasisItem(title, _list_text(values))


def _repeats(result: Sequence[_Measured]) -> str:
    counts: Counter[tuple[object, ...]] = Counter()
    for one in result:
        counts[one.workload, one.run_target, one.run_tuning, one.operation] += one.n
    low, high = min(counts.values()), max(counts.values())
    if low == high:
        return _("{n} of each test").format(n=high)
    return _("{low} to {high} of each test").format(low=low, high=high)


def _dates(result: Sequence[_Measured]) -> str:
    """Return the day, or the first and last day, in the user's time zone."""
    first = in_zone(min(one.first for one in result))
    last = in_zone(max(one.last for one in result))
    if first.date() == last.date():
        return f"{first:%Y-%m-%d}"
    return _("{first} to {last}").format(first=f"{first:%Y-%m-%d}", last=f"{last:%Y-%m-%d}")


def _list_text(texts: Iterable[str]) -> str:
    """Return the first distinct texts, and the number of the others."""
    result = list(dict.fromkeys(text for text in texts if text))
    if not result:
        return _("not known")
    shown = ", ".join(result[:MAX_VALUES])
    more = len(result) - MAX_VALUES
    return _("{shown} and {n} more").format(shown=shown, n=more) if more > 0 else shown
