"""Expectations of a step, from the plan to the pages, the lists and the API."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.common.domain.verdicts import VerdictKind
from apps.inventory.models import DiskSpecification
from apps.plans.models import TestPlan
from apps.plans.schemas.expectations import Expectation, Source
from apps.results.models import ResultSummary
from apps.results.selectors.expectations import evaluate_run
from apps.results.services.attempt_results import results_store
from apps.results.services.summary_table import summaries_difference
from apps.runs.models import Run, RunExpectation
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_plan
from apps.tools import parse_result

IOPS = Expectation("iops", "least", 6000.0, "IOPS", 5.0)
RATE = Expectation("bandwidth", "least", 170e6, "MB/s")
P99 = Expectation("latency_p99", "most", 1e7, "ms")


def launched(owner: User, *wanted: Expectation, repeats: int = 1, **disk: float) -> Run:
    target = create_disk(host=create_host(), owner=owner)
    if disk:
        DiskSpecification.objects.create(disk=target, **disk)
    plan = create_plan(owner=owner, target=target, repeats=repeats)
    return run_launch(plan=expecting(plan, *wanted), user=owner)


def expecting(plan: TestPlan, *wanted: Expectation) -> TestPlan:
    steps = [msgspec.structs.replace(step, expectations=wanted) for step in plan.spec.steps]
    plan.spec = msgspec.structs.replace(plan.spec, steps=tuple(steps))
    plan.save()
    return plan


def measured(run: Run, *rows: tuple[float, float, float], reason: str = "") -> None:
    """A result of (IOPS, bytes/s, p99 in ns) for each case."""
    for case, (iops, rate, p99) in zip(run.cases.order_by("sequence"), rows, strict=False):
        latency = parse_result.Latency(percentiles={"99": p99})
        found = parse_result.Measurement("read", bandwidth=rate, iops=iops, latency=latency)
        parsed = parse_result.Parsed("fio", "json", "3.33", (found,))
        attempt = create_attempt(case)
        results_store(attempt=attempt, parsed=parsed, parser_version=1, invalid_reason=reason)


def verdicts(run: Run) -> list[VerdictKind]:
    assert not summaries_difference(), str(summaries_difference())
    return [one.verdict for one in evaluate_run(run)]


def test_met_and_missed_of_one_test(owner: User) -> None:
    run = launched(owner, IOPS, RATE, P99)
    measured(run, (5700.0, 169e6, 9e6))
    assert verdicts(run) == [VerdictKind.MET, VerdictKind.MISSED, VerdictKind.MET]
    margins = [one.result.margin for one in evaluate_run(run)]
    assert margins == [pytest.approx(-0.05), pytest.approx(-1 / 170), pytest.approx(0.1)]
    assert ResultSummary.objects.get().expectation_verdict == "missed"


def test_a_run_without_expectations_asks_one_query(
    owner: User, django_assert_num_queries: Callable[[int], object]
) -> None:
    run = launched(owner)
    measured(run, (5700.0, 169e6, 9e6))
    with django_assert_num_queries(1):  # type: ignore[attr-defined] # pytest-django's context
        assert evaluate_run(run) == []
    assert ResultSummary.objects.get().expectation_verdict == ""


def test_invalid_results_are_not_judged(owner: User) -> None:
    run = launched(owner, IOPS)
    measured(run, (1.0, 1.0, 1.0), reason="late")
    assert verdicts(run) == []
    assert ResultSummary.objects.get().expectation_verdict == ""


def test_repeats_on_both_sides_say_so(owner: User, owner_client: Client) -> None:
    run = launched(owner, IOPS, repeats=3)
    measured(run, (5600.0, 1.0, 1.0), (6100.0, 1.0, 1.0), (6400.0, 1.0, 1.0))
    assert verdicts(run) == [VerdictKind.INCONCLUSIVE]
    page = owner_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    card = page[page.index('id="expectations"') :].split("</section>")[0]
    assert "3 repeats, from 5,600 IOPS to 6,400 IOPS" in card
    assert 'data-state="inconclusive"' in card
    assert "+1.7 %" in card


def test_the_disks_promise_and_model_are_looked_up(owner: User) -> None:
    wanted = (
        Expectation("iops", source="provider"),
        Expectation("bandwidth", source="provider"),
        Expectation("iops", source="model"),
    )
    run = launched(
        owner, *wanted, sla_iops=6000.0, sla_bandwidth=170e6, seek_ms=7.0, rotation_ms=3.0,
        transfer_ms=0.8,
    )  # fmt: skip
    values = dict(RunExpectation.objects.values_list("metric", "value").filter(source="provider"))
    assert values == {"iops": 6000.0, "bandwidth": 170e6}
    model = RunExpectation.objects.get(source="model")
    # 16 MiB of 64: half the seek; four in flight: the arm goes 1/5 instead of 1/3 of the way.
    assert model.value == pytest.approx(1000 / (7 * (0.25 * 0.6) ** 0.5 + 3.8))
    # One of a provider's two caps is reached: no more of the other can be asked.
    measured(run, (6100.0, 25e6, 1.0))
    assert verdicts(run) == [VerdictKind.MET, VerdictKind.MET, VerdictKind.MET]
    assert ResultSummary.objects.get().expectation_verdict == "met"


def test_disk_without_specification_has_no_expectation(owner: User) -> None:
    run = launched(owner, Expectation("iops", source="provider"))
    assert not RunExpectation.objects.exists()
    measured(run, (1.0, 1.0, 1.0))
    assert verdicts(run) == []


def test_another_operation_is_not_meant(owner: User) -> None:
    run = launched(owner, Expectation("iops", "least", 1e9, "IOPS", operation="write"))
    measured(run, (1.0, 1.0, 1.0))
    assert verdicts(run) == []
    assert ResultSummary.objects.get().expectation_verdict == ""


def test_the_database_judges_as_the_module_does(owner: User) -> None:
    dice = random.Random(7)
    kinds: tuple[Source, ...] = ("own", "provider")
    for _each in range(30):
        wanted = [
            Expectation(
                dice.choice(("iops", "bandwidth", "latency_p99")), dice.choice(("least", "most")),
                float(dice.randint(1, 4)), "", float(dice.choice((0, 25, 50))), dice.choice(kinds),
                dice.choice(("", "read", "write")),
            )
            for _one in range(dice.randint(1, 4))
        ]  # fmt: skip
        run = launched(owner, *wanted)
        measured(run, (float(dice.randint(1, 4)), float(dice.randint(1, 4)), 2.0))
        found = verdicts(run)
        expected = ("missed" if VerdictKind.MISSED in found else "met") if found else ""
        assert ResultSummary.objects.get(run=run).expectation_verdict == expected, (wanted, found)


def test_the_case_page_shows_its_own(owner: User, viewer_client: Client) -> None:
    run = launched(owner, P99, repeats=2)
    measured(run, (1.0, 1.0, 8e6), (1.0, 1.0, 12e6))
    met, missed = run.cases.order_by("sequence")
    for case, state in ((met, "met"), (missed, "missed")):
        page = viewer_client.get(reverse("case_detail", args=[case.pk])).content.decode()
        card = page[page.index('id="expectations"') :].split("</section>")[0]
        assert f'data-state="{state}"' in card
        assert "Latency, 99th percentile at most 10 ms" in card


def test_scripts_ask_and_filter(
    owner: User, viewer: User, api: Callable[[User | None], APIClient]
) -> None:
    bad, good = launched(owner, P99), launched(owner, P99)
    measured(bad, (1.0, 1.0, 12e6))
    measured(good, (1.0, 1.0, 8e6))
    client = api(viewer)
    (told,) = client.get(f"/api/v1/expectations/?run={bad.pk}").json()
    assert (told["verdict"], told["median"], told["limit"]) == ("missed", 12e6, 1e7)
    assert told["margin"] == pytest.approx(-0.2)
    assert (told["operation"], told["workload"]) == ("read", bad.cases.get().workload.key)
    assert client.get(f"/api/v1/expectations/?run={bad.pk}&verdict=met").json() == []
    assert len(client.get(f"/api/v1/expectations/?case={good.cases.get().pk}").json()) == 1

    def ids(address: str) -> list[int]:
        return [row["id"] for row in client.get(address).json()["results"]]

    assert ids("/api/v1/runs/?missed=true") == [bad.pk]
    assert ids("/api/v1/cases/?missed=true") == [bad.cases.get().pk]
    assert ids("/api/v1/cases/?missed=false") == [good.cases.get().pk]
    assert ids("/api/v1/measurements/?missed=true") == [bad.summaries.get().pk]
    for address in ("", "?run=x", "?run=1&verdict=maybe", "?run=1&x=2"):
        assert client.get(f"/api/v1/expectations/{address}").status_code == 400
    assert client.get("/api/v1/expectations/?run=999999").status_code == 404


def test_a_comparison_holds_each_level_against_it(
    owner: User, viewer: User, viewer_client: Client, api: Callable[[User | None], APIClient]
) -> None:
    target = create_disk(host=create_host(), owner=owner)
    plan = create_plan(owner=owner, target=target)
    expecting(plan, IOPS)
    runs = [run_launch(plan=plan, user=owner) for _each in range(2)]
    for run, iops in zip(runs, (5000.0, 7000.0), strict=True):
        measured(run, (iops, 1.0, 1.0))
    query = f"run={runs[0].pk}&run={runs[1].pk}&factor=run"
    (workload,) = api(viewer).get(f"/api/v1/compare/?{query}").json()["workloads"]
    found = [(each["verdict"], each["median"]) for each in workload["expectations"]]
    assert found == [("missed", 5000.0), ("met", 7000.0)]
    page = viewer_client.get(f"{reverse('compare')}?{query}", follow=True).content.decode()
    card = page[page.index('id="expectations"') :].split("</section>")[0]
    assert card.index("Missed") < card.rindex("Met")
