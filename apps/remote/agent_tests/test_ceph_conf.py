"""Options that need a restart are lent to real OSDs: in lines of our own of the file they read, one
daemon after another, and nothing is left of it.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent.ceph.conf_file import BEGIN, read_sections, write_sections
from apps.remote.agent.ceph.daemons import daemon
from apps.remote.agent.ceph.restarts import is_healthy
from apps.remote.agent.schema import SettingSpec
from apps.remote.agent.tuning.ceph_conf_settings import CephConfKind
from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import until
from apps.remote.agent_tests.processes import kill, running, supervisor
from apps.remote.agent_tests.restartable import Restartable
from tests.harness.ceph import Cluster

SHARDS, SCRUB = "osd_op_num_shards", "osd_scrub_begin_hour"


def want(name: str, value: str | int, osds: str = "osds:0", **more: list[str]) -> SettingSpec:
    """A setting of a spec."""
    found: SettingSpec = {"kind": "ceph_conf", "identity": osds, "name": name, "value": str(value)}
    found["restart"] = more.get("restart", [])
    return found


# The file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A ceph.conf of root's, or of the tests' user."""
    if os.geteuid() != 0:
        pytest.skip("needs root: benchlab writes to no one else's ceph.conf")
    path = tmp_path / "ceph.conf"
    path.write_text("[global]\nfsid = a\n")
    return path


@pytest.mark.parametrize("text", ["[global]\nfsid = a\n", "[global]\nfsid = a", "", "# \xe9\n\n"])
def test_what_else_is_in_the_file_comes_back_to_the_byte(file: Path, text: str) -> None:
    before = text.encode("latin-1")
    file.write_bytes(before)
    file.chmod(0o640)
    sections = {"osd.0": {SHARDS: "4", SCRUB: "2"}, "osd.12": {SHARDS: "8"}}
    write_sections(str(file), sections)
    assert file.read_bytes().startswith(before)
    assert read_sections(str(file)) == sections
    assert file.stat().st_mode & 0o777 == 0o640
    file.write_bytes(file.read_bytes() + b"[client]\n")  # somebody goes on working on it
    write_sections(str(file), {"osd.0": {SHARDS: "2"}})
    write_sections(str(file), {})
    assert file.read_bytes() == before + b"[client]\n"
    assert sorted(path.name for path in file.parent.iterdir()) == ["ceph.conf"]


def test_a_file_that_somebody_else_may_write_is_left_alone(file: Path) -> None:
    link = file.with_name("link.conf")
    link.symlink_to(file)
    with pytest.raises(OSError, match="is a link"):
        write_sections(str(link), {"osd.0": {SHARDS: "4"}})
    file.chmod(0o666)
    with pytest.raises(OSError, match="only they can write"):
        write_sections(str(file), {"osd.0": {SHARDS: "4"}})
    file.chmod(0o644)
    os.chown(file, 4242, 4242)
    with pytest.raises(OSError, match="only they can write"):
        write_sections(str(file), {"osd.0": {SHARDS: "4"}})
    assert file.read_text() == "[global]\nfsid = a\n"


def test_lines_of_ours_that_somebody_cut_are_not_touched(file: Path) -> None:
    text = f"[global]\n{BEGIN}\n[osd.0]\n"
    file.write_text(text)
    with pytest.raises(OSError, match="they were edited"):
        write_sections(str(file), {})
    assert file.read_text() == text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("keyring", "/etc/shadow"),
        ("osd_data", "/tmp"),
        ("osd_class_dir", "/tmp/evil"),
        ("osd_objectstore", "memstore"),
        ("osd_crush_location", "root=other"),
        ("crush_location", "root=other"),
        ("auth_client_required", "none"),
        ("mon_host", "1.2.3.4"),
        ("log_file", "/etc/passwd"),
        ("bluestore_block_db_path", "/dev/sda"),
        ("monmap", "/tmp/map"),
        ("mon_initial_members", "b"),
        ("mon_debug_no_require_pacific", "true"),
        ("setuser", "root"),
        (SHARDS, "4\n[global]"),
        (SHARDS, "4 # more"),
        (SHARDS, "[mon]"),
        ("Osd Shards", "4"),
    ],
)
def test_options_that_no_tuning_is_made_of_are_refused(name: str, value: str) -> None:
    assert CephConfKind().validate(want(name, value))


@pytest.mark.parametrize("identity", ["mgr.x", "", "global", "rgw"])
def test_other_daemons_are_not_restarted(identity: str) -> None:
    one: SettingSpec = {"kind": "ceph_conf", "identity": identity, "name": SHARDS, "value": "4"}
    assert "names no daemon" in CephConfKind().validate(one)


@pytest.mark.parametrize(
    "name",
    [SHARDS, "osd_op_num_threads_per_shard", "bluestore_cache_size", "ms_async_op_threads",
     "osd_journal_size", "filestore_queue_max_ops", "bluestore_rocksdb_options", "osd_op_queue"],
)  # fmt: skip
def test_options_of_tunings_are_taken(name: str) -> None:
    assert CephConfKind().validate(want(name, "4")) == ""


def test_option_without_restart_command_is_refused() -> None:
    one: SettingSpec = {"kind": "ceph_conf", "identity": "osd.0", "name": SHARDS, "value": "4"}
    assert "restart command" in CephConfKind().validate(one)


@pytest.mark.parametrize(
    ("status", "codes", "well"),
    [
        ("HEALTH_OK", [], True),
        ("HEALTH_WARN", ["POOL_APP_NOT_ENABLED"], True),
        ("HEALTH_WARN", ["POOL_APP_NOT_ENABLED", "OSD_DOWN"], False),
        ("HEALTH_WARN", ["PG_DEGRADED"], False),
        ("HEALTH_WARN", [], False),
        ("HEALTH_ERR", ["POOL_APP_NOT_ENABLED"], False),
    ],
)
def test_what_no_restart_has_to_wait_for(status: str, codes: list[str], well: bool) -> None:
    assert is_healthy({"status": status, "checks": {code: {} for code in codes}}) is well


# Real daemons


def real(test: Callable[..., None]) -> Callable[..., None]:
    """A test with the harness's cluster."""
    marks = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.xdist_group("ceph")]
    for mark in [*marks, pytest.mark.timeout(1000)]:
        test = mark(test)
    return test


class Daemons(Restartable):
    """OSD 0 of the cluster."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster, "osd.0")

    def left(self) -> list[str]:
        """Traces of a loan, in words."""
        if self.cluster.config.read_bytes() != self.original:
            return ["lines of the file"]
        keys = self.cluster.ceph("config-key", "ls")
        turns = [key for key in keys if key.startswith("benchlab/restart/")]
        try:
            in_force = self.option(SHARDS)
        except (AssertionError, OSError) as error:  # it is being restarted, which takes a while
            return [*turns, f"the daemon does not answer: {error}"]
        return turns + ([] if in_force == "0" else [f"{SHARDS} in force"])

    def began(self, member: Client, attempt: str) -> list[int]:
        """The tool's processes, once there are any. Fails with what the cluster and the OSD say."""
        try:
            return running(member, attempt, RESTARTED)
        except AssertionError as error:
            status = self.cluster.run("ceph", "status")
            log = (self.cluster.folder / "osd.0.log").read_text()[-3000:]
            raise AssertionError(f"{error}\n{status}\nosd.0 runs as {self.pid}\n{log}") from None

    def as_before(self) -> bool:
        """Whether nothing of a loan is left."""
        return not self.left()


@pytest.fixture
def daemons(ceph_cluster: Cluster) -> Iterator[Daemons]:
    found = Daemons(ceph_cluster)
    try:
        yield found
    finally:
        found.stop()


@pytest.fixture
def member(base: Path, ceph_cluster: Cluster) -> Iterator[Client]:
    """A session on a host that is a client of the cluster, and runs its OSDs."""
    with Client(base, {"HOME": str(ceph_cluster.home)}) as session:
        yield session


RESTARTED = 240
"""Seconds in which a daemon is restarted and the cluster well, on a busy machine: less than it
takes until a key of a turn that nobody ended is stale (turn.STALE).
"""


@real
def test_an_option_is_in_force_during_the_test_and_gone_after_it(
    daemons: Daemons, member: Client
) -> None:
    found = daemon("osd.0", daemons.cluster.fsid)
    assert found
    assert found.file == str(daemons.cluster.config)
    before = daemons.pid
    tuning = [want(SHARDS, 4, restart=daemons.restart), want(SCRUB, 2, restart=daemons.restart)]
    done = member.run(["cat", str(daemons.cluster.config)], tuning=tuning)
    assert done["exit"], done
    text = member.read(done["attempt"], "stdout").decode()
    assert f"[osd.0]\n{SHARDS} = 4\n{SCRUB} = 2\n" in text
    rows = {row["name"]: row for row in done["exit"]["tuning"]["effective"]}
    shown = [rows[SHARDS][key] for key in ("requested", "before", "value", "after")]
    assert shown == ["4", "0", "4", "0"]
    assert daemons.left() == []
    assert daemons.pid != before


@real
def test_a_value_that_the_daemon_does_not_take_is_named_and_put_back(
    daemons: Daemons, member: Client
) -> None:
    done = member.run(["echo", "ran"], tuning=[want(SHARDS, "many", restart=daemons.restart)])
    (reason,) = done["refused"]["reasons"]
    assert f"{SHARDS} of osd.0 should be many and is 0" in reason
    assert daemons.left() == []


@real
def test_restart_with_failing_command_reports_it_and_restores_file(
    daemons: Daemons, member: Client
) -> None:
    before = daemons.pid
    done = member.run(["echo", "ran"], tuning=[want(SHARDS, 4, restart=["sh", "-c", "exit 3"])])
    (reason,) = done["refused"]["reasons"]
    assert "`sh -c exit 3` ended with 3" in reason
    assert daemons.left() == []
    assert daemons.pid == before


@real
@pytest.mark.parametrize("moment", ["restarting", "running"])
def test_the_keeper_alone_puts_it_back(daemons: Daemons, member: Client, moment: str) -> None:
    """The agent's supervisor is killed while the daemon is restarted, or while the tool runs."""
    tuning = [want(SHARDS, 4, restart=daemons.restart)]
    attempt = member.start(["sleep", "600"], tuning=tuning, lease=1.0)
    if moment == "restarting":
        until(lambda: BEGIN.encode() in daemons.cluster.config.read_bytes(), RESTARTED)
        os.kill(supervisor(member, attempt), signal.SIGKILL)
    else:
        (pid,) = daemons.began(member, attempt)
        assert daemons.option(SHARDS) == "4"
        os.kill(supervisor(member, attempt), signal.SIGKILL)
        kill(pid)
    member.close()
    until(daemons.as_before, RESTARTED)


@real
def test_after_a_restart_of_the_host_it_is_put_back(
    daemons: Daemons, member: Client, gate: Gate
) -> None:
    """The file outlives it, so the daemon began with the option."""
    tuning = [want(SHARDS, 4, restart=daemons.restart)]
    attempt = member.start(gate.argv, tuning=tuning, lease=600)
    daemons.began(member, attempt)
    os.kill(supervisor(member, attempt), signal.SIGKILL)
    gate.open()
    member.good("wait", attempt=attempt)
    journal = member.base / "jobs" / attempt / "tuning-journal.json"
    journal.write_text(json.dumps({**json.loads(journal.read_text()), "boot_id": "earlier"}))
    (restored,) = member.good("restore_settings", attempts=[attempt])["restored"]
    assert (restored["kind"], restored["value"]) == ("ceph_conf", "0")
    assert daemons.left() == []
