"""Advice of the tools on tests whose measurement would mislead."""

from __future__ import annotations

import pytest

from apps.tools.advice import TestedTarget
from apps.tools.registry import TOOLS
from apps.tools.values import RawValue

GIB = 1024**3
DISK = TestedTarget("disk", size_bytes=4000 * GIB, memory_bytes=64 * GIB, is_rotational=False)
DIRECTORY = TestedTarget("directory", memory_bytes=64 * GIB)
PAIR = TestedTarget("pair", link_bits_per_second=10e9)
SLOW_PAIR = TestedTarget("pair", link_bits_per_second=1e9)
POOL = TestedTarget("pool")
GOOD = {"size": None, "runtime": 300, "ramp_time": 10}


def advised(tool: str, target: TestedTarget, **raw: object) -> dict[str, RawValue | None]:
    """Return the advised values by parameter."""
    plugin = TOOLS[tool]
    assert plugin.params is not None
    return {one.name: one.value for one in plugin.advice(plugin.params.from_raw(raw), target)}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({}, {}),
        ({"direct": False}, {"direct": True}),
        ({"direct": False, "ioengine": "psync", "iodepth": 1}, {"direct": True}),
        ({"size": "1G"}, {"size": None}),
        ({"size": "1G", "rw": "write"}, {"size": None}),
        ({"size": "100G", "rw": "write"}, {}),
        ({"size": "3000G"}, {}),
        ({"ramp_time": 0}, {"ramp_time": 10}),
        ({"runtime": 10, "ramp_time": 0}, {"runtime": 60}),
        ({"time_based": False, "runtime": 0, "ramp_time": 0}, {}),
    ],
)
def test_fio_on_a_disk(raw: dict[str, object], expected: dict[str, object]) -> None:
    assert advised("fio", DISK, **{**GOOD, **raw}) == expected


def test_fio_in_a_directory_has_no_advice_on_its_size() -> None:
    assert advised("fio", DIRECTORY, **{**GOOD, "size": "1G"}) == {}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"seconds": 10, "operations": "write"}, {"seconds": 60}),
        ({"seconds": 60}, {"write_seconds": 180}),
        ({"seconds": 60, "write_seconds": 180}, {}),
        ({"seconds": 60, "operations": "seq", "stored": "a"}, {}),
    ],
)
def test_rados_bench(raw: dict[str, object], expected: dict[str, object]) -> None:
    assert advised("rados", POOL, **raw) == expected


def test_iperf_with_one_stream_on_a_fast_card() -> None:
    assert advised("iperf", PAIR) == {"streams": 4, "omit": 3}
    assert advised("iperf", SLOW_PAIR) == {"omit": 3}
    assert advised("iperf", PAIR, streams=4, omit=3) == {}
    assert advised("iperf", PAIR, protocol="udp", rate=100) == {}


def test_iozone_with_files_smaller_than_the_memory() -> None:
    assert advised("iozone", DIRECTORY, file_size="4G") == {"direct": True}
    assert advised("iozone", DIRECTORY, file_size="128G") == {}
    assert advised("iozone", TestedTarget("directory"), file_size="4G") == {}


def test_dd_without_direct_and_without_a_flush() -> None:
    assert advised("dd", DISK, direct=False) == {"direct": True}
    assert advised("dd", DISK, direct=False, fdatasync=True) == {}
