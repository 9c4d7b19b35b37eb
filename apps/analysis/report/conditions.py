"""Conditions of figures: disk, firmware, kernel, tool, engine, run time, repeats, date."""

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
from apps.results.models import Figure
from apps.results.selectors.results import figures_that_count
from apps.runs.models import Member
from apps.tools.registry import role_of
from apps.tools.values import Parameters

MAX_VALUES = 4
"""Different values of one condition that are named."""
MAX_GROUPS = 5000
"""Groups of figures of which conditions are read: a history of a whole archive has more."""
_GROUP = (
    "facts_id", "tool_version", "workload_id", "run_target_id", "run_tuning_id", "operation",
    "timed",
)  # fmt: skip


@dataclass(frozen=True)
class _Measured:
    """Figures that share all of _GROUP: how many, the first and the last one's moment. `timed`:
    that is when they were measured, not when they were imported.
    """

    facts: int | None
    tool_version: str
    workload: int
    run_target: int
    run_tuning: int
    operation: str
    timed: bool
    n: int
    first: datetime
    last: datetime


def conditions_of(view: str, query: str) -> tuple[BasisItem, ...]:
    """The conditions of the figures that the answer to a view's query is about; none where the
    query names no results.
    """
    try:
        selection = selection_of(only(QueryDict(query), *parts_of(view)))
    except ServiceError:
        return ()
    if selection.names_nothing:
        return ()
    return conditions_of_figures(narrowed(figures_that_count(), selection))


def conditions_of_figures(figures: QuerySet[Figure]) -> tuple[BasisItem, ...]:
    """The conditions of these figures; a condition of which nothing is known says so."""
    grouped = figures.order_by().values_list(*_GROUP)
    grouped = grouped.annotate(n=Count("pk"), first=Min("at"), last=Max("at"))
    found = [_Measured(*row) for row in grouped[: MAX_GROUPS + 1]]
    if not found:
        return ()
    if len(found) > MAX_GROUPS:
        return (BasisItem(_("Conditions"), _("more different ones than a report lists")),)
    facts = _facts({one.facts for one in found})
    workloads = Workload.objects.in_bulk({one.workload for one in found})
    points = [(one.tool, one.params) for one in workloads.values()]
    tools = {(workloads[one.workload].tool, one.tool_version) for one in found}
    return (
        BasisItem(_("Measured on"), _listed(_targets(found, facts))),
        BasisItem(_("Kernel"), _listed(str(told.get("kernel") or "") for told in facts.values())),
        BasisItem(_("Tool"), _listed(version or tool for tool, version in sorted(tools))),
        *_params(points),
        BasisItem(_("Repeats"), _repeats(found)),
        BasisItem(_("Date") if any(one.timed for one in found) else _("Imported"), _dates(found)),
    )


def merged(many: Iterable[Sequence[BasisItem]]) -> tuple[BasisItem, ...]:
    """Conditions of several answers as those of one report."""
    texts: dict[str, dict[str, None]] = {}
    for facts in many:
        for fact in facts:
            texts.setdefault(fact.name, {})[fact.text] = None
    return tuple(BasisItem(name, "; ".join(found)) for name, found in texts.items())


def _facts(ids: Iterable[int | None]) -> dict[int, Raw]:
    rows = HostFacts.objects.filter(pk__in=[pk for pk in ids if pk is not None]).order_by("pk")
    return dict(rows.values_list("pk", "facts"))


def _targets(found: Sequence[_Measured], facts: dict[int, Raw]) -> Iterator[str]:
    """Each disk with model, size and firmware; another target by its name."""
    told = {one.run_target: facts.get(one.facts or 0, {}) for one in found}
    members = Member.objects.filter(run_target__in=told).exclude(role=Member.Role.LENDER)
    rows = members.select_related("run_target").order_by("run_target", "position")
    for member in rows:
        if member.kind == "disk":
            yield _disk(member, told[member.run_target_id])
        else:
            place = member.label or member.run_target.name
            where = member.host_name if member.host_name not in place else ""
            yield " ".join(filter(None, [where, place]))


def _disk(member: Member, told: Raw) -> str:
    name = " ".join(filter(None, [member.host_name, member.label.split(" ")[-1]]))
    rows = [row for row in rows_of(told, "disks") if row.get("identity") == member.identity]
    row: Raw = rows[0] if rows else {}
    known = row.get("size") or member.size
    model, firmware = row.get("model"), row.get("firmware")
    without = _("firmware not known") if model else ""
    parts = [
        str(model or _("model not known")),
        size(float(str(known))) if known else "",
        _("firmware {version}").format(version=firmware) if firmware else without,
    ]
    return f"{name}: {', '.join(filter(None, parts))}"


def _params(points: Sequence[tuple[str, Parameters]]) -> Iterator[BasisItem]:
    """Engine, direct and run time, where any of the tools has it."""
    yield from _param(_("Engine"), points, lambda tool, name: name == "ioengine")
    yield from _param(_("Direct"), points, lambda tool, name: name == "direct")
    yield from _param(_("Run time"), points, lambda tool, name: role_of(tool, name) == "time")


def _param(
    title: str, points: Sequence[tuple[str, Parameters]], wanted: Callable[[str, str], bool]
) -> Iterator[BasisItem]:
    values = [
        value_text(tool, name, value)
        for tool, params in points
        for name, value in params.items()
        if wanted(tool, name)
    ]
    if values:
        yield BasisItem(title, _listed(values))


def _repeats(found: Sequence[_Measured]) -> str:
    counts: Counter[tuple[object, ...]] = Counter()
    for one in found:
        counts[one.workload, one.run_target, one.run_tuning, one.operation] += one.n
    least, most = min(counts.values()), max(counts.values())
    if least == most:
        return _("{n} of each test").format(n=most)
    return _("{least} to {most} of each test").format(least=least, most=most)


def _dates(found: Sequence[_Measured]) -> str:
    """The day, or the first and the last one, on the reader's clock."""
    first = in_zone(min(one.first for one in found))
    last = in_zone(max(one.last for one in found))
    if first.date() == last.date():
        return f"{first:%Y-%m-%d}"
    return _("{first} to {last}").format(first=f"{first:%Y-%m-%d}", last=f"{last:%Y-%m-%d}")


def _listed(texts: Iterable[str]) -> str:
    """The different texts, the first ones by name."""
    found = list(dict.fromkeys(text for text in texts if text))
    if not found:
        return _("not known")
    shown = ", ".join(found[:MAX_VALUES])
    more = len(found) - MAX_VALUES
    return _("{shown} and {n} more").format(shown=shown, n=more) if more > 0 else shown
