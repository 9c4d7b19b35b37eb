"""Load searches of a run, from its cases and results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from apps.analysis.sweep.load_search.search import FailedExpectation, Load, Search
from apps.common.domain.verdicts import VerdictKind
from apps.plans.domain.expectation_verdicts import evaluate, limit_of
from apps.plans.schemas.expectations import Expectation
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Case, Purpose, Run, RunExpectation
from apps.tools.params import canonical_key


def searches_of(run: Run, name: str) -> list[Search]:
    """Return the searches of a run over this parameter, in the order of its cases."""
    expected = _expectations(run)
    result: dict[tuple[object, ...], Search] = {}
    measured_only = run.cases.filter(purpose=Purpose.MEASURE)
    rows = measured_only.select_related("workload", "run_target", "run_tuning", "requested_tuning")
    by_load: dict[int, dict[int, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for case in rows.order_by("sequence"):
        value = case.params.get(name)
        expectations = expected.get((case.run_target_id, case.workload_id, case.step_name))
        if not isinstance(value, int) or not expectations:
            continue
        rest = {key: one for key, one in case.params.items() if key != name}
        key = (
            case.step_name, case.tool, canonical_key(rest), case.run_target_id,
            case.tuning_to_apply.pk,
        )  # fmt: skip
        search = result.setdefault(key, Search(case, expectations))
        by_load[id(search)][value].append(case)
    measured = _results_by_case(run)
    for search in result.values():
        for value, cases in sorted(by_load[id(search)].items()):
            search.loads.append(_load(value, cases, search.expected, measured))
    return list(result.values())


TargetKey = tuple[int, int, str]
"""Keys of target and workload, and the step's name."""
Measured = Mapping[int, Sequence[tuple[str, Mapping[str, float | None]]]]
"""By case: each operation with its metrics."""


def _expectations(run: Run) -> dict[TargetKey, tuple[Expectation, ...]]:
    result: dict[TargetKey, tuple[Expectation, ...]] = {}
    for row in RunExpectation.objects.filter(run_target__run=run).order_by("position"):
        key = row.run_target_id, row.workload_id, row.step_name
        result[key] = (*result.get(key, ()), row.expected)
    return result


def _results_by_case(run: Run) -> Measured:
    """Return the comparable results by case: one query."""
    expectations = sorted(
        {row.metric for row in RunExpectation.objects.filter(run_target__run=run)}
    )
    rows = comparable_summaries().filter(run=run)
    result: dict[int, list[tuple[str, Mapping[str, float | None]]]] = defaultdict(list)
    for case, operation, *values in rows.values_list("case_id", "operation", *expectations):
        result[case].append((operation, dict(zip(expectations, values, strict=True))))
    return result


def _load(
    value: int, cases: Sequence[Case], expected: Sequence[Expectation], measured: Measured
) -> Load:
    figures: dict[tuple[Expectation, str], list[float]] = defaultdict(list)
    for case in cases:
        for operation, values in measured.get(case.pk, ()):
            for one in expected:
                here = values.get(one.metric)
                if here is not None and one.operation in ("", operation):
                    figures[one, operation].append(here)
    repeats = len({case.pk for case in cases if measured.get(case.pk)})
    keys = tuple(case.pk for case in cases)
    if not figures:
        return Load(value, repeats, None, keys)
    missed = [FailedExpectation(one, median(mine)) for (one, _operation), mine in figures.items()
              if not _is_met(one, median(mine))]  # fmt: skip
    return Load(value, repeats, tuple(missed), keys)


def _is_met(expected: Expectation, median_value: float) -> bool:
    assert expected.value is not None, "frozen at the launch"
    limit = limit_of(expected.value, expected.direction, expected.tolerance)
    result = evaluate(expected.value, expected.direction, limit, [median_value])
    return result.verdict == VerdictKind.MET
