"""Wear and energy of an attempt: the arithmetic, what is stored, and how it is compared."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.inventory.models import Disk
from apps.inventory.tests.factories import create_disk
from apps.results.models import AttemptCost, DiskWear, ResultSummary, Series
from apps.results.selectors.jobs import DoneJob
from apps.results.selectors.metric_columns import extent_value
from apps.results.selectors.wear import fleet_lives, plan_costs
from apps.results.services.costs import costs_store
from apps.results.services.disk_wear import (
    DiskCounts,
    counts_of,
    foreign_write_warnings,
    write_amplification,
)
from apps.results.services.energy import energy_figures
from apps.results.tests.factories import create_results
from apps.runs.tests.factories import create_attempt, create_run
from apps.tools.devices.power import PowerReading, host_watts, package_watts, read_log
from apps.tools.parse_result import Measurement, Parsed

GIB = 1 << 30
UNIT = 512_000


def counts(host_bytes: int | None, nand_bytes: int | None = None) -> DiskCounts:
    return DiskCounts(1, "", "wwn:a", "nvme0n1", host_bytes, nand_bytes, UNIT, 5, 5)


def job(before: dict[str, Any], after: dict[str, Any], stage: int = 0, **more: Any) -> DoneJob:
    ended: Any = {"smart_before": before, "smart": after, **more.get("exit", {})}
    spec = more.get("spec", {})
    return DoneJob(host=1, name="", role="client", stage=stage, spec=spec, exit=ended)


def smart(written: int | None, nand: int | None = None) -> dict[str, Any]:
    return {
        "wwn:a": {"written": written, "nand_written": nand, "resolution": UNIT, "name": "nvme0n1"}
    }


def test_differences_of_all_stages_are_added() -> None:
    stages = [job(smart(10, 100), smart(30, 180)), job(smart(40, 190), smart(45, 200), stage=1)]
    (disk,) = counts_of(stages)
    assert (disk.host_bytes, disk.nand_bytes) == (25, 90)
    assert (disk.name, disk.resolution) == ("nvme0n1", UNIT)


@pytest.mark.parametrize(
    ("before", "after"),
    [(smart(30), smart(10)), ({}, smart(10)), (smart(10), {}), (smart(None), smart(5))],
)
def test_counter_that_went_back_or_is_missing_has_no_difference(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    (disk,) = counts_of([job(before, after)])
    assert disk.host_bytes is None


def test_write_amplification_is_that_of_all_disks_together() -> None:
    ratio, reason = write_amplification([counts(2 * GIB, 3 * GIB), counts(2 * GIB, 7 * GIB)])
    assert (ratio, reason) == (2.5, "")


@pytest.mark.parametrize(
    "disks",
    [
        [],
        [counts(None, GIB)],
        [counts(2 * GIB)],
        [counts(2 * GIB, 2 * GIB), counts(2 * GIB)],
        [counts(GIB - 1, GIB)],
        # A log that counts units of 512,000 bytes instead of bytes.
        [counts(2 * GIB, 2 * GIB // UNIT)],
    ],
)
def test_write_amplification_has_a_reason_otherwise(disks: list[DiskCounts]) -> None:
    ratio, reason = write_amplification(disks)
    assert ratio is None
    assert reason


@pytest.mark.parametrize(
    ("counted", "own", "expected"),
    [
        (105 * GIB, 100 * GIB, 0),
        (106 * GIB, 100 * GIB, 1),
        (100 << 20, 60 << 20, 0),  # below the floor
        (GIB, 0, 1),  # a test that only reads
        (90 * GIB, 100 * GIB, 0),
    ],
)
def test_five_percent_more_host_bytes_are_a_warning(counted: int, own: int, expected: int) -> None:
    warnings = foreign_write_warnings([counts(counted)], {("", "nvme0n1"): own})
    assert len(warnings) == expected
    assert foreign_write_warnings([counts(counted)], {}) == []


def reading(second: float, joules: float | None, watts: float | None) -> PowerReading:
    return PowerReading(second, {} if joules is None else {"intel-rapl:0": joules}, watts)


# 10 W of the package and 100 W of the host while idle for 20 s, then 30 W and 200 W.
READINGS = [
    *[reading(n, 10.0 * n, 100.0) for n in range(0, 21, 4)],
    *[reading(n, 200.0 + 30.0 * (n - 20), 200.0) for n in range(24, 621, 4)],
]


def test_log_has_joules_and_watts() -> None:
    line = {"monotonic": 5.0, "rapl": {"intel-rapl:0": 2_000_000}, "dcmi": 212, "refusal": ""}
    bad = b'{"monotonic": "x"}\n[]\n{"monotonic": 6.0, "rapl": [1]}\n{"mono'
    (found,) = read_log(json.dumps(line).encode() + b"\n" + bad)
    assert found == PowerReading(5.0, {"intel-rapl:0": 2.0}, 212.0)


def test_mean_power_needs_time_and_readings() -> None:
    assert package_watts(READINGS, 0, 20) == pytest.approx(10.0)
    assert host_watts(READINGS, 21, 621) == 200.0
    assert package_watts(READINGS, 0, 8) is None
    assert host_watts(READINGS, 0, 7) is None


def measured(*operations: tuple[str, float, float]) -> Parsed:
    rows = [
        Measurement(name, rate, iops, values={"io_bytes": int(rate * 590)})
        for name, rate, iops in operations
    ]
    return Parsed("fio", "json+", "3.33", tuple(rows))


POWER_JOB = job(
    {},
    {},
    spec={"power": {"idle_seconds": 20.0}},
    exit={"times": [[20.5, 21.0], [21.0, 621.0]], "started": {"monotonic": 20.5}},
)


def test_energy_is_power_over_the_rates_of_all_operations() -> None:
    parsed = measured(("read", 1.5 * GIB, 3000.0), ("write", 0.5 * GIB, 1000.0))
    figures, reason = energy_figures(parsed, [POWER_JOB], {0: READINGS})
    assert reason == ""
    assert figures["host_joules_per_gib"] == pytest.approx(100.0)
    assert figures["host_joules_per_million_operations"] == pytest.approx(50_000.0)
    assert figures["cpu_joules_per_gib"] == pytest.approx(15.0)
    assert (figures["host_idle_watts"], figures["host_watts"]) == (100.0, 200.0)
    assert figures["cpu_idle_watts"] == pytest.approx(10.0)


def test_energy_without_a_source_or_in_a_short_test_has_a_reason() -> None:
    parsed = measured(("read", GIB, 1000.0))
    dumb = [PowerReading(n, {}, None, "unsupported") for n in range(0, 700, 4)]
    figures, reason = energy_figures(parsed, [POWER_JOB], {0: dumb})
    assert figures == {}
    assert "c1" in reason
    assert energy_figures(parsed, [job({}, {})], {})[0] == {}


def test_operations_one_after_another_have_power_but_no_energy_each() -> None:
    rows = tuple(
        Measurement(name, float(GIB), 1000.0, values={"io_bytes": 290 * GIB})
        for name in ("write", "read")
    )
    figures, reason = energy_figures(Parsed("iozone", "", "", rows), [POWER_JOB], {0: READINGS})
    assert set(figures) == {"host_watts", "host_idle_watts", "cpu_watts", "cpu_idle_watts"}
    assert reason


@pytest.mark.django_db
def test_fleet_page_sorts_by_rating_and_sums_plans(owner: User, viewer_client: Client) -> None:
    case = create_run(owner=owner).cases.get()
    attempt = create_attempt(case, started_at=timezone.now(), exit={"codes": [0]}, spec={})
    host = case.host
    disks = [
        create_disk(host=host, facts={"smart": {"used": used, "spare": 100, "written": 9}})
        for used in (3, 12, None)
    ]
    for disk, host_bytes in zip(disks, (5, 7, None), strict=True):
        DiskWear.objects.create(
            attempt=attempt, host=host, disk=disk, identity=disk.identity, host_bytes=host_bytes
        )
    lives = fleet_lives(Disk.objects.all())
    assert [life.disk for life in lives] == [disks[1], disks[0], disks[2]]
    assert [life.recent_bytes for life in lives] == [7, 5, None]
    (cost,) = plan_costs()
    assert (cost.name, cost.host_bytes, cost.runs) == (case.run.plan.name, 12, 1)
    assert (cost.attempts, cost.unknown) == (1, 1)
    assert plan_costs(now=timezone.now() + timedelta(days=91)) == []
    assert viewer_client.get("/wear/").status_code == 200


@pytest.mark.django_db
def test_write_amplification_is_stored_compared_and_shown(
    owner: User, viewer_client: Client
) -> None:
    exit_ = {
        "codes": [0],
        "times": [[1.0, 61.0]],
        "smart_before": smart(0, 0),
        "smart": smart(4 * GIB, 6 * GIB),
    }
    attempt = create_results(
        create_attempt(create_run(owner=owner).cases.get(), exit=exit_, spec={})
    )
    log = [{"t": t, "name": "nvme0n1", "stat": [0] * 6 + [t * 8_000_000] + [0] * 4} for t in (0, 1)]
    files = {"device.log": b"".join(json.dumps(row).encode() + b"\n" for row in log)}
    for _twice in range(2):
        costs_store(attempt=attempt, files=files, parsed=None)
    row = DiskWear.objects.get(attempt=attempt)
    assert (row.host_bytes, row.nand_bytes, row.kernel_bytes) == (4 * GIB, 6 * GIB, 8_000_000 * 512)
    assert AttemptCost.objects.get(attempt=attempt).wear_reason == ""
    assert Series.objects.get(attempt=attempt, source="cost").mean == 1.5
    summary = ResultSummary.objects.annotate(ratio=extent_value("write_amplification")).get()
    assert summary.ratio == 1.5
    page = viewer_client.get(f"/cases/{attempt.case_id}/").content.decode()
    assert "nvme0n1" in page
    compared = viewer_client.get(f"/compare/?run={attempt.case.run_id}&metric=write_amplification")
    assert compared.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "lie",
    [
        {"used": 2**63 - 1},
        {"used": -5},
        {"written": 2**63 - 1, "nand_written": 2**63 - 1},
        {"written": -(2**62), "nand_written": 5},
        {"resolution": 2**63 - 1},
        {"resolution": -1},
        {"name": "n" * 10_000},
    ],
)
def test_lie_about_a_disk_ends_nothing(owner: User, lie: dict[str, Any]) -> None:
    """SMART data of an exit are a host's words."""
    ends = {"wwn:a": smart(0, 0)["wwn:a"] | lie, "w" * 9_000: {"written": 1}}
    begins = {"wwn:a": smart(0, 0)["wwn:a"], "w" * 9_000: {"written": 0}}
    exit_ = {"codes": [0], "times": [[1.0, 61.0]], "smart_before": begins, "smart": ends}
    attempt = create_attempt(create_run(owner=owner).cases.get(), exit=exit_, spec={})
    huge = "1" + "0" * 400
    lines = f'{{"t": 1, "name": "nvme0n1", "stat": [{huge}]}}\n{{"t": {huge}}}\n' + "[" * 99_999
    costs_store(attempt=attempt, files={"device.log": f"{lines}\n".encode()}, parsed=None)
    assert DiskWear.objects.filter(attempt=attempt, identity="wwn:a").exists()
