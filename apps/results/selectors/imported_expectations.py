"""Targets, operations and stored expectations of an imported run."""

from __future__ import annotations

from apps.plans.schemas.expectations import Expectation
from apps.results.models import ResultSummary
from apps.results.schemas.imported_expectations import TargetExpectation
from apps.runs.models import Run, RunExpectation


def target_names(run: Run) -> list[str]:
    """Return the names of the run's targets, each once, sorted."""
    return sorted(set(run.targets.values_list("name", flat=True)))


def operations_measured(run: Run) -> list[str]:
    """Return the operations that the run has results of, sorted."""
    rows = ResultSummary.objects.filter(run=run).order_by()
    return sorted(set(rows.values_list("operation", flat=True).distinct()))


def imported_expectations(run: Run) -> list[TargetExpectation]:
    """Return the expectations of an imported run; one of every target is returned once."""
    targets = target_names(run)
    rows = RunExpectation.objects.filter(run_target__run=run).select_related("run_target")
    names: dict[tuple[int, Expectation], set[str]] = {}
    for row in rows.order_by("position", "pk"):
        names.setdefault((row.position, row.expected), set()).add(row.run_target.name)
    result = []
    for (_position, expected), found in names.items():
        of = [""] if found == set(targets) else sorted(found)
        result += [TargetExpectation(expected, name) for name in of]
    return result
