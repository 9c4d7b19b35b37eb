"""The owner's file of limits and stop file, obeyed before benchlab by all that starts something."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.jobs.runner import CHECK_SECONDS
from apps.remote.agent.limits import rules
from apps.remote.agent.limits.document import Hours
from apps.remote.agent.limits.guard import GRACE_SECONDS
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.owner import Write, folder, guarded, refusal, write

__all__ = ["folder", "guarded", "write"]

pytestmark = pytest.mark.needs_root


def target(loop: Loop, *, write: bool = True) -> dict[str, Any]:
    return {"kind": "disk", "identity": loop.identity, "size": None, "write": write}


def test_tools_are_those_of_the_owner(guarded: Client, write: Write) -> None:
    write({"tools": ["tr*", "sleep"], "note": "Ask the storage team."})
    assert guarded.run(["true"], ["/bin/true"], ["@drop-caches"])["state"] == "done"
    assert refusal(guarded, ["true"], ["/usr/bin/id"]).endswith(
        "do not include id. Ask the storage team."
    )
    assert "do not include discard" in refusal(guarded, ["@discard"])
    assert "do not include fio" in guarded.ask("install", package="fio")["message"]


def test_disks_are_those_of_the_owner(
    guarded: Client, write: Write, make_loop: Callable[..., Loop], tmp_path: Path
) -> None:
    allowed, other = make_loop("allowed"), make_loop("other")
    write({"disks": [allowed.identity]})
    assert guarded.run(["true"], target=target(allowed))["state"] == "done"
    assert "none of the disks" in refusal(guarded, target=target(other))
    assert "none of the disks" in refusal(guarded, target=target(other, write=False))
    shown = guarded.good("facts")["facts"]["owner_limits"]["allowed_disks"]
    assert shown == [allowed.identity]
    place = tmp_path / "scratch"
    place.mkdir()
    directory = {"kind": "directory", "path": str(place), "needs": 0, "write": True}
    assert "Owner: " in refusal(guarded, target=directory)
    assert not (place / "benchlab").exists()


def test_settings_are_those_of_the_owner(guarded: Client, write: Write) -> None:
    write({"settings": ["queue/*"]})
    setting = {"kind": "sysctl", "identity": "", "name": "vm.swappiness", "value": "7"}
    before = Path("/proc/sys/vm/swappiness").read_text()
    assert "do not include sysctl/vm.swappiness" in refusal(guarded, tuning=[setting])
    assert Path("/proc/sys/vm/swappiness").read_text() == before
    wanted = {
        "kind": "osd_out", "command": 0, "osd": 1, "fsid": "5a10368a-fb6c-40b0-9456-dccb03cde605",
    }  # fmt: skip
    assert "do not include disturbance/osd_out" in refusal(guarded, disturbance=wanted)


def test_a_job_ends_at_the_owners_seconds(guarded: Client, write: Write) -> None:
    write({"seconds": 0.5})
    done = guarded.run(["sleep", "60"], ["echo", "never"], deadline=30)
    assert done["exit"]["owner_limit"] == "Owner: a test may run for 0.5 s at most."
    assert done["exit"]["ran"] == [0]
    assert not done["exit"]["timed_out"]


@pytest.mark.parametrize(
    ("begin", "end", "minute", "expected"),
    [
        (60, 120, 59, False),
        (60, 120, 60, True),
        (60, 120, 120, False),
        (1320, 360, 1319, False),
        (1320, 360, 1439, True),
        (1320, 360, 0, True),
        (1320, 360, 360, False),
    ],
)
def test_hours_pass_midnight(begin: int, end: int, minute: int, expected: bool) -> None:
    day = 1_700_006_400  # 2023-11-15 00:00 UTC
    assert rules.is_open(Hours(begin, end, "UTC"), day + minute * 60) is expected
    shifted = day + minute * 60 - 8 * 3600
    assert rules.is_open(Hours(begin, end, "Asia/Shanghai"), shifted) is expected


def test_outside_the_hours_nothing_starts(guarded: Client, write: Write) -> None:
    now = time.gmtime(time.time() + 7200)
    later = time.gmtime(time.time() + 10_800)
    window = {"from": f"{now.tm_hour:02}:00", "to": f"{later.tm_hour:02}:00", "zone": "UTC"}
    write({"hours": window})
    assert "Owner: tests run from" in refusal(guarded)
    write({"hours": {**window, "from": window["to"], "to": window["from"]}})
    assert guarded.run(["true"])["state"] == "done"


def test_bytes_a_day_count_over_several_jobs(
    guarded: Client, write: Write, loop: Loop, base: Path
) -> None:
    write({"bytes_a_day": 20 << 20})
    argv = ["dd", "if=/dev/zero", f"of={loop.node}", "bs=1M", "count=8", "oflag=direct"]
    for _time in range(2):
        assert (
            guarded.run(argv, target=target(loop) | {"allow_signatures": True})["exit"][
                "owner_limit"
            ]
            == ""
        )
    (rows,) = json.loads((base / "written.json").read_text()).values()
    assert sum(rows.values()) == 16 << 20
    endless = [
        "sh",
        "-c",
        f"while dd if=/dev/zero of={loop.node} bs=1M count=8 oflag=direct; do :; done",
    ]
    done = guarded.run(endless, target=target(loop) | {"allow_signatures": True}, deadline=30)
    assert "may write 20971520 bytes a day" in done["exit"]["owner_limit"]
    again = refusal(guarded, argv, target=target(loop) | {"allow_signatures": True})
    assert "may write 20971520 bytes a day" in again
    assert guarded.run(["true"], target=target(loop, write=False))["state"] == "done"


def test_writes_that_cannot_be_counted_are_refused(guarded: Client, write: Write) -> None:
    write({"bytes_a_day": 1 << 30})
    spec = {
        "attempt": "fills",
        "commands": [{"role": "main", "argv": ["true"], "fills": "rbd"}],
    }
    guarded.good("launch", spec=spec)
    done = guarded.good("wait", attempt="fills")
    assert "writes to rbd cannot be counted" in done["refused"]["reasons"][0]


def test_the_stop_file_ends_a_stubborn_tool_soon_and_restores(
    guarded: Client, folder: Path, write: Write, loop: Loop
) -> None:
    write({"note": "Ask Li."})
    scheduler = Path(f"/sys/block/{Path(loop.node).name}/queue/read_ahead_kb")
    before = scheduler.read_text()
    setting = {
        "kind": "queue",
        "identity": loop.identity,
        "name": "read_ahead_kb",
        "value": "64",
    }
    stubborn = ["sh", "-c", "trap '' TERM INT; while :; do sleep 0.1; done"]
    attempt = guarded.start(stubborn, ["echo", "never"], target=target(loop), tuning=[setting])
    until(lambda: guarded.good("status", attempt=attempt)["phase"] == "running")
    assert scheduler.read_text() != before
    began = time.monotonic()
    (folder / "stop").touch()
    done = guarded.good("wait", attempt=attempt)
    # A busy machine adds to the second; without the owner's grace KILL comes after ten seconds.
    assert CHECK_SECONDS + 2 * GRACE_SECONDS < 1.5
    assert time.monotonic() - began < 9.5
    assert "stops all tests on this host. Ask Li." in done["exit"]["owner_limit"]
    assert done["exit"]["ran"] == [0]
    assert scheduler.read_text() == before
    assert "stops all tests" in refusal(guarded)
    assert guarded.ask("install", package="fio")["error"] == "refused"
    assert guarded.good("facts")["facts"]["owner_limits"]["is_stopped"] is True
    (folder / "stop").unlink()
    assert guarded.run(["true"])["state"] == "done"


def test_the_stop_file_ends_a_job_that_settles(guarded: Client, folder: Path, gate: Gate) -> None:
    attempt = guarded.start(["true"], settle=60.0)
    until(lambda: guarded.good("status", attempt=attempt)["phase"] == "settling")
    (folder / "stop").symlink_to("nowhere")
    done = guarded.good("wait", attempt=attempt)
    assert done["state"] == "refused"
    assert "stops all tests" in done["refused"]["reasons"][0]


def test_what_removes_the_jobs_own_things_still_runs(guarded: Client, folder: Path) -> None:
    spec = {
        "attempt": "always",
        "commands": [
            {"role": "main", "argv": ["sleep", "60"]},
            {"role": "cleanup", "argv": ["echo", "removed"], "always": True, "seconds": 5},
        ],
    }
    guarded.good("launch", spec=spec)
    until(lambda: guarded.good("status", attempt="always")["phase"] == "running")
    (folder / "stop").touch()
    done = guarded.good("wait", attempt="always")
    assert done["exit"]["ran"] == [0, 1]
    assert guarded.read("always", "stdout") == b"removed\n"
