"""Comparisons of a gate: a run against a baseline, a run, a tuning or a parameter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from apps.analysis.gate.query import Against, GateQuery, factor_of
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.queries.errors import query_error
from apps.analysis.queries.selection import EVERYTHING
from apps.analysis.repeats.levels import run_label
from apps.analysis.repeats.target_names import target_names
from apps.common.errors import ServiceError
from apps.results.models import Baseline
from apps.results.selectors.baselines import baselines_of
from apps.runs.models import FINAL_RUN, Run, RunTarget
from apps.runs.selectors.runs import runs_visible


@dataclass(frozen=True)
class GateComparison:
    """Comparison of a gate.

    `baseline_name`: of the level in sentences; `targets`: run targets of the gated run, None for
    all; `fixed_baseline`: the baseline is another run, which gets no more repeats.
    """

    query: ComparisonQuery
    baseline_name: str
    targets: frozenset[int] | None = None
    fixed_baseline: bool = False


@dataclass(frozen=True)
class GateComparisons:
    """Comparisons; `without_baseline`: run targets that have no baseline of the name."""

    comparisons: tuple[GateComparison, ...]
    without_baseline: frozenset[int] = frozenset()


def run_or_error(number: int, name: str) -> Run:
    """Return an ended run.

    Raises: ServiceError (404) without such a run, (409) if it has not ended: looking at repeats
    while they are measured would spend the error.
    """
    run = runs_visible().select_related(None).filter(pk=number).first()
    if run is None:
        message = _("There is no run {number}.").format(number=number)
        raise ServiceError(message, {name: message}, status=404)
    if run.state not in FINAL_RUN:
        message = _("Run {number} has not ended. Wait for its end.").format(number=number)
        raise ServiceError(message, {name: message}, status=409)
    return run


def comparisons_of(query: GateQuery, run: Run) -> GateComparisons:
    """Return the comparisons of a gate. Raises: ServiceError (400, 404, 409)."""
    if query.kind is Against.BASELINE:
        return _against_baselines(query, run)
    if query.kind is Against.RUN:
        other = run_or_error(int(query.name), "against")
        compared = ComparisonQuery(
            _both(run.pk, other.pk), factor="run", baseline=run_label(other.pk),
            operation=query.operation,
        )  # fmt: skip
        return GateComparisons((GateComparison(compared, str(other), fixed_baseline=True),))
    compared = ComparisonQuery(
        (run.pk,), factor=factor_of(query), operation=query.operation,
        baseline=query.name if query.kind is Against.TUNING else "",
    )  # fmt: skip
    return GateComparisons((GateComparison(compared, query.name),))


def _both(run: int, other: int) -> tuple[int, ...]:
    return tuple(sorted({run, other}))


def _against_baselines(query: GateQuery, run: Run) -> GateComparisons:
    """Return a comparison with each run that is the baseline of some targets of this run."""
    rows = list(RunTarget.objects.filter(run=run).order_by("position"))
    named = _named_baselines(rows, query.name)
    if not named:
        message = _("No target of run {number} has a baseline “{name}”.")
        message = message.format(number=run.pk, name=query.name)
        raise query_error({"against": [message]})
    runs: dict[tuple[int, int | None], list[RunTarget]] = defaultdict(list)
    for row in rows:
        if row.pk not in named:
            continue
        baseline, same_target = named[row.pk]
        if baseline.run_id == run.pk:
            message = _("Run {number} is the baseline itself.").format(number=run.pk)
            raise query_error({"against": [message]})
        runs[baseline.run_id, None if same_target else row.pk].append(row)
    comparisons = []
    for (number, other_disk), mine in runs.items():
        run_or_error(number, "against")
        compared = _of_run(query, run, number, mine, other_disk is not None, named)
        targets = frozenset(row.pk for row in mine)
        comparisons.append(GateComparison(compared, query.name, targets, fixed_baseline=True))
    return GateComparisons(tuple(comparisons), frozenset(row.pk for row in rows) - named.keys())


def _named_baselines(rows: Sequence[RunTarget], name: str) -> dict[int, tuple[Baseline, bool]]:
    """Return the baseline of each run target with one, and whether its run measured that target.

    A baseline of the target itself precedes that of its disk's model.
    """
    targets = [row.target_id for row in rows if row.target_id is not None]
    baselines = list(baselines_of(targets).filter(name=name))
    own = {one.target_id: one for one in baselines if one.target_id is not None}
    models = {one.disk_model_id: one for one in baselines if one.disk_model_id is not None}
    measured = _measured_targets({one.run_id for one in models.values()})
    result = {}
    for row, model in _disk_models(rows).items():
        target = row.target_id
        if target in own:
            result[row.pk] = own[target], True
        elif model in models:
            one = models[model]
            result[row.pk] = one, (one.run_id, target) in measured
    return result


def _disk_models(rows: Iterable[RunTarget]) -> dict[RunTarget, int | None]:
    """Return the disk model of each run target, None unless it is a known single disk."""
    rows = list(rows)
    known = RunTarget.objects.filter(pk__in=[row.pk for row in rows]).order_by()
    models = dict(known.values_list("pk", "target__disk__model"))
    return {row: models.get(row.pk) for row in rows}


def _measured_targets(runs: Iterable[int]) -> set[tuple[int, int | None]]:
    return set(RunTarget.objects.filter(run__in=list(runs)).values_list("run_id", "target_id"))


def _of_run(
    query: GateQuery, run: Run, number: int, mine: Sequence[RunTarget], other_disk: bool,
    named: dict[int, tuple[Baseline, bool]],
) -> ComparisonQuery:  # fmt: skip
    """Return the comparison of targets of a run with the run of their baseline.

    Of the same targets by run; else by disk, as the baseline of a model measured another disk.
    """
    compared = ComparisonQuery(_both(run.pk, number), operation=query.operation)
    if not other_disk:
        ids = tuple(sorted(row.target_id for row in mine if row.target_id is not None))
        within = replace(EVERYTHING, target=ids)
        return replace(compared, factor="run", baseline=run_label(number), further=within)
    model = named[mine[0].pk][0].disk_model_id
    disks = RunTarget.objects.filter(run=number, target__disk__model=model).order_by("position")
    disk = disks.first()
    if disk is None:
        message = _("The baseline “{name}” has no disk of this model.").format(name=query.name)
        raise ServiceError(message, {"against": message}, status=400)
    tested = target_names([disk.pk])[disk.pk]
    ids = tuple(sorted(one for one in (mine[0].target_id, disk.target_id) if one is not None))
    label = f"{tested.host_name}: {tested.today}"
    within = replace(EVERYTHING, target=ids)
    return replace(compared, factor="disk", baseline=label, further=within)
