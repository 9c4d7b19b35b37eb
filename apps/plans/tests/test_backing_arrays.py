"""Expected IOPS of a disk that is an array."""

from __future__ import annotations

import pytest

from apps.inventory.schemas.backing_arrays import BackingArray, Level
from apps.inventory.schemas.specifications import Specification
from apps.plans.domain.disk_model import busy_disks, model_iops
from apps.tools.values import Parameters

# 1000 / (6 + 4) = 100 operations a second with one in flight.
FIGURES = Specification(seek_ms=6.0, rotation_ms=4.0)


def expected(level: Level | None, rw: str, depth: int) -> float | None:
    array = BackingArray(level, 12) if level else None
    params: Parameters = {"rw": rw, "bs": 4096, "iodepth": depth, "numjobs": 1}
    return model_iops(FIGURES, "fio", params, size=None, array=array)


def test_one_operation_in_flight_uses_one_arm() -> None:
    assert expected(None, "randread", 1) == pytest.approx(100)
    assert expected("raid0", "randread", 1) == pytest.approx(100)


def test_busy_disks_of_many_operations_are_all() -> None:
    assert busy_disks(12, 1) == pytest.approx(1)
    assert busy_disks(12, 12) == pytest.approx(12 * (1 - (11 / 12) ** 12))
    assert busy_disks(12, 1000) == pytest.approx(12)


def test_write_penalty_lowers_small_writes_only() -> None:
    # RAID 5: 2 of 12 disks at once are 12 * (1 - (11/12)^2) = 1.9167, and 4 operations each.
    assert expected("raid5", "randwrite", 1) == pytest.approx(100 * 1.916667 / 4, rel=1e-4)
    # RAID 10: both copies at once.
    assert expected("raid10", "randwrite", 1) == pytest.approx(100 * 1.916667 / 2, rel=1e-4)
    assert expected("raid5", "randread", 1) == pytest.approx(100)
    assert expected("raid5", "randrw", 1) is None
    assert expected("raid0", "randrw", 1) == pytest.approx(100)
