"""Levels of arrays, and the lowest ceiling."""

from __future__ import annotations

import pytest

from apps.analysis.ceiling.level import CeilingLevel, Metric
from apps.analysis.ceiling.parts import Reached, TargetPart


@pytest.mark.parametrize(
    ("level", "metric", "writes", "share"),
    [
        (CeilingLevel(), "iops", True, 1.0),
        (CeilingLevel("raid5"), "iops", False, 1.0),
        (CeilingLevel("raid5"), "iops", True, 1 / 4),
        (CeilingLevel("raid6"), "iops", True, 1 / 6),
        (CeilingLevel("raid10"), "iops", True, 1 / 2),
        # Whole stripes: of eight disks one or two hold parity.
        (CeilingLevel("raid5"), "bandwidth", True, 7 / 8),
        (CeilingLevel("raid6"), "bandwidth", True, 6 / 8),
        (CeilingLevel("raid10"), "bandwidth", True, 1 / 2),
        (CeilingLevel("replicated", 1, 3), "bandwidth", True, 1 / 3),
        (CeilingLevel("replicated", 1, 3), "iops", False, 1.0),
        (CeilingLevel("erasure", 4, 6), "bandwidth", True, 4 / 6),
        (CeilingLevel("erasure", 4, 6), "iops", True, 1 / 6),
    ],
)
def test_a_level_leaves_its_share(
    level: CeilingLevel, metric: Metric, writes: bool, share: float
) -> None:
    assert level.share(metric, writes=writes, disks=8) == pytest.approx(share)


def reached(value: float, *, network: float | None = None, level: str = "none") -> Reached:
    disks = [TargetPart(f"sd{n}", 100.0) for n in "abcd"]
    networks = [TargetPart("node1", network)] if network is not None else []
    return Reached("t", 1, "write", "iops", value, True, CeilingLevel(level), disks, networks)


def test_the_lowest_ceiling_is_the_bottleneck() -> None:
    assert (reached(390).ceiling, reached(390).bottleneck) == (400, "disks")
    assert (reached(95, level="raid5").ceiling, reached(95, level="raid5").bottleneck) == (
        100, "array",
    )  # fmt: skip
    assert reached(48, network=50).bottleneck == "network"
    assert reached(48, network=50).share == pytest.approx(0.96)


def test_far_below_every_ceiling_it_is_something_else() -> None:
    assert reached(200).bottleneck == "other"


def test_a_ceiling_that_was_passed_is_none() -> None:
    assert reached(500).bottleneck == ""


def test_a_disk_nobody_measured_leaves_the_sum_unknown() -> None:
    disks = [TargetPart("sda", 100.0), TargetPart("sdb")]
    one = Reached("t", 1, "read", "iops", 150, False, CeilingLevel(), disks)
    assert (one.disks_sum, one.ceiling, one.bottleneck) == (None, None, "")
    assert one.missing == ["sdb"]
