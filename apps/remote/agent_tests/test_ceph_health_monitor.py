"""A job that watches its Ceph cluster: what was said is in its folder, and nobody outlives it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import alive, until

WARNING = {
    "status": "HEALTH_WARN",
    "checks": {
        "OSD_NEARFULL": {"severity": "HEALTH_WARN", "summary": {"message": "1 nearfull osd(s)"}}
    },
}
POOL_FULL = {
    "status": "HEALTH_WARN",
    "checks": {
        "POOL_FULL": {
            "severity": "HEALTH_WARN",
            "summary": {"message": "1 pool(s) full"},
            "detail": [{"message": "pool 'it's ours' is full (running out of quota)"}],
        }
    },
}
Watched = Callable[..., tuple[Client, str]]


@pytest.fixture
def watched(base: Path, tmp_path: Path) -> Iterator[Watched]:
    """Launch `sh -c SCRIPT` with a cluster whose `ceph` is this other script."""
    tools = tmp_path / "tools"
    tools.mkdir()
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:

        def launch(ceph: str, script: str, **more: Any) -> tuple[Client, str]:
            (tools / "ceph").write_text(f"#!/bin/sh\n{ceph}\n")
            (tools / "ceph").chmod(0o755)
            attempt = str(uuid.uuid4())
            command = {"argv": ["sh", "-c", script], **more}
            spec = {"attempt": attempt, "commands": [command, {"argv": ["true"]}], "ceph": True}
            assert client.good("launch", spec=spec)["launched"]
            return client, attempt

        yield launch


def log_of(client: Client, attempt: str) -> list[Message]:
    raw = client.read(attempt, "ceph-health.log")
    return [json.loads(line) for line in raw.splitlines()]


def test_monitor_with_health_changes_logs_each(watched: Watched, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    client, attempt = watched(
        f"echo '{json.dumps(WARNING)}'; echo \"$*\" > {asked}",
        f"while [ ! -s {asked} ]; do sleep 0.05; done; sleep 0.3",
    )
    status = client.good("wait", attempt=attempt)
    assert status["state"] == "done", status
    assert asked.read_text() == "--connect-timeout 5 health detail --format json\n"
    (entry,) = log_of(client, attempt)
    assert entry["monotonic"] <= status["exit"]["started"]["monotonic"] + 0.5
    assert (entry["status"], entry["error"]) == ("HEALTH_WARN", "")
    assert entry["checks"] == {"OSD_NEARFULL": "1 nearfull osd(s)"}


def test_a_cluster_that_does_not_answer_holds_up_nobody(watched: Watched, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    client, attempt = watched(
        f"echo $$ > {asked}; exec sleep 1000",
        f"while [ ! -s {asked} ]; do sleep 0.05; done",
    )
    assert client.good("wait", attempt=attempt)["state"] == "done"
    pid = int(asked.read_text())
    until(lambda: not alive(pid))


def test_cluster_with_refused_login_reports_error(watched: Watched, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    client, attempt = watched(
        f"echo 'error connecting to the cluster' >&2; echo x > {asked}; exit 1",
        f"while [ ! -s {asked} ]; do sleep 0.05; done; sleep 0.3",
    )
    assert client.good("wait", attempt=attempt)["state"] == "done"
    (entry,) = log_of(client, attempt)
    assert entry["error"].endswith(": error connecting to the cluster")


def test_who_writes_to_a_full_pool_is_ended(watched: Watched) -> None:
    said = json.dumps(POOL_FULL).replace("'", "'\\''")
    client, attempt = watched(f"echo '{said}'", "sleep 1000", fills="it's ours")
    status = client.good("wait", attempt=attempt)
    exit_ = status["exit"]
    assert (exit_["pool_full"], exit_["timed_out"], exit_["cancelled"]) == (True, False, False)
    assert (exit_["ran"], exit_["signals"]) == ([0], ["SIGTERM"])
    assert log_of(client, attempt)[0]["full"] == ["it's ours"]


@pytest.mark.parametrize("fills", ["", "ours"])
def test_who_reads_or_writes_to_another_pool_goes_on(
    watched: Watched, tmp_path: Path, fills: str
) -> None:
    asked = tmp_path / "asked"
    said = json.dumps(POOL_FULL).replace("'", "'\\''")
    script = f"while [ ! -s {asked} ]; do sleep 0.05; done; sleep 1.2"
    client, attempt = watched(f"echo '{said}'; echo x > {asked}", script, fills=fills)
    exit_ = client.good("wait", attempt=attempt)["exit"]
    assert (exit_["pool_full"], exit_["codes"]) == (False, [0, 0])
    assert log_of(client, attempt)[0]["full"] == ["it's ours"]
