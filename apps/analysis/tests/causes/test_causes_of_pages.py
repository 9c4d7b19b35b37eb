"""Conditions from the database: the fragments of the pages and the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import START, Setup, create_measured_run, create_target
from apps.inventory.models import Disk, HostFacts
from apps.plans.models import Workload
from apps.remote.job_spec import JobSpec
from apps.remote.responses import Exit
from apps.results.models import Measurement, Series
from apps.runs.models import Attempt, AttemptJob, JobState, Run
from apps.runs.tests.factories import create_host

Api = Callable[[User | None], APIClient]
OUTSIDE = {"kernel_errors": {"count": 3, "lines": ["blk_update_request: I/O error, dev sdb"]}}
NVME_TCP = {"transport": "nvme/tcp", "paths": 1, "live": 1, "target": "nqn.2014-08.org:a"}
QUIET = {"kernel_errors": {"count": 0, "lines": []}}


@pytest.fixture
def run(owner: User) -> Run:
    """Two tunings, six repeats each; the slow ones had errors in the kernel log and CPU load."""
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.5}))
    for attempt in Attempt.objects.filter(case__run=run).select_related("case__run_tuning"):
        slow = attempt.case.run_tuning.name != "Scheduler none"
        Attempt.objects.filter(pk=attempt.pk).update(
            ended_at=attempt.started_at and attempt.started_at + timedelta(seconds=60)
        )
        add_job(attempt, OUTSIDE if slow else QUIET, "mq-deadline" if slow else "none")
        add_load(attempt, 40.0 if slow else 5.0)
    return run


def add_job(attempt: Attempt, conditions: dict[str, Any], scheduler: str) -> None:
    row = {"kind": "queue", "identity": "", "name": "scheduler", "value": scheduler}
    effective = [row | {"requested": None, "before": None, "after": None}]
    AttemptJob.objects.create(
        pk=attempt.pk,
        attempt=attempt,
        host=attempt.case.host,
        spec=cast(JobSpec, {}),
        state=JobState.DONE,
        exit=cast(Exit, {"conditions": conditions, "tuning": {"effective": effective}}),
    )


def add_load(attempt: Attempt, percent: float) -> None:
    for metric, value in (("host_cpu", percent), ("generator_cpu", 32.0)):
        Series.objects.create(
            attempt=attempt, run_id=attempt.case.run_id, source=Series.Source.HOST, subject="host",
            metric=metric, start=0, interval=1, length=1, value_count=1, mean=value, maximum=value,
        )  # fmt: skip


def test_a_comparison_lists_what_fits_the_slower_level(
    run: Run, viewer: User, api: Api, viewer_client: Client
) -> None:
    (report,) = api(viewer).get("/api/v1/compare/causes/", {"run": run.pk}).json()["reports"]
    kinds = [one["kind"] for one in report["candidates"]]
    assert kinds == ["kernel_errors", "setting", "cpu_load"]
    first = report["candidates"][0]
    assert (first["affected_with"], first["affected_total"]) == (6, 6)
    assert (first["others_with"], first["others_total"]) == (0, 6)
    assert first["equals_factor"]
    assert first["details"] == ["blk_update_request: I/O error, dev sdb"]
    assert report["deciding_run"]["url"].startswith("/plans/new/?workload=")
    page = viewer_client.get(f"/compare/causes/?run={run.pk}").content.decode()
    assert "blk_update_request" in page
    assert report["deciding_run"]["url"] not in page  # a viewer cannot plan runs


def test_more_repeats_need_no_more_queries(run: Run, owner: User, viewer_client: Client) -> None:
    def queries(*runs: Run) -> int:
        query = "&".join(f"run={one.pk}" for one in runs)
        with CaptureQueriesContext(connection) as seen:
            assert viewer_client.get(f"/compare/causes/?{query}").status_code == 200
        return len(seen)

    queries(run)
    one = queries(run)
    disk = disk_of(run)
    setup = Setup(owner, gains={"Scheduler none": 1.5}, seed=5, repeats=9, disk=disk)
    more = create_measured_run(setup)
    assert queries(run, more) <= one + 2


def test_a_history_lists_what_changed(owner: User, viewer: User, api: Api) -> None:
    disk = create_target(owner, "node1")
    setup = Setup(owner, tunings=("Host defaults",), disk=disk, repeats=1)
    for number in range(30):
        late = number >= 15
        create_measured_run(
            replace(
                setup,
                seed=number,
                start=START + timedelta(weeks=number),
                facts={"kernel": "6.1.0-22"} if late else {},
                gains={"Host defaults": 0.5 if late else 1.0},
            )
        )
    query = {"workload": Workload.objects.get().key, "metric": "iops"}
    (report,) = api(viewer).get("/api/v1/history/causes/", query).json()["reports"]
    first = report["candidates"][0]
    assert (first["kind"], first["value"]) == ("configuration", "6.1.0-22")
    assert report["separated"]
    assert (report["affected"], report["others"]) == (15, 15)


def test_another_run_on_the_same_host_is_listed(run: Run, viewer: User, api: Api) -> None:
    other = overlapping_run(run, disk_of(run))
    neighbour = neighbour_of(run, api(viewer))
    assert (neighbour["affected_with"], neighbour["others_with"]) == (6, 0)
    assert neighbour["details"] == [f"run {other.pk}"]
    assert neighbour["name"] == "Another run on the same host"


@pytest.mark.parametrize("fact", [{"bus": "0000:3a:00.0"}, {"fabric": NVME_TCP}])
def test_a_run_that_shares_a_controller_or_a_storage_system(
    fact: dict[str, Any], run: Run, owner: User, viewer: User, api: Api
) -> None:
    disk = disk_of(run)
    host = disk.host if "bus" in fact else create_host(name="elsewhere")
    second = Disk.objects.create(host=host, identity="serial:2", device_path="/dev/sdb", size=1)
    other = overlapping_run(run, second)
    for facts in HostFacts.objects.all():
        rows = [{"identity": each.identity} | fact for each in (disk, second)]
        HostFacts.objects.filter(pk=facts.pk).update(facts=facts.facts | {"disks": rows})
    name = neighbour_of(run, api(viewer))["name"]
    assert ("controller" in name) == ("bus" in fact)
    assert ("storage system" in name) == ("fabric" in fact)
    assert Run.objects.count() == 2
    assert disk_of(other) == second


def disk_of(run: Run) -> Disk:
    target = run.targets.get().target
    assert target is not None
    return cast(Disk, target.row)


def overlapping_run(run: Run, disk: Disk) -> Run:
    """Another run at the times of the slow repeats."""
    slow = [
        one for one in Attempt.objects.filter(case__run=run).select_related("case__run_tuning")
        if one.case.run_tuning.name != "Scheduler none"
    ]  # fmt: skip
    other = create_measured_run(Setup(run.owner, disk=disk, repeats=3))
    Run.objects.filter(pk=other.pk).update(queued_at=START, started_at=START)
    pairs = zip(Attempt.objects.filter(case__run=other), slow, strict=True)
    for attempt, beside in pairs:
        Attempt.objects.filter(pk=attempt.pk).update(
            started_at=beside.started_at, ended_at=beside.ended_at
        )
    return other


def neighbour_of(run: Run, client: APIClient) -> dict[str, Any]:
    (report,) = client.get("/api/v1/compare/causes/", {"run": run.pk}).json()["reports"]
    neighbour: dict[str, Any]
    (neighbour,) = [one for one in report["candidates"] if one["kind"] == "neighbour"]
    return neighbour


def test_a_changed_firmware_is_listed(owner: User, viewer: User, api: Api) -> None:
    disk = create_target(owner, "node2")
    disks = [{"identity": disk.identity, "model": "S4510", "firmware": "XC12"}]
    setup = Setup(owner, tunings=("Host defaults",), disk=disk)
    runs = [
        create_measured_run(setup),
        create_measured_run(
            replace(setup, facts={"disks": disks}, seed=2, gains={"Host defaults": 0.5})
        ),
    ]
    query: dict[str, Any] = {"run": [one.pk for one in runs], "factor": "run"}
    (report,) = api(viewer).get("/api/v1/compare/causes/", query).json()["reports"]
    found = {one["name"]: one["value"] for one in report["candidates"]}
    assert found["disk firmware"] == "XC12"


@pytest.mark.parametrize("path", ["/api/v1/compare/causes/", "/api/v1/history/causes/"])
@pytest.mark.parametrize("query", [{}, {"run": "x"}, {"nonsense": 1}])
def test_bad_queries(path: str, query: dict[str, Any], viewer: User, api: Api) -> None:
    assert api(viewer).get(path, query).status_code == 400


def test_bad_queries_of_fragments(viewer_client: Client) -> None:
    assert viewer_client.get("/compare/causes/?run=x").status_code == 400
    assert viewer_client.get("/history/causes/?workload=x").status_code == 400
    assert viewer_client.get("/compare/causes/").status_code == 200
    assert Client().get("/history/causes/").status_code == 302


def test_without_conditions_it_names_none(owner: User, viewer: User, api: Api) -> None:
    run = create_measured_run(Setup(owner, gains={"Scheduler none": 1.5}))
    (report,) = api(viewer).get("/api/v1/compare/causes/", {"run": run.pk}).json()["reports"]
    assert report["candidates"] == []
    assert report["deciding_run"] is None
    assert Measurement.objects.count() == report["affected"] + report["others"]
