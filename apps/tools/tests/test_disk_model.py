"""Random operations of a spinning disk, by its times, the depth and the address space."""

from __future__ import annotations

import pytest

from apps.tools.devices.disk_model import random_iops


def test_one_operation_alone() -> None:
    assert random_iops(7, 3, 0.8) == pytest.approx(92.59, abs=0.01)
    with pytest.raises(ValueError, match="some time"):
        random_iops(0, 0)


def test_depth_shortens_the_seek_and_not_the_rotation() -> None:
    # 11 in flight lie 1/12 of the way apart, a quarter of 1/3: half the seek.
    assert random_iops(7, 3, 0.8, depth=11) == pytest.approx(1000 / (3.5 + 3.8))
    assert random_iops(7, 3, 0.8, depth=2) == random_iops(7, 3, 0.8)
    assert random_iops(7, 3, 0.8, depth=10**9) == pytest.approx(1000 / 3.8, rel=1e-3)


def test_a_quarter_of_the_disk_is_half_the_seek() -> None:
    assert random_iops(7, 3, 0.8, share=0.25) == pytest.approx(1000 / (3.5 + 3.8))
    assert random_iops(7, 3, 0.8, share=7.0) == random_iops(7, 3, 0.8)
