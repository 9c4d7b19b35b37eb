"""The timeline of a disturbance acts at the right samples; those of `osd out` are recorded.

The recording is of Debian's Ceph 16.2: three OSDs, 600 objects of 64 KiB, two copies, a recovery
sleep of 0.1 s, `ceph osd out 1` at second 0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.disturbance.cluster_state import (
    is_clean,
    is_moving,
    parse_status,
    recovered_bytes,
)
from apps.remote.agent.disturbance.request import validate_disturbance
from apps.remote.agent.disturbance.scrub import all_scrubbed_since
from apps.remote.agent.disturbance.timeline import Timeline
from apps.remote.agent.errors import RequestError
from apps.remote.agent.schema import ClusterSample

RECORDED = Path(__file__).parent / "samples" / "ceph-status-osd-out.jsonl"
FSID = "5a10368a-fb6c-40b0-9456-dccb03cde605"


def request(**more: Any) -> dict[str, Any]:
    return {
        "kind": "osd_out", "command": 0, "fsid": FSID, "osd": 1, "pool": "p", "before": 3,
        "down": 4, "after": 5, "timeout": 600, **more,
    }  # fmt: skip


def timeline(**more: Any) -> Timeline:
    wanted = validate_disturbance(request(**more), 1)
    assert wanted
    return Timeline(wanted, lambda: False)


def recorded() -> list[ClusterSample]:
    lines = RECORDED.read_text().splitlines()
    return [parse_status(json.loads(line)["status"]) for line in lines]


def sample(states: str = "active+clean", **more: int) -> ClusterSample:
    rows = [{"state_name": state, "count": 8} for state in states.split(" ")]
    return parse_status({"pgmap": {"pgs_by_state": rows, **more}})


CLEAN = sample()
BUSY = sample("active+clean active+recovering", misplaced_objects=4)


def acts(line: Timeline, samples: list[ClusterSample]) -> list[tuple[int, str]]:
    """The acts that are due at each second, carried out at once."""
    result = []
    for second, one in enumerate(samples):
        act = line.step(float(second), one)
        if act:
            result.append((second, act))
            line.done(act, float(second))
        if act in ("done", "abort"):
            break
    return result


def test_osd_out_with_recorded_recovery() -> None:
    """The recovery is seen two seconds late; its rate lasts beyond its end and does not count."""
    line = timeline()
    first = recorded()
    assert is_clean(first[-1])
    assert first[-1]["recovery_bytes"] > 0
    samples = [CLEAN] * 3 + first + [CLEAN] * 8 + first + [CLEAN] * 10
    result = acts(line, samples)
    clean = line.marks["clean"]
    assert clean == 3 + len(first) - 1
    assert result == [
        (3, "disturb"),
        (clean + 5, "restore"),
        (line.marks["returned"] + 5, "done"),
    ]
    assert list(line.marks) == ["disturbed", "clean", "restored", "returned"]
    assert not line.unseen


def test_osd_stop_is_down_for_its_time() -> None:
    line = timeline(kind="osd_stop")
    degraded = sample("active+undersized+degraded", degraded_objects=9)
    samples = [CLEAN] * 4 + [degraded] * 4 + [BUSY] * 3 + [CLEAN] * 12
    assert acts(line, samples) == [(3, "disturb"), (7, "restore"), (16, "done")]
    assert line.marks == {"disturbed": 3.0, "restored": 7.0, "clean": 11.0}


def test_deep_scrub_ends_when_all_are_scrubbed() -> None:
    scrubbed = iter([False, False, True])
    wanted = validate_disturbance(request(kind="deep_scrub"), 1)
    assert wanted
    line = Timeline(wanted, lambda: next(scrubbed))
    scrubbing = sample("active+clean+scrubbing+deep")
    assert acts(line, [CLEAN] * 4 + [scrubbing] * 20) == [(3, "disturb"), (11, "done")]
    assert line.marks["clean"] == 6.0
    stamps = {"1.0": "2026-11-28T12:16:29", "1.1": "2026-11-28T12:16:30"}
    assert not all_scrubbed_since(stamps, {**stamps, "1.0": "2026-11-28T12:17:00"})
    assert all_scrubbed_since(stamps, dict.fromkeys(stamps, "2026-11-28T12:17:00"))
    assert not all_scrubbed_since({}, {})


def test_recovery_that_no_sample_sees_is_marked() -> None:
    line = timeline(after=0)
    acts(line, [CLEAN] * 60)
    assert line.unseen
    assert line.marks["clean"] == 4.0


@pytest.mark.parametrize(
    ("states", "seconds"),
    [
        ("down", 1),
        ("active+clean incomplete", 1),
        ("peering", 17),
        ("active+clean activating+degraded", 17),
        ("unknown", 17),
        ("active+clean stale+active+clean", None),
        ("active+undersized+degraded", None),
    ],
)
def test_inactive_placement_groups_end_it(states: str, seconds: int | None) -> None:
    """At once where they will not become active; others pass while the map changes."""
    line = timeline()
    bad = [sample(states, degraded_objects=3)] * 40
    result = acts(line, [CLEAN] * 4 + bad)
    begun = [(3, "disturb")]
    if seconds is None:
        assert result == begun
    else:
        assert result == [*begun, (3 + seconds, "abort")]
        assert states.split(" ")[-1] in line.reason


def test_cluster_that_does_not_become_clean_ends_it() -> None:
    line = timeline(timeout=30)
    assert acts(line, [CLEAN] * 4 + [BUSY] * 60) == [(3, "disturb"), (34, "abort")]
    assert line.reason == "not clean 31 seconds after the disturbance"


def test_states_of_a_cluster() -> None:
    assert is_clean(sample("active+clean active+clean+scrubbing+deep"))
    assert not is_clean(sample("active+clean+remapped"))
    assert not is_clean(sample("active+clean", misplaced_objects=1))
    assert not is_clean(parse_status({}))
    assert is_moving(BUSY)
    assert not is_moving(sample("active+recovery_wait+degraded"))
    total = {"stat_sum": {"num_bytes_recovered": 327680}}
    assert recovered_bytes({"pg_map": {"pg_stats_sum": total}}) == 327680
    assert recovered_bytes({"pg_stats_sum": total}) == 327680


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "osd_purge"},
        {"fsid": ""},
        {"fsid": "$(reboot)"},
        {"osd": None},
        {"osd": -1},
        {"osd": True},
        {"command": 1},
        {"before": -1},
        {"timeout": "9"},
        {"stop": "reboot"},
        {"kind": "deep_scrub", "pool": "--help"},
    ],
)
def test_invalid_disturbance_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        validate_disturbance(request(**wrong), 1)
