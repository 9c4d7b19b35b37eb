"""Hours and drive writes of an acceptance, by hand."""

from __future__ import annotations

import pytest

from apps.acceptance.domain.cost import CostedDisk, cost_of
from apps.acceptance.domain.waves import DiskPosition
from apps.acceptance.schemas import SAMPLE, AcceptanceProfile

TB = 10**12
PROFILE = AcceptanceProfile(repeats=6, seconds=60)


def disk(pk: int, bus: str | None = "a", **fields: object) -> CostedDisk:
    values: dict[str, object] = {"size": 16 * TB, "kind": "hdd", **fields}
    return CostedDisk(DiskPosition(pk, 1, bus), **values)  # type: ignore[arg-type] # by name


def test_sixteen_terabytes_at_200_mb_take_22_hours_to_write_and_again_to_verify() -> None:
    cost = cost_of([disk(1)], PROFILE)
    assert cost.fill_hours == pytest.approx(2 * 22.22, rel=0.001)
    # 4 tests x 6 repeats x 70 s.
    assert cost.measure_hours == pytest.approx(24 * 70 / 3600)
    assert cost.is_assumed


def test_disks_of_one_bus_wait_for_each_other_only_to_be_measured() -> None:
    one, two = cost_of([disk(1)], PROFILE), cost_of([disk(1), disk(2)], PROFILE)
    assert two.fill_hours == one.fill_hours
    assert two.measure_hours == 2 * one.measure_hours
    assert cost_of([disk(1), disk(2, "b")], PROFILE).measure_hours == one.measure_hours


def test_drive_writes_are_the_fill_and_the_timed_writes() -> None:
    flash = disk(1, size=TB, kind="nvme", write_rate=10**9, rated_bytes=100 * TB)
    cost = cost_of([flash], PROFILE)
    # 1 TB, and 2 writing tests x 6 x 60 s x 1 GB/s = 0.72 TB.
    assert cost.drive_writes == pytest.approx(1.72)
    assert cost.disks[0].rated_percent == pytest.approx(1.72)
    assert not cost.is_assumed


def test_a_sample_writes_a_hundredth() -> None:
    cost = cost_of([disk(1)], AcceptanceProfile(coverage=SAMPLE, repeats=1, seconds=1))
    assert cost.fill_hours == pytest.approx(0.4472, rel=0.01)
    assert cost.drive_writes == pytest.approx(0.01, rel=0.01)


def test_no_disks_cost_nothing() -> None:
    assert cost_of([], PROFILE).hours == 0
