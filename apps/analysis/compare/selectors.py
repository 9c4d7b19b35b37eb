"""Reads for comparisons: every repeat of some runs in one query, and few more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from apps.analysis.compare.question import Question
from apps.analysis.compare.repeats import (
    NOT_SAID,
    UNKNOWN,
    Conditions,
    Point,
    Repeat,
    properties_of,
    settings_text,
)
from apps.analysis.compare.tested import Tested, targets_of
from apps.common.errors import Refused
from apps.common.histograms import Ints, merge
from apps.inventory.models import HostFacts
from apps.plans.models import TestPlan, Workload
from apps.results.metric_columns import metric_columns, metric_expressions
from apps.results.models import Histogram, Measurement
from apps.runs.models import AttemptState, Case, CaseState, Origin, Run, RunTuning
from apps.tools.metrics import COMPARED

MOST_REPEATS = 60_000
LISTED = 20
COUNTS = (
    Q(valid=True, part="")
    & Q(attempt__valid=True)
    & Q(attempt__state=AttemptState.SUCCEEDED)
    & Q(case__state=CaseState.SUCCEEDED)
)
"""What a comparison may use. Everything else is counted and said."""
_FIELDS = (
    "pk", "operation", "parser_version", "case_id", "case__run_id", "case__block",
    "case__workload_id", "case__run_target_id", "case__run_tuning_id", "attempt__number",
    "attempt__tool_version", "attempt__facts_id", "attempt__started_at", "created_at",
    "case__run__origin", *metric_columns(COMPARED),
)  # fmt: skip


@dataclass(frozen=True)
class LeftOut:
    """What a comparison does not use: results by reason, cases without one by state."""

    results: Mapping[str, int]
    cases: Mapping[str, int]


@dataclass(frozen=True)
class Known:
    """What the rows share: targets and tunings of runs, hosts' facts, by key; and the conditions
    that were made of them.
    """

    targets: Mapping[int, Tested]
    tunings: Mapping[int, tuple[str, str]]
    facts: Mapping[int, dict[str, Any]]
    shared: dict[tuple[Any, ...], Conditions] = field(default_factory=dict)


def runs_of(question: Question) -> list[Run]:
    """The runs a question is about, oldest first."""
    if question.is_empty:
        return []
    chosen = Q(pk__in=question.runs)
    if question.plan is not None:
        chosen |= Q(plan_id=question.plan)
    return list(Run.objects.filter(chosen).select_related("plan").order_by("pk"))


def runs_to_choose(chosen: Iterable[int]) -> QuerySet[Run]:
    """The latest runs that are not archived, and those already chosen."""
    latest = Run.objects.filter(archived_at=None).order_by("-pk").values("pk")[:LISTED]
    return Run.objects.filter(Q(pk__in=latest) | Q(pk__in=list(chosen))).order_by("-pk")


def plans_to_choose(chosen: int | None) -> QuerySet[TestPlan]:
    """The plans made last of those that have been launched, and the one already chosen."""
    launched = TestPlan.objects.filter(Exists(Run.objects.filter(plan=OuterRef("pk"))))
    latest = launched.order_by("-pk").values("pk")[:LISTED]
    return TestPlan.objects.filter(Q(pk__in=latest) | Q(pk=chosen)).order_by("name")


def repeats_of(runs: Sequence[int]) -> list[Repeat]:
    """Every valid result of these runs, in the order of measurement. Raises Refused when there are
    more than MOST_REPEATS.
    """
    query = Measurement.objects.filter(COUNTS, case__run_id__in=runs).order_by()
    rows = list(query.values(*_FIELDS, **metric_expressions(COMPARED))[: MOST_REPEATS + 1])
    if len(rows) > MOST_REPEATS:
        words = _("These runs have more than {most:,} results. Choose fewer of them.")
        raise Refused(words.format(most=MOST_REPEATS), {"run": words}, status=400)
    rows = _last_attempts(rows)
    points = _points({row["case__workload_id"] for row in rows})
    known = Known(
        targets_of({row["case__run_target_id"] for row in rows}),
        _tunings({row["case__run_tuning_id"] for row in rows}),
        _facts({row["attempt__facts_id"] for row in rows} - {None}),
    )
    found = [_repeat(row, points, known) for row in rows]
    return sorted(found, key=lambda repeat: (repeat.at, repeat.measurement))


def left_out(runs: Sequence[int]) -> LeftOut:
    """Results that may not be compared, by reason; cases that gave none, by state."""
    invalid = (
        Measurement.objects.filter(case__run_id__in=runs, part="")
        .exclude(COUNTS)
        .order_by()
        .values("invalid_reason", "attempt__invalid_reason", "attempt__state")
        .annotate(rows=Count("pk"))
    )
    reasons: Counter[str] = Counter()
    for row in invalid:
        reason = row["invalid_reason"] or row["attempt__invalid_reason"]
        reasons[reason or _("the attempt did not succeed")] += row["rows"]
    cases = (
        Case.objects.filter(run_id__in=runs)
        .exclude(state=CaseState.SUCCEEDED)
        .order_by()
        .values_list("state")
        .annotate(rows=Count("pk"))
    )
    return LeftOut(dict(reasons.most_common()), dict(cases))


def merged_histogram(measurements: Sequence[int]) -> tuple[Ints, Ints]:
    """The sum of these measurements' histograms (bins in ns, counts); empty where none is kept."""
    rows = Histogram.objects.filter(measurement_id__in=measurements)
    return merge(rows.values_list("bins", "counts"))


def _last_attempts(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A case that succeeded twice counts once: two results of one case are no two repeats."""
    last: dict[tuple[int, str], dict[str, Any]] = {}
    for row in rows:
        place = (row["case_id"], row["operation"])
        if place not in last or last[place]["attempt__number"] < row["attempt__number"]:
            last[place] = row
    return list(last.values())


def _points(ids: Iterable[int]) -> dict[int, Point]:
    rows = Workload.objects.filter(pk__in=list(ids)).values_list(
        "pk", "key", "tool", "params", "label"
    )
    return {pk: Point(*rest) for pk, *rest in rows}


def _facts(ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    return dict(HostFacts.objects.filter(pk__in=list(ids)).values_list("pk", "data"))


def _tunings(ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Name and settings as text of these tunings of runs."""
    rows = RunTuning.objects.filter(pk__in=list(ids)).values_list("pk", "name", "settings")
    return {pk: (name, settings_text(settings)) for pk, name, settings in rows}


def _repeat(row: dict[str, Any], points: Mapping[int, Point], known: Known) -> Repeat:
    at: datetime = row["attempt__started_at"] or row["created_at"]
    run, block = row["case__run_id"], row["case__block"]
    return Repeat(
        measurement=row["pk"],
        run=run,
        at=at,
        block=f"{run}:{block}" if block else "",
        operation=row["operation"],
        point=points[row["case__workload_id"]],
        conditions=_conditions(row, known),
        values=tuple(row[metric] for metric in COMPARED),
        timed=row["attempt__started_at"] is not None or not _is_imported(row),
    )


def _is_imported(row: dict[str, Any]) -> bool:
    return bool(row["case__run__origin"] == Origin.IMPORTED)


def _conditions(row: dict[str, Any], known: Known) -> Conditions:
    place = (
        known.targets[row["case__run_target_id"]], known.tunings[row["case__run_tuning_id"]],
        row["attempt__tool_version"], row["parser_version"], row["attempt__facts_id"],
        _is_imported(row),
    )  # fmt: skip
    if place not in known.shared:
        known.shared[place] = _new_conditions(row, known)
    return known.shared[place]


def _new_conditions(row: dict[str, Any], known: Known) -> Conditions:
    target = known.targets[row["case__run_target_id"]]
    name, tuning = known.tunings[row["case__run_tuning_id"]]
    imported = _is_imported(row)
    words, label = _target_words(target, imported)
    properties = properties_of(known.facts.get(row["attempt__facts_id"], {}), target.identity) | {
        "host": target.host_name,
        "target": label,
        "tuning": f"{name} ({tuning})" if tuning else name,
        "tool": row["attempt__tool_version"] or UNKNOWN,
        "parser": str(row["parser_version"]),
    }
    if imported:
        properties = {k: NOT_SAID if v == UNKNOWN else v for k, v in properties.items()}
    return Conditions(
        host=target.host,
        host_name=target.host_name,
        disk=target.disk,
        target=words,
        tuning_name=name,
        tuning_text=tuning,
        properties=properties,
        imported=imported,
    )


def _target_words(target: Tested, imported: bool) -> tuple[str, str]:
    """A target's short words and the whole ones."""
    host = target.host_name
    if target.today:
        return target.today, f"{host}: {target.today}"
    if imported:
        return target.name, f"{host}: {target.name}" if target.name else NOT_SAID
    return target.name, target.name or f"{host}: "
