"""Settings come back whoever is killed: by `recover`, by the keeper alone, never during a
measurement.
"""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, until
from apps.remote.agent_tests.processes import named, running, supervisor

pytestmark = pytest.mark.needs_root


def started(client: Client, loop: Loop, *argv: str, lease: float = 600.0) -> str:
    """A running job with two settings on loan."""
    tuning = [loop.want("scheduler", "kyber"), loop.want("rq_affinity", 2)]
    attempt = client.start(list(argv), tuning=tuning, lease=lease, target=loop.target())
    running(client, attempt)
    return attempt


def journal_of(client: Client, attempt: str) -> dict[str, object]:
    """The journal now."""
    record: dict[str, object] = client.good("status", attempt=attempt)["journal"]
    return record


def test_restore_settings_after_killed_supervisor_restores(
    client: Client, loop: Loop, gate: Gate
) -> None:
    before = loop.settings()
    attempt = started(client, loop, *gate.argv)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    early = client.good("restore_settings", attempts=[attempt])
    assert (early["busy"], early["restored"]) == ([attempt], [])
    assert loop.setting("scheduler") == "kyber"
    gate.open()
    assert client.good("wait", attempt=attempt)["state"] == "lost"
    assert client.ask("delete_job", attempt=attempt)["error"] == "busy"
    answer = client.good("restore_settings", attempts=[attempt])
    assert {entry["name"] for entry in answer["restored"]} >= {"scheduler", "rq_affinity"}
    assert (answer["conflicts"], answer["failed"]) == ([], [])
    assert loop.settings() == before
    assert journal_of(client, attempt)["state"] == "closed"
    assert client.good("restore_settings", attempts=[])["restored"] == []
    client.good("delete_job", attempt=attempt)


def test_the_keeper_alone_restores_after_the_lease(client: Client, loop: Loop, gate: Gate) -> None:
    before = loop.settings()
    attempt = started(client, loop, *gate.argv, lease=1.0)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    client.close()
    # The lease ends, but the tool still measures: nothing may be touched.
    time.sleep(1.5)
    assert named(attempt)
    assert loop.setting("scheduler") == "kyber"
    gate.open()
    until(lambda: loop.settings() == before)
    assert not named(attempt)


def test_renewed_lease_delays_restoring(client: Client, loop: Loop, gate: Gate) -> None:
    before = loop.settings()
    attempt = started(client, loop, *gate.argv, lease=3.0)
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    gate.open()
    client.good("wait", attempt=attempt)
    end = time.monotonic() + 3.5
    while time.monotonic() < end:
        client.good("status", attempt=attempt, renew=True)
        assert loop.setting("scheduler") == "kyber"
        time.sleep(0.3)
    until(lambda: loop.settings() == before)


def test_cancel_after_the_supervisor_was_killed_gives_back(client: Client, loop: Loop) -> None:
    before = loop.settings()
    attempt = started(client, loop, "sleep", "60")
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    assert client.good("cancel", attempt=attempt, grace=0.2)["survivors"] == []
    assert loop.settings() == before


def test_a_crash_between_two_settings_is_recovered(client: Client, loop: Loop) -> None:
    """The journal of a supervisor that died in the middle: one applied, one half, one untouched."""
    before = loop.settings()
    attempt = started(client, loop, "sleep", "0.5")
    client.good("wait", attempt=attempt)
    path = client.base / "jobs" / attempt / "tuning-journal.json"
    record = json.loads(path.read_text())
    record["state"] = "open"
    steps = {"scheduler": "applied", "max_sectors_kb": "planned", "rq_affinity": "pending"}
    for entry in record["settings"]:
        entry["step"] = steps.get(entry["name"], "planned")
        entry["last_value"] = "kyber" if entry["name"] == "scheduler" else entry["original"]
    path.write_text(json.dumps(record))
    loop.set("scheduler", "kyber")
    loop.set("rq_affinity", "0")  # neither old nor new: written, but not yet read back
    answer = client.good("restore_settings", attempts=[attempt])
    assert (answer["conflicts"], answer["failed"]) == ([], [])
    assert loop.settings() == before


def test_value_set_by_another_process_is_a_conflict(client: Client, loop: Loop) -> None:
    attempt = started(client, loop, "sleep", "0.5")
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    client.good("wait", attempt=attempt)
    loop.set("rq_affinity", "0")
    answer = client.good("restore_settings", attempts=[attempt])
    (conflict,) = answer["conflicts"]
    assert (conflict["name"], conflict["actual"], conflict["attempt"]) == (
        "rq_affinity",
        "0",
        attempt,
    )
    assert (loop.setting("rq_affinity"), loop.setting("scheduler")) == ("0", "none")
    loop.set("rq_affinity", "1")


def test_journal_of_another_boot_is_closed_without_writes(client: Client, loop: Loop) -> None:
    attempt = started(client, loop, "sleep", "0.5")
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    client.good("wait", attempt=attempt)
    path = client.base / "jobs" / attempt / "tuning-journal.json"
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "boot_id": "an-earlier-boot"}))
    answer = client.good("restore_settings", attempts=[attempt])
    assert answer["restored"] == []
    assert journal_of(client, attempt)["closed_because"] == "reset by reboot"
    assert loop.setting("scheduler") == "kyber"
    loop.set("scheduler", "none")
    loop.set("rq_affinity", "1")


def test_a_disk_that_is_gone_needs_nothing_back(client: Client, loop: Loop) -> None:
    attempt = started(client, loop, "sleep", "0.5")
    os.kill(supervisor(client, attempt), signal.SIGKILL)
    client.good("wait", attempt=attempt)
    loop.set("scheduler", "none")
    loop.set("rq_affinity", "1")
    loop.detach()
    answer = client.good("restore_settings", attempts=[attempt])
    assert answer["failed"] == []
    assert journal_of(client, attempt)["state"] == "closed"


@pytest.mark.parametrize("moment", [0.0, 0.01, 0.02, 0.03, 0.05, 0.08])
def test_supervisor_killed_at_random_times_leaves_nothing_tuned(
    client: Client, loop: Loop, moment: float
) -> None:
    before = loop.settings()
    tuning = [loop.want(*pair) for pair in (("scheduler", "bfq"), ("rq_affinity", 2))]
    attempt = client.start(["sleep", "0.05"], tuning=tuning)
    boss = supervisor(client, attempt)
    time.sleep(moment)
    try:
        os.kill(boss, signal.SIGKILL)
    except ProcessLookupError:
        assert client.good("status", attempt=attempt)["state"] == "done"
    client.good("wait", attempt=attempt)
    client.good("restore_settings", attempts=[attempt])
    assert loop.settings() == before
