"""The largest load at which what a step expects still holds."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.analysis.sweep.load_search.rule import NAME, LoadSearchRule
from apps.analysis.sweep.load_search.search import FailedExpectation, Load, Search
from apps.analysis.sweep.load_search.selectors import searches_of
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.plans.domain.bisection import MAX_POINTS
from apps.plans.schemas.expectations import Expectation
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import (
    Attempt,
    AttemptState,
    Case,
    CaseState,
    Run,
    RunExpectation,
    RunState,
)
from apps.runs.services.stopping_rules import Extend, Stop, decision_store, next_decision
from apps.tools.registry import TOOLS

pytestmark = pytest.mark.django_db
LIMIT = Expectation("latency_mean", "most", 500_000.0, "us")
IOPS = 90_000.0


def create_search(owner: User, *depths: int, tunings: tuple[str, ...] = ("Host defaults",)) -> Run:
    """A run whose mean latency is depth / 90,000 s: 500 µs are passed between 45 and 46."""
    params = TOOLS["fio"].params
    assert params
    points = [params.from_raw(PARAMS | {"iodepth": depth}).canonical() for depth in depths]
    run = create_measured_run(Setup(owner, points=points, tunings=tunings, repeats=3, noise=0.0001))
    run.spec = msgspec.structs.replace(run.spec, load_search_parameter="iodepth", repeats=3)
    Run.objects.filter(pk=run.pk).update(
        spec=run.spec, case_count=run.cases.count(), state=RunState.RUNNING
    )
    places = run.cases.values_list("run_target_id", "workload_id", "step_name").distinct()
    for target, workload, step in places.order_by():
        RunExpectation.objects.create(
            run_target_id=target, workload_id=workload, step_name=step, position=0,
            metric="latency_mean", direction="most", value=500_000.0, unit="us", bound=500_000.0,
        )  # fmt: skip
    return Run.objects.get(pk=run.pk)


def depth_of(case: Case) -> int:
    depth = case.params["iodepth"]
    assert isinstance(depth, int)
    return depth


def measure(run: Run) -> list[int]:
    """Every case that waits; the depths."""
    cases = list(run.cases.filter(state=CaseState.PENDING).order_by("sequence"))
    for case in cases:
        attempt = Attempt.objects.create(case=case, state=AttemptState.SUCCEEDED)
        mean = depth_of(case) / IOPS * 1e9
        Measurement.objects.create(
            attempt=attempt, case=case, workload=case.workload, operation="read", iops=IOPS,
            latency_mean=mean,
            parser_version=1,
        )  # fmt: skip
        Case.objects.filter(pk=case.pk).update(state=CaseState.RUNNING)
        Case.objects.filter(pk=case.pk).update(state=CaseState.SUCCEEDED)
    summaries_rebuild()
    return [depth_of(case) for case in cases]


def searched(run: Run) -> tuple[list[list[int]], str]:
    """The depths of every block that was added, and what ended it."""
    added: list[list[int]] = []
    for _number in range(20):
        params = next_decision(run.pk)
        run = Run.objects.get(pk=run.pk)
        if not decision_store(run, params):
            ((_rule, enough),) = params.enough
            return added, str(enough.reason)
        added.append(measure(run))
    raise AssertionError(f"no end after {added}")


def test_the_load_is_found_by_halving_with_repeats(owner: User) -> None:
    added, why = searched(create_search(owner, 8, 128))
    assert added == [[32] * 3, [80] * 3, [56] * 3, [44] * 3, [50] * 3, [47] * 3, [45] * 3]
    assert why == (
        "Latency, mean at most 500 us holds up to iodepth 45 (3 repeats each); at 47 it is 522.2 us"
    )


def test_a_limit_of_time_ends_it_and_says_so(owner: User) -> None:
    run = create_search(owner, 8, 128)
    began = timezone.now() - timedelta(hours=2)
    taken = {"started_at": began, "ended_at": began + timedelta(minutes=110)}
    Attempt.objects.filter(case__run=run).update(**taken)
    summaries_rebuild()
    Case.objects.filter(run=run).update(expected_seconds=200)
    for hours, more in ((2.1, True), (2.0, True), (1.9, False)):
        run.spec = msgspec.structs.replace(run.spec, load_search_max_hours=hours)
        assert isinstance(LoadSearchRule().decide(run), Extend) is more
    Run.objects.filter(pk=run.pk).update(spec=run.spec)
    added, why = searched(run)
    assert added == []
    assert why.startswith("stopped at the limit of 1.9 h")
    assert "holds up to iodepth 8 (3 repeats each); at 128 it is" in why


def test_limit_of_values_differs_from_an_end(owner: User) -> None:
    run = create_search(owner, 8, 128)
    for number in range(MAX_POINTS):
        run.extensions.create(position=number + 1, kind="rule", rule=NAME, reason="one more")
    added, why = searched(run)
    assert added == []
    assert why.startswith("stopped at the limit of 16 values")


def test_what_holds_everywhere_ends_at_once(owner: User) -> None:
    assert searched(create_search(owner, 1, 8)) == (
        [],
        "Latency, mean at most 500 us holds up to iodepth 8, the largest that was tried",
    )


def test_what_holds_nowhere_says_what_was_measured(owner: User) -> None:
    added, why = searched(create_search(owner, 64, 128))
    assert added == []
    assert why.startswith("Latency, mean at most 500 us does not hold at iodepth 64, the smallest ")
    assert why.endswith(" that was tried: it is 711.1 us")


def test_tunings_are_searched_for_themselves_in_one_block(owner: User) -> None:
    run = create_search(owner, 8, 128, tunings=("Host defaults", "Scheduler none"))
    answer = LoadSearchRule().decide(run)
    assert isinstance(answer, Extend)
    assert len(answer.cases) == 6
    assert {case.block for case in answer.cases} == {4}
    assert len({case.run_tuning_id for case in answer.cases}) == 2
    _added, why = searched(run)
    assert why.count("holds up to iodepth 45") == 2
    assert "Scheduler none: Latency, mean" in why


def test_new_loads_are_expected_to_do_the_same(owner: User) -> None:
    run = create_search(owner, 8, 128)
    before = RunExpectation.objects.count()
    assert decision_store(Run.objects.get(pk=run.pk), next_decision(run.pk))
    assert RunExpectation.objects.count() == before + 1
    new = run.cases.get(state=CaseState.PENDING, repeat=1)
    row = RunExpectation.objects.get(run_target=new.run_target, workload=new.workload)
    assert (row.metric, row.value, row.bound) == ("latency_mean", 500_000.0, 500_000.0)
    measure(run)
    assert [load.value for load in searches_of(run, "iodepth")[0].loads] == [8, 32, 128]


def test_a_load_at_which_every_repeat_fails_does_not_hold(owner: User) -> None:
    run = create_search(owner, 8, 32)
    last = run.cases.filter(workload__params__iodepth=32)
    Measurement.objects.filter(case__in=last).delete()
    (search,) = searches_of(run, "iodepth")
    assert search.loads[1].missed is None
    assert search.next() == 20


@pytest.mark.parametrize(
    ("holding", "missing", "wanted"),
    [
        ((1,), (2,), None),  # next to each other
        ((100,), (104,), None),  # within 5 %
        ((100,), (200,), 150),
        ((1,), (100,), 10),  # far apart: by ratio
        ((10, 90), (30, 100), 20),  # below the first that does not hold
    ],
)
def test_the_next_value(
    holding: tuple[int, ...], missing: tuple[int, ...], wanted: int | None
) -> None:
    search = Search(Case(), (LIMIT,))
    search.loads += [Load(value, 3, ()) for value in holding]
    search.loads += [Load(value, 3, (FailedExpectation(LIMIT, 6e5),)) for value in missing]
    assert search.next() == wanted


def test_only_plans_that_ask_for_it(owner: User) -> None:
    assert LoadSearchRule().applies(create_search(owner, 8, 128))
    assert not LoadSearchRule().applies(create_measured_run(Setup(owner)))
    assert isinstance(LoadSearchRule().decide(create_search(owner, 1, 2)), Stop)


def test_the_sweep_marks_what_was_tried_and_what_was_found(
    owner: User, owner_client: Client
) -> None:
    run = create_search(owner, 8, 128)
    searched(run)
    Run.objects.filter(pk=run.pk).update(state=RunState.SUCCEEDED, finished_at=timezone.now())
    address = f"/api/v1/analysis/sweep/?run={run.pk}&x=iodepth"
    found = owner_client.get(address).json()
    table = next(table for table in found["tables"] if table["key"] == "points")
    place = [column["key"] for column in table["columns"]].index("holds")
    held = {str(row[0]): row[place] for row in table["rows"]}
    assert (held["8"], held["45"]) == ("holds", "holds")
    assert (held["47"], held["128"]) == ("does not hold", "does not hold")
    chart = found["figures"][0]["figure"]
    assert [text["text"] for text in chart["layout"]["annotations"]] == ["holds up to 45"]
    symbols = {tuple(t["marker"]["symbol"]) for t in chart["data"] if t["mode"] == "lines+markers"}
    assert ("circle",) * 4 + ("x",) * 5 in symbols
    words = "Latency, mean at most 500 us holds up to iodepth 45 "
    assert found["headline"].startswith(words)
    assert not any("holds up to" in note for note in found["notes"])
