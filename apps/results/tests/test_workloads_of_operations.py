"""A planned test of several operations: each operation is filed under a workload of its own."""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.plans.models import Workload
from apps.results.models import Measurement, ResultSummary
from apps.results.services.write import NewResult, results_write
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import create_attempt, create_case, create_host, create_run
from apps.tools import parse_result
from apps.tools.params import workload_key
from apps.tools.registry import tool

pytestmark = pytest.mark.django_db
RADOS = {"bs": "4M", "threads": 16, "seconds": 10}


def _case(owner: User, **params: object) -> Case:
    rados = tool("rados").params
    assert rados is not None
    parsed = rados.from_raw({**RADOS, **params})
    workload, _new = Workload.objects.get_or_create(
        key=workload_key("rados", parsed),
        defaults={"tool": "rados", "params": parsed.canonical(), "label": parsed.describe()},
    )
    return create_case(create_run(owner=owner), workload, create_host(), name="pool bench")


def _store(attempt: Attempt, *operations: str) -> dict[str, Measurement]:
    results = tuple(parse_result.Measurement(name, 4e6, 1.0) for name in operations)
    results_write([NewResult(attempt, parse_result.Parsed("rados", "text", None, results), 1)])
    return {each.operation: each for each in attempt.measurements.all()}


def test_same_operation_of_two_plans_has_one_workload(owner: User) -> None:
    long = _store(create_attempt(_case(owner, operations="write+seq+rand")), "write", "seq", "rand")
    short = _store(create_attempt(_case(owner, operations="write+seq")), "write", "seq")
    assert long["seq"].workload == short["seq"].workload
    assert long["write"].workload == short["write"].workload
    assert len({each.workload_id for each in long.values()}) == 3
    assert long["seq"].workload.params["operation"] == "seq"
    figures = ResultSummary.objects.filter(workload=long["seq"].workload_id)
    assert {each.measurement_id for each in figures} == {long["seq"].pk, short["seq"].pk}


def test_other_parameters_of_an_operation_are_another_workload(owner: User) -> None:
    first = _store(create_attempt(_case(owner, operations="write+seq")), "seq")
    second = _store(create_attempt(_case(owner, operations="write+seq", threads=32)), "seq")
    assert first["seq"].workload != second["seq"].workload


def test_operations_of_one_test_share_its_workload(owner: User) -> None:
    case = create_run(owner=owner).cases.get()
    results = (
        parse_result.Measurement("read", 4e6, 1.0),
        parse_result.Measurement("write", 4e6, 1.0),
    )
    attempt = create_attempt(case)
    results_write([NewResult(attempt, parse_result.Parsed("fio", "json", None, results), 1)])
    assert {each.workload_id for each in attempt.measurements.all()} == {case.workload_id}


def test_results_written_again_keep_the_workload_of_their_operation(owner: User) -> None:
    attempt = create_attempt(_case(owner, operations="write+seq"))
    first = _store(attempt, "write", "seq")
    again = _store(Attempt.objects.get(pk=attempt.pk), "write", "seq")
    assert {name: each.workload_id for name, each in first.items()} == {
        name: each.workload_id for name, each in again.items()
    }
