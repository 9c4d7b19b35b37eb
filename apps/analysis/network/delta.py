"""Change of a network between two tunings or two runs, with the verdicts of a comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from apps.analysis.network.mesh import METRICS_BY_OPERATION, Mesh, MeshLink
from apps.analysis.queries.comparison_query import ComparisonQuery
from apps.analysis.repeats.grid import Choice
from apps.analysis.repeats.levels import run_label
from apps.analysis.verdicts import comparison as compare
from apps.analysis.verdicts.by_case import compare_with_tuning, entries_by_case
from apps.analysis.verdicts.comparison import ComparisonResult
from apps.analysis.verdicts.matrix_delta import DeltaCell, MatrixDelta
from apps.analysis.verdicts.matrix_delta_result import MatrixDeltaResult, matrix_delta_result
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Run, RunTarget
from apps.tuning.domain.baseline import tuning_label

METRIC = "bandwidth"
"""Network metric that comparisons test."""
MAX_RUNS = 10
"""Limit of offered runs: the newest that measured one of the pairs in the same way."""
MAX_CANDIDATES = 50
"""Limit of the newest runs of these pairs among which they are searched."""


@dataclass(frozen=True)
class DeltaBase:
    """Base of a delta: a tuning's name or a run's number."""

    tuning: str = ""
    run: int | None = None

    @classmethod
    def of(cls, choice: str) -> DeltaBase | None:
        """Parse a form choice."""
        kind, _colon, name = choice.partition(":")
        if kind == "tuning":
            return cls(tuning=name)
        return cls(run=int(name)) if kind == "run" else None


def delta_bases(links: Sequence[MeshLink], workload: str, tuning: str) -> list[tuple[str, str]]:
    """Return form choices: other tunings of the workload, then runs between the same hosts."""
    workload_links = [link for link in links if link.workload == workload]
    text = _("tuning {name}")
    names = dict.fromkeys(link.tuning for link in workload_links if link.tuning not in ("", tuning))
    tunings = [(f"tuning:{name}", text.format(name=tuning_label(name))) for name in names]
    runs = {link.run for link in links}
    if len(runs) != 1:
        return tunings
    result = [
        (f"run:{run.pk}", f"{run_label(run.pk)}: {run.name}") for run in _runs(workload_links, runs)
    ]
    return [*tunings, *result]


def _runs(links: Sequence[MeshLink], excluded: Collection[int]) -> list[Run]:
    pairs = {link.pair for link in links} - {None}
    if not pairs:
        return []
    of_pairs = RunTarget.objects.filter(target__pair__in=pairs).exclude(run__in=excluded)
    runs = of_pairs.order_by("-run").values_list("run", flat=True).distinct()[:MAX_CANDIDATES]
    same = comparable_summaries().filter(run__in=list(runs), workload__key=links[0].key)
    return list(Run.objects.filter(pk__in=same.order_by().values("run")).order_by("-pk")[:MAX_RUNS])


def mesh_delta(
    query: ComparisonQuery, base: DeltaBase, mesh: Mesh, links: Sequence[MeshLink], tuning: str
) -> MatrixDeltaResult:
    """Return the change of each pair of the mesh under one tuning.

    Only comparisons in the matrix are tested, as each further one reduces the power. Raises:
    ServiceError (400) if there are too many results.
    """
    operation = next(
        (one for one in METRICS_BY_OPERATION[METRIC] if _has_metric(links, one)),
        METRICS_BY_OPERATION[METRIC][0],
    )
    comparison, is_there = _comparison(replace(query, operation=operation), base, tuning)
    entries = entries_by_case(comparison, operation, METRIC) if is_there else {}
    cells = {
        (link.server, link.client): DeltaCell(entries[link.case], link.case)
        for link in links
        if link.case in entries
    }
    level = run_label(links[0].run) if base.run is not None and links else tuning_label(tuning)
    against = tuning_label(base.tuning) if base.run is None else run_label(base.run)
    choice = Choice("server", "client", "", METRIC, level, "")
    delta = MatrixDelta(choice, against, comparison.query, mesh.hosts, mesh.hosts, cells)
    result = matrix_delta_result(delta, lambda _name, host: str(host), _("Server"), _("Client"))
    result.chart.figure["layout"]["yaxis"]["autorange"] = "reversed"
    return result


def _has_metric(links: Sequence[MeshLink], operation: str) -> bool:
    """Return True if this operation of any link has the metric."""
    return any(link.figures.get(operation, {}).get(METRIC) is not None for link in links)


def _comparison(
    query: ComparisonQuery, base: DeltaBase, tuning: str
) -> tuple[ComparisonResult, bool]:
    if base.run is None:
        return compare_with_tuning(query, base.tuning, METRIC)
    label = run_label(base.run)
    runs = tuple(sorted({*query.runs, base.run}))
    query = replace(query, runs=runs, factor="run", baseline=label, tuning=tuning)
    comparison = compare.compute_comparison(query)
    return comparison, comparison.baseline == label
