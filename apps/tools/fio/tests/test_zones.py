"""Zoned disks: what fio is asked there, and what is refused on which disk."""

from __future__ import annotations

from typing import Any

import pytest

from apps.tools.errors import ParamsError
from apps.tools.fio.command import build_procedure
from apps.tools.fio.params import FioParams
from apps.tools.targets import ToolTarget

POOL = {"ioengine": "rbd"}


def disk(zoned: str) -> ToolTarget:
    return ToolTarget("disk", "wwn:1", 1 << 40, zoned=zoned)


def argv(target: ToolTarget, **raw: Any) -> tuple[str, ...]:
    return build_procedure(FioParams.from_raw(raw), target).commands[-1].argv


@pytest.mark.parametrize("zoned", ["host-managed", "host-aware", ""])
def test_a_zoned_disk_is_written_in_its_zones(zoned: str) -> None:
    asked = argv(disk(zoned), rw="randwrite", zonemode="zbd", max_open_zones=8)
    assert {"--zonemode=zbd", "--max_open_zones=8", "--direct=1"} <= set(asked)


@pytest.mark.parametrize(
    ("target", "raw", "name", "said"),
    [
        (disk("none"), {"zonemode": "zbd"}, "zonemode", "has no zones"),
        (ToolTarget("directory", "/s"), {"zonemode": "zbd"}, "zonemode", "those of a disk"),
        (ToolTarget("pool", "p"), {"zonemode": "zbd", **POOL}, "zonemode", "those of a disk"),
        (disk("host-managed"), {"rw": "randwrite"}, "zonemode", "write pointers"),
        (
            disk("host-managed"),
            {"rw": "write", "zonemode": "strided", "zonesize": "1M"},
            "zonemode",
            "write pointers",
        ),
    ],
)
def test_what_does_not_go_with_the_disk_is_refused(
    target: ToolTarget, raw: dict[str, Any], name: str, said: str
) -> None:
    with pytest.raises(ParamsError) as refused:
        argv(target, **raw)
    assert said in refused.value.errors[name]


@pytest.mark.parametrize("zoned", ["none", "", "host-aware", "host-managed"])
def test_any_disk_can_be_read(zoned: str) -> None:
    assert "--zonemode=zbd" not in argv(disk(zoned), rw="randread")


def test_a_disk_without_zones_takes_writes() -> None:
    assert argv(disk("none"), rw="randwrite")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"zonemode": "strided"}, "zonesize"),
        ({"zonemode": "zbd", "rw": "write", "direct": False}, "direct"),
    ],
)
def test_what_fio_itself_would_refuse(raw: dict[str, Any], name: str) -> None:
    with pytest.raises(ParamsError) as refused:
        FioParams.from_raw(raw)
    assert list(refused.value.errors) == [name]
