"""The cluster's health over time: what explains a failure, and what appeared during a test.

The sentences are those of a cluster of Ceph 16.2.15 whose full ratio was set below what it held.
"""

from __future__ import annotations

import json

from apps.tools.devices.ceph_health import Health, appeared, read_log, worst

GOOD = {"monotonic": 10.0, "status": "HEALTH_OK", "checks": {}, "error": ""}
NEAR = GOOD | {
    "monotonic": 20.0,
    "status": "HEALTH_WARN",
    "checks": {"OSD_NEARFULL": "3 nearfull osd(s)", "POOL_NEARFULL": "1 pool(s) nearfull"},
}
FULL = GOOD | {
    "monotonic": 30.0,
    "status": "HEALTH_ERR",
    "checks": {"OSD_FULL": "3 full osd(s)", "POOL_FULL": "1 pool(s) full"},
}
SILENT = GOOD | {"monotonic": 40.0, "status": None, "error": "no answer within 15 seconds."}


def log(*entries: object) -> list[Health]:
    return read_log(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))


def test_a_full_cluster_explains_more_than_a_later_warning() -> None:
    found = worst(log(GOOD, FULL, NEAR | {"monotonic": 50.0}))
    assert found is not None
    assert found.stops
    assert found.sentence() == "HEALTH_ERR: 3 full osd(s); 1 pool(s) full"


def test_warning_is_the_worst_health_but_does_not_stop() -> None:
    found = worst(log(GOOD, NEAR))
    assert found is not None
    assert not found.stops


def test_slow_operations_stop() -> None:
    slow = NEAR | {"checks": {"SLOW_OPS": "4 slow ops, oldest one blocked for 33 sec, osd.1"}}
    assert log(slow)[0].stops


def test_silence_stops() -> None:
    found = worst(log(GOOD, SILENT))
    assert found is not None
    assert found.sentence() == "no answer (no answer within 15 seconds.)"


def test_a_healthy_cluster_explains_nothing() -> None:
    assert worst(log(GOOD)) is None


def test_only_what_is_new_appeared() -> None:
    (fresh,) = appeared(log(NEAR | {"monotonic": 1.0}, NEAR, FULL), begin=5.0, end=35.0)
    assert fresh.checks == (("OSD_FULL", "3 full osd(s)"), ("POOL_FULL", "1 pool(s) full"))
    assert appeared(log(GOOD, FULL), begin=5.0, end=25.0) == []


def test_an_odd_log_is_no_error() -> None:
    assert read_log(b'nonsense\n[1]\n{"monotonic": "x", "checks": {}}\n{"checks"') == []
    assert read_log(b"[" * 100_000 + b"\n") == []
