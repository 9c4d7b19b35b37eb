"""Evaluated expectations of a run or case, as a card of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.common.domain.verdicts import VerdictKind
from apps.results.selectors.expectations import (
    EvaluatedExpectation,
    ExpectedSide,
    evaluate_case,
    evaluate_run,
)
from apps.runs.models import Case, Run
from apps.runs.presenters.workloads import in_order, labels_of, run_workloads
from apps.tuning.domain.baseline import tuning_label

Row = tuple[str, EvaluatedExpectation]


@dataclass(frozen=True)
class ExpectationsCard:
    """Expectations under headings, and (verdict, number), worst first."""

    rows: Sequence[Row] = ()
    counts: Sequence[tuple[str, int]] = ()


def expectations_card(rows: Sequence[Row]) -> ExpectationsCard:
    """Return the card of expectations with their headings."""
    return ExpectationsCard(rows, _counts([evaluated for _heading, evaluated in rows]))


def run_status_context(run: Run) -> dict[str, object]:
    """Return the context that a run's status shows of its expectations."""
    return {"expectations": run_expectations(run)}


def run_expectations(run: Run) -> ExpectationsCard:
    """Return the expectations of a run; empty without any."""
    if not _has_expectations(run):
        return ExpectationsCard()
    workloads = run_workloads(run)
    labels = labels_of(workloads)
    positions = {workload: position for position, workload in enumerate(in_order(workloads))}
    rows = sorted(evaluate_run(run), key=lambda one: _sort_key(one.side, positions))
    return expectations_card([(_heading(one.side, labels), one) for one in rows])


def case_expectations(case: Case) -> ExpectationsCard:
    """Return the expectations of a case, without counts."""
    if not _has_expectations(case.run):
        return ExpectationsCard()
    return ExpectationsCard([("", one) for one in evaluate_case(case)])


def _has_expectations(run: Run) -> bool:
    return run.is_imported or any(step.expectations for step in run.spec.steps)


def _sort_key(side: ExpectedSide | None, positions: Mapping[int, int]) -> tuple[str, int]:
    """Return the sort key: by step, then by parameters of the workload."""
    return (side.step, positions.get(side.workload, 0)) if side else ("", 0)


def _heading(side: ExpectedSide | None, labels: Mapping[int, str]) -> str:
    """Return the heading of a side: step, workload, target and tuning."""
    if side is None:
        return ""
    words = (side.step, labels.get(side.workload, ""), side.target, tuning_label(side.tuning))
    return " · ".join(filter(None, words))


def _counts(rows: Sequence[EvaluatedExpectation]) -> list[tuple[str, int]]:
    order = (VerdictKind.MISSED, VerdictKind.INCONCLUSIVE, VerdictKind.MET, VerdictKind.UNKNOWN)
    numbers = [(each, sum(one.verdict == each for one in rows)) for each in order]
    return [(each.value, number) for each, number in numbers if number]
