"""Gates of measured runs: what a run meets, what differs, and what has no result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.gate.api_document import gate_document
from apps.analysis.gate.query import parse_gate_query
from apps.analysis.gate.result import compute_gate
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run, create_target
from apps.common.errors import ServiceError
from apps.inventory.models import Disk
from apps.results.models import Baseline, Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import CaseState, Run, RunExtension, RunState
from tests.harness.documents import Changes

pytestmark = pytest.mark.django_db
DEFAULTS = ("Host defaults",)


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_target(owner)


def one_tuning(owner: User, disk: Disk, gain: float = 1.0, **more: Any) -> Run:
    gains = {"Host defaults": gain}
    return create_measured_run(
        Setup(owner, disk=disk, tunings=DEFAULTS, gains=gains, noise=0.002, **more)
    )


def gate(run: Run, against: str, **limits: object) -> Changes:
    data = QueryDict(mutable=True)
    data.update({"run": str(run.pk), "against": against})
    data.update({name: str(value) for name, value in (limits or {"iops_worse": 5}).items()})
    return gate_document(compute_gate(parse_gate_query(data)))


@pytest.mark.parametrize(
    ("gain", "repeats", "state", "more"),
    [
        (0.9, 6, "failed", None),
        (0.995, 6, "passed", None),
        (0.9, 3, "undecided", 3),
    ],
)
def test_gate_against_another_run(
    owner: User, disk: Disk, gain: float, repeats: int, state: str, more: int | None
) -> None:
    before = one_tuning(owner, disk, repeats=6)
    run = one_tuning(owner, disk, gain, repeats=repeats, seed=2)
    if repeats == 3:
        before = one_tuning(owner, disk, repeats=3, seed=3)
    document = gate(run, f"run:{before.pk}")
    (row,) = document["rows"]
    assert (document["state"], row["state"]) == (state, state)
    assert (row["baseline_n"], row["n"]) == (before.cases.count(), repeats)
    if more is None:
        assert row["ratio"] == pytest.approx(gain, abs=0.01)
        assert document["more_repeats"] is None
    else:
        assert row["low"] is None


def test_gate_against_a_tuning_of_the_same_run_decides_on_the_others(owner: User) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 0.9}, repeats=8))
    document = gate(run, "tuning:Host defaults", iops_worse=5, latency_p99_worse=50)
    assert document["counts"] == {"failed": 1, "passed": 1}
    assert {(row["level"], row["tuning"]) for row in document["rows"]} == {("Scheduler none",) * 2}
    assert [row["metric"] for row in document["rows"]] == ["iops", "latency_p99"]


def test_gate_against_a_value_of_a_parameter(owner: User) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in (16, 32)]
    run = create_measured_run(
        Setup(owner, tunings=DEFAULTS, points=points, gains={16: 1.0, 32: 0.9}, repeats=8)
    )
    (row,) = gate(run, "param:iodepth=16")["rows"]
    assert row["state"] == "failed"
    with pytest.raises(ServiceError) as refused:
        gate(run, "param:iodepth=64")
    assert refused.value.status == 400


def test_gate_against_a_baseline_decides_on_its_target_alone(owner: User, disk: Disk) -> None:
    before, run = one_tuning(owner, disk), one_tuning(owner, disk, 0.9, seed=2)
    Baseline.objects.create(name="as delivered", owner=owner, run=before, target_id=disk.target_id)
    assert gate(run, "baseline:as delivered")["state"] == "failed"
    for name, number, message in (("other", run, "no target"), ("as delivered", before, "itself")):
        with pytest.raises(ServiceError) as refused:
            gate(number, f"baseline:{name}")
        assert (refused.value.status, message in refused.value.message.lower()) == (400, True)


def test_gate_on_another_block_size_or_kernel_lists_what_differs(owner: User, disk: Disk) -> None:
    before = one_tuning(owner, disk)
    other = one_tuning(owner, disk, points=[PARAMS | {"bs": 8192}])
    (row,) = gate(other, f"run:{before.pk}")["rows"]
    assert row["state"] == "not_comparable"
    assert "4 KiB" in row["differing"][0]
    assert "8 KiB" in row["differing"][0]
    kernel = one_tuning(owner, disk, facts={"kernel": "6.8.0"})
    document = gate(kernel, f"run:{before.pk}")
    assert document["state"] == "not_comparable"
    assert "6.8.0" in document["rows"][0]["differing"][0]


def test_gate_with_a_failed_or_invalid_repeat_does_not_pass(owner: User, disk: Disk) -> None:
    before, run = one_tuning(owner, disk), one_tuning(owner, disk, seed=2)
    case = run.cases.order_by("pk")[0]
    Measurement.objects.filter(case=case).update(valid=False, invalid_reason="moved")
    summaries_rebuild()
    (row,) = gate(run, f"run:{before.pk}")["rows"]
    assert (row["state"], row["n"]) == ("no_result", 5)
    run.cases.update(state=CaseState.FAILED)
    Measurement.objects.filter(case__run=run).delete()
    summaries_rebuild()
    (row,) = gate(run, f"run:{before.pk}")["rows"]
    assert (row["state"], row["n"], row["workload"] != "") == ("no_result", 0, True)


def test_gate_without_a_value_of_the_metric_has_no_result(owner: User, disk: Disk) -> None:
    before, run = one_tuning(owner, disk), one_tuning(owner, disk, seed=2)
    Measurement.objects.filter(case__run__in=[run, before]).update(latency_p99=None)
    summaries_rebuild()
    document = gate(run, f"run:{before.pk}", iops_worse=5, latency_p99_worse=5)
    assert document["counts"] == {"no_result": 1, "passed": 1}
    assert document["rows"][0]["workload"] == ""


def test_gate_after_added_repeats_spends_the_error_again(owner: User, disk: Disk) -> None:
    before, run = one_tuning(owner, disk), one_tuning(owner, disk, repeats=12, seed=2)
    (once,) = gate(run, f"run:{before.pk}")["rows"]
    RunExtension.objects.create(
        run=run, position=1, kind=RunExtension.Kind.REPEATS, repeats=6, first_block=7,
        last_block=12, by=owner,
    )  # fmt: skip
    (twice,) = gate(run, f"run:{before.pk}")["rows"]
    assert twice["high"] - twice["low"] > once["high"] - once["low"]


def test_gate_api_answers_4xx(
    owner: User, disk: Disk, api: Callable[[User | None], APIClient], viewer: User
) -> None:
    run, client = one_tuning(owner, disk), api(viewer)
    before = one_tuning(owner, disk, seed=2)
    address = f"/api/v1/gate/?run={run.pk}&against=run:{before.pk}"
    assert client.get(f"{address}&iops_worse=5").json()["state"] == "passed"
    zero = client.get(f"{address}&iops_worse=0")
    assert (zero.status_code, list(zero.json()["error"]["fields"])) == (400, ["iops_worse"])
    missing = client.get(f"/api/v1/gate/?run={run.pk}&against=run:999999&iops_worse=5")
    assert missing.status_code == 404
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    assert client.get(f"{address}&iops_worse=5").status_code == 409


def test_gate_page_shows_decisions_page_by_page(
    owner: User, disk: Disk, viewer_client: Client
) -> None:
    points = [PARAMS | {"iodepth": depth} for depth in range(1, 61)]
    before = one_tuning(owner, disk, points=points, repeats=2)
    run = one_tuning(owner, disk, points=points, repeats=2, seed=2)
    assert viewer_client.get("/gate/").status_code == 200
    assert "gate-table" not in viewer_client.get(f"/gate/?run={run.pk}").content.decode()
    address = f"/gate/?run={run.pk}&against=run:{before.pk}&iops_worse=5"
    first = viewer_client.get(address).content.decode()
    second = viewer_client.get(f"{address}&page=2").content.decode()
    assert (first.count("gate-sentence"), second.count("gate-sentence")) == (50, 10)
    assert 'data-gate="undecided"' in first
    assert viewer_client.get(f"{address}&latency_p99_worse=0").status_code == 400
