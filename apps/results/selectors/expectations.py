"""Evaluated expectations of runs, cases and sides of comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F, Q, QuerySet

from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.expectation_verdicts import (
    ExpectationResult,
    evaluate,
    is_either,
    limit_of,
    waive_alternatives,
)
from apps.plans.schemas.expectations import Expectation
from apps.results.models import ResultSummary
from apps.runs.models import Case, Run, RunExpectation
from apps.tools.metrics import COLUMNS
from apps.tools.workloads.order import name_key, operation_key
from apps.tuning.domain.baseline import tuning_key

StepOnTarget = tuple[int, int, str]
"""Run target, workload and name of the step: what an expectation is about."""


class ExpectedSide(NamedTuple):
    """Properties shared by the repeats of one configuration and operation."""

    step: str
    workload: int
    key: str
    tool: str
    target: str
    tuning: str
    operation: str


@dataclass(frozen=True)
class EvaluatedExpectation:
    """Expectation evaluated with the repeats of a side; None in a comparison."""

    expected: Expectation
    result: ExpectationResult
    side: ExpectedSide | None = None

    @property
    def verdict(self) -> VerdictKind:
        return self.result.verdict


@dataclass(frozen=True)
class KnownExpectations:
    """Expectations, values and side by measurement."""

    rows: Mapping[int, tuple[tuple[Expectation, ...], Mapping[str, float | None], ExpectedSide]]

    def __bool__(self) -> bool:
        return bool(self.rows)

    def evaluate(
        self, measurements: Iterable[int], side: ExpectedSide | None = None
    ) -> list[EvaluatedExpectation]:
        """Evaluate the expectations of these measurements."""
        figures: dict[Expectation, list[Mapping[str, float | None]]] = defaultdict(list)
        for measurement in measurements:
            wanted, values, _side = self.rows.get(measurement, ((), {}, None))
            for expected in wanted:
                figures[expected].append(values)
        results = waive_alternatives(
            [(is_either(e), _evaluated(e, rows)) for e, rows in figures.items()]
        )
        return [
            EvaluatedExpectation(e, result, side)
            for e, result in zip(figures, results, strict=True)
        ]


def evaluate_run(run: Run) -> list[EvaluatedExpectation]:
    """Return the evaluated expectations of a run by step, target, tuning and operation."""
    return by_side(known_of([run.pk]))


def evaluate_case(case: Case) -> list[EvaluatedExpectation]:
    """Return the evaluated expectations of a case."""
    condition = Q(
        run_target=case.run_target_id, workload=case.workload_id, step_name=case.step_name
    )
    return by_side(_known(condition, ResultSummary.objects.filter(case=case)))


def known_of(runs: Sequence[int]) -> KnownExpectations:
    """Return the expectations of runs, with one query if there are none."""
    return _known(Q(run_target__run__in=runs), ResultSummary.objects.filter(run__in=runs))


def by_side(known: KnownExpectations) -> list[EvaluatedExpectation]:
    """Return the evaluated expectations, side by side."""
    sides: dict[ExpectedSide, list[int]] = defaultdict(list)
    for measurement, (_wanted, _values, side) in known.rows.items():
        sides[side].append(measurement)
    return [one for side in sorted(sides, key=_order) for one in known.evaluate(sides[side], side)]


def _known(condition: Q, figures: QuerySet[ResultSummary]) -> KnownExpectations:
    expected: dict[StepOnTarget, list[RunExpectation]] = defaultdict(list)
    for row in RunExpectation.objects.filter(condition):
        expected[row.run_target_id, row.workload_id, row.step_name].append(row)
    if not expected:
        return KnownExpectations({})
    rows = figures.filter(is_comparable=True, run_target__in={key[0] for key in expected})
    read = rows.order_by("pk").values_list(
        "pk", "run_target_id", "case__step_name", "workload_id", F("workload__key"),
        F("workload__tool"), F("run_target__name"), F("run_tuning__name"), "operation", *COLUMNS,
    )  # fmt: skip
    result = {}
    for measurement, target, *shared in read:
        side = ExpectedSide(*shared[:7])
        mine = expected.get((target, side.workload, side.step), ())
        applicable = tuple(row.expected for row in mine if row.operation in ("", side.operation))
        if applicable:
            result[measurement] = applicable, dict(zip(COLUMNS, shared[7:], strict=True)), side
    return KnownExpectations(result)


def _evaluated(
    expected: Expectation, rows: Sequence[Mapping[str, float | None]]
) -> ExpectationResult:
    assert expected.value is not None, "a launch stores no others"
    known = [value for figures in rows if (value := figures.get(expected.metric)) is not None]
    limit = limit_of(expected.value, expected.direction, expected.tolerance)
    return evaluate(expected.value, expected.direction, limit, known)


def _order(side: ExpectedSide) -> tuple[object, ...]:
    return (
        side.step, side.workload, name_key(side.target), tuning_key(side.tuning),
        operation_key(side.tool, side.operation),
    )  # fmt: skip
