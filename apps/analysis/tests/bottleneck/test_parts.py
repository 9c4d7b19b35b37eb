"""Levels of arrays, and the lowest ceiling."""

from __future__ import annotations

import pytest

from apps.analysis.bottleneck.array_overhead import ArrayOverhead, Metric
from apps.analysis.bottleneck.components import BottleneckResult, Component


@pytest.mark.parametrize(
    ("level", "metric", "writes", "share"),
    [
        (ArrayOverhead(), "iops", True, 1.0),
        (ArrayOverhead("raid5"), "iops", False, 1.0),
        (ArrayOverhead("raid5"), "iops", True, 1 / 4),
        (ArrayOverhead("raid6"), "iops", True, 1 / 6),
        (ArrayOverhead("raid10"), "iops", True, 1 / 2),
        # Whole stripes: of eight disks one or two hold parity.
        (ArrayOverhead("raid5"), "bandwidth", True, 7 / 8),
        (ArrayOverhead("raid6"), "bandwidth", True, 6 / 8),
        (ArrayOverhead("raid10"), "bandwidth", True, 1 / 2),
        (ArrayOverhead("replicated", 1, 3), "bandwidth", True, 1 / 3),
        (ArrayOverhead("replicated", 1, 3), "iops", False, 1.0),
        (ArrayOverhead("erasure", 4, 6), "bandwidth", True, 4 / 6),
        (ArrayOverhead("erasure", 4, 6), "iops", True, 1 / 6),
    ],
)
def test_a_level_leaves_its_share(
    level: ArrayOverhead, metric: Metric, writes: bool, share: float
) -> None:
    assert level.share(metric, writes=writes, disks=8) == pytest.approx(share)


def reached(value: float, *, network: float | None = None, level: str = "none") -> BottleneckResult:
    disks = [Component(f"sd{n}", 100.0) for n in "abcd"]
    networks = [Component("node1", network)] if network is not None else []
    return BottleneckResult(
        "t", 1, "write", "iops", value, True, ArrayOverhead(level), disks, networks
    )


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
    disks = [Component("sda", 100.0), Component("sdb")]
    one = BottleneckResult("t", 1, "read", "iops", 150, False, ArrayOverhead(), disks)
    assert (one.disks_sum, one.ceiling, one.bottleneck) == (None, None, "")
    assert one.missing == ["sdb"]
