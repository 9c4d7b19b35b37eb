"""Settings that restart daemons pass from one job to the next, and to nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent.processes.job_folder import Job
from apps.remote.agent.tuning.journal import open_lines
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.test_ceph_conf import RESTARTED, SHARDS, Daemons, want
from tests.harness.ceph import Cluster

KEY = "run-1"


def real(test: Callable[..., None]) -> Callable[..., None]:
    """A test with the harness's cluster."""
    marks = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.xdist_group("ceph")]
    for mark in [*marks, pytest.mark.timeout(1000)]:
        test = mark(test)
    return test


@pytest.fixture
def member(base: Path, ceph_cluster: Cluster) -> Iterator[Client]:
    """A session on a host that runs the cluster's OSDs."""
    with Client(base, {"HOME": str(ceph_cluster.home)}) as session:
        yield session


@pytest.fixture
def daemons(ceph_cluster: Cluster) -> Iterator[Daemons]:
    found = Daemons(ceph_cluster)
    try:
        yield found
    finally:
        found.stop()


class Jobs:
    """Jobs that hold an option of OSD 0, and the processes of the OSD that they saw."""

    def __init__(self, daemons: Daemons, member: Client) -> None:
        self.daemons, self.member = daemons, member
        self.pids = [daemons.pid]

    def carried(self, key: str = KEY, **more: Any) -> str:
        """Hold the option in a job that is ended with its settings left for the next one."""
        attempt = self.started(key, **more)
        self.end(attempt, carry=True)
        return attempt

    def started(self, key: str = KEY, value: int = 4, **more: Any) -> str:
        tuning = [want(SHARDS, value, restart=self.daemons.restart)]
        spec = {"tuning": tuning, "lease": 600.0, "carry": key} | more
        attempt = self.member.start(["sleep", "600"], **spec)
        self.daemons.began(self.member, attempt)
        self.note()
        return attempt

    def end(self, attempt: str, *, carry: bool = False) -> Message:
        status = self.member.good("cancel", attempt=attempt, grace=1.0, carry=carry)
        assert status["state"] == "done", status
        assert status["exit"]["cancelled"]
        self.note()
        return status

    def note(self) -> None:
        """Note the present process of the OSD."""
        if self.daemons.pid not in self.pids:
            self.pids.append(self.daemons.pid)

    def journal(self, attempt: str) -> Message:
        path = self.member.base / "jobs" / attempt / "tuning-journal.json"
        read: Message = json.loads(path.read_text())
        return read


@pytest.fixture
def jobs(daemons: Daemons, member: Client) -> Jobs:
    return Jobs(daemons, member)


@real
def test_three_jobs_restart_the_daemon_twice(jobs: Jobs) -> None:
    first = jobs.carried()
    assert jobs.daemons.option(SHARDS) == "4"
    assert jobs.journal(first)["state"] == "open"
    assert not jobs.member.ask("delete_job", attempt=first)["ok"]
    second = jobs.carried()
    assert jobs.journal(first)["closed_because"] == "handed over"
    third = jobs.started()
    (row,) = jobs.end(third)["exit"]["tuning"]["effective"]
    assert [row[k] for k in ("requested", "before", "value", "after")] == ["4", "0", "4", "0"]
    assert len(jobs.pids) == 3
    assert jobs.daemons.left() == []
    for attempt in (first, second, third):
        assert jobs.journal(attempt)["state"] == "closed"
        jobs.member.good("delete_job", attempt=attempt)


@real
@pytest.mark.extended
def test_any_other_job_restores_them_first(jobs: Jobs) -> None:
    """A job without settings, and one with another value of the same option."""
    jobs.carried()
    done = jobs.member.run(["cat", str(jobs.daemons.cluster.config)])
    assert done["exit"]["codes"] == [0], done
    assert SHARDS not in jobs.member.read(done["attempt"], "stdout").decode()
    assert jobs.daemons.left() == []
    jobs.carried()
    other = jobs.started(key="run-2", value=2)
    assert jobs.daemons.option(SHARDS) == "2"
    (row,) = jobs.end(other)["exit"]["tuning"]["effective"]
    assert (row["before"], row["after"]) == ("0", "0")
    assert jobs.daemons.left() == []


@real
@pytest.mark.parametrize(
    "how",
    [
        "lease",
        "request",
        pytest.param("session", marks=pytest.mark.extended),
        pytest.param("cancel", marks=pytest.mark.extended),
    ],
)
def test_without_a_next_job_the_host_restores_them(jobs: Jobs, how: str) -> None:
    attempt = jobs.carried(lease=1.0 if how == "lease" else 600.0)
    if how == "session":
        with Client(jobs.member.base, {"HOME": str(jobs.daemons.cluster.home)}):
            until(lambda: jobs.journal(attempt)["state"] == "closed", RESTARTED)
    elif how == "request":
        (row,) = jobs.member.good("restore_settings", attempts=[])["restored"]
        assert row["value"] == "0"
    elif how == "cancel":
        jobs.end(attempt)
    until(lambda: jobs.journal(attempt)["state"] == "closed", RESTARTED)
    assert jobs.daemons.left() == []


@real
def test_after_a_restart_of_the_host_they_are_restored_first(jobs: Jobs) -> None:
    first = jobs.carried()
    path = jobs.member.base / "jobs" / first / "tuning-journal.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "boot_id": "earlier"}))
    second = jobs.carried()
    assert jobs.journal(first)["closed_because"] == "restored"
    assert [line["original"] for line in jobs.journal(second)["settings"]] == ["0"]
    jobs.end(second)
    assert jobs.daemons.left() == []


@real
@pytest.mark.extended
def test_a_killed_supervisor_hands_nothing_over(jobs: Jobs) -> None:
    """Both journals are open if the next job dies after it wrote its own."""
    first = jobs.carried()
    second = jobs.started()
    folder = jobs.member.base / "jobs"
    record = jobs.journal(first) | {"state": "open"}
    (folder / first / "tuning-journal.json").write_text(json.dumps(record))
    jobs.end(second)
    jobs.member.good("restore_settings", attempts=[])
    assert {jobs.journal(one)["state"] for one in (first, second)} == {"closed"}
    assert jobs.daemons.left() == []


@real
def test_a_lost_job_leaves_nothing_for_the_next_one(jobs: Jobs) -> None:
    """Its supervisor was killed after it had left the settings, before its last file."""
    first = jobs.carried()
    (jobs.member.base / "jobs" / first / "exit.json").unlink()
    status = jobs.member.good("cancel", attempt=first, grace=1.0, carry=True)
    assert (status["state"], status["journal"]["state"]) == ("lost", "closed")
    assert jobs.daemons.left() == []


def test_lines_of_a_journal_restored_meanwhile_are_not_taken_over(tmp_path: Path) -> None:
    source = Job(str(tmp_path), "carried-1")
    Path(source.folder).mkdir(parents=True)
    line = {"kind": "ceph_conf", "identity": "osd.0", "name": SHARDS, "original": "0", "value": "4"}
    for state, lines in (("open", [line]), ("closed", [])):
        source.write("tuning-journal.json", {"state": state, "settings": [line]})
        assert open_lines(source) == lines


def test_only_settings_that_restart_daemons_are_carried(client: Client) -> None:
    tuning = [{"kind": "sysctl", "identity": "", "name": "vm.swappiness", "value": "10"}]
    spec = {
        "attempt": "carried-1",
        "commands": [{"role": "main", "argv": ["true"]}],
        "tuning": tuning,
        "carry": KEY,
    }
    assert "restart daemons" in client.ask("launch", spec=spec)["message"]
