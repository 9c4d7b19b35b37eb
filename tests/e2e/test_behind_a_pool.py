"""A tuning reaches the hosts and disks behind a pool: OSDs on loop disks of hosts in boxes, their
schedulers and kernel settings lent by their own agents while a client writes to the pool.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from apps.remote.agent.ceph.daemons import process_of, socket_command
from tests.e2e.lab import add_box, assert_state, cases, checked, ended, launch, until
from tests.e2e.stack import JSON, ApiError, Stack, kill
from tests.e2e.test_journey import scheduler
from tests.harness.ceph import Cluster, missing
from tests.harness.ceph_fixtures import RATE, let_in
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.net import add_local_address, bridge_of, claim_network, run, switch
from tests.harness.netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.needs_root]
SHARDS = "osd_op_num_shards"
RESTART = "pkill -f '^ceph-osd -f -i {id} '"
RADOS = {"bs": "16k", "threads": 4, "seconds": 2, "write_seconds": 4}
LENT = {"scheduler": "kyber", "pid_max": "123456"}
IN_KERNEL: list[JSON] = [
    {"kind": "queue", "name": "scheduler", "value": "kyber", "scope": "pool"},
    {"kind": "sysctl", "name": "kernel.pid_max", "value": "123456", "scope": "pool"},
]
NAMES = ("client", "osd-3", "osd-4")
_number = count(1)


class Behind(NamedTuple):
    """A running benchlab without a worker; a client, and two hosts with an OSD each."""

    stack: Stack
    cluster: Cluster
    client: JSON
    boxes: list[NetnsHost]
    nodes: list[str]
    pool: JSON

    def now(self) -> list[dict[str, str]]:
        """The settings behind the pool as the kernel shows them, host by host."""
        path = "/proc/sys/kernel/pid_max"
        return [
            {"scheduler": scheduler(node), "pid_max": box.inside("cat", path).strip()}
            for box, node in zip(self.boxes, self.nodes, strict=True)
        ]

    def plan(self, **fields: object) -> JSON:
        """A plan of one rados step under a tuning of what is behind the pool."""
        body = {"name": f"behind {next(_number)}", "settings": fields.pop("settings", IN_KERNEL)}
        tuning = self.stack.post("tunings/", body)
        params = RADOS | {"write_seconds": fields.pop("seconds", 4)}
        if fields.pop("writes_alone", False):
            params |= {"operations": "write", "seconds": params.pop("write_seconds")}
        plan = {
            "name": f"behind {next(_number)}",
            "repeats": 1,
            "steps": [{"tool": "rados", "params": params}],
            "targets": [f"pool:{self.pool['id']}"],
            "tunings": [tuning["id"]],
        }
        made: JSON = self.stack.post("plans/", plan | fields)
        return made


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    if reason := missing() or no_box():
        pytest.skip(reason)
    network = claim_network()
    address = f"10.214.{network.number}.1"
    add_local_address(address)
    found = Cluster(address)
    try:
        found.start()
        yield found
    finally:
        found.stop()
        network.release()


@pytest.fixture(scope="module")
def behind(
    request: pytest.FixtureRequest,
    stack: Stack,
    tmp_path_factory: pytest.TempPathFactory,
    cluster: Cluster,
) -> Iterator[Behind]:
    """Modules that use it name their hosts in NAMES: the archive is shared with other modules."""
    folder, names = tmp_path_factory.mktemp("behind"), request.module.NAMES
    with ExitStack() as ending:
        boxes = []
        for name in names:
            boxes.append(box := NetnsHost(folder / name))
            ending.callback(box.stop)
            box.start()
            let_in(box, cluster)
        _connect(boxes)
        nodes = [ending.enter_context(loop_disk(3000, folder)) for _ in boxes[1:]]
        # A disk of a loop device is detached when nothing has it open: its box ends first.
        for box in boxes[1:]:
            ending.callback(box.power_cut)
        for number, (box, node) in enumerate(zip(boxes[1:], nodes, strict=True), 3):
            Path("/sys/block", Path(node).name, "queue", "scheduler").write_text("none")
            cluster.add_osd(number, box, node)
        cluster.ceph("osd", "pool", "create", "bench", "8", "8")
        cluster.ceph("osd", "pool", "set", "bench", "size", "2")
        with stack.worker():
            hosts = [add_box(stack, box, name) for box, name in zip(boxes, names, strict=True)]
            hosts[0] = checked(stack, hosts[0]["id"])
        pool = stack.post("pools/", {"name": "bench", "host": hosts[0]["id"]})
        yield Behind(stack, cluster, hosts[0], boxes[1:], nodes, pool)


def _connect(boxes: list[NetnsHost]) -> None:
    """Every box reaches every other one at its own address, through a switch between them."""
    addresses = switch(*(box.network for box in boxes))
    for box in boxes:
        device = bridge_of(boxes[0].network) if box is boxes[0] else f"bls{box.network.number}"
        box.network.limit_sent(RATE, device)
    for box in boxes:
        for other, gateway in zip(boxes, addresses, strict=True):
            if other is not box:
                words = ("ip", "route", "replace", f"{other.network.address}/32", "via", gateway)
                box.network.inside(*words)


@pytest.fixture(scope="module")
def alone(behind: Behind) -> Behind:
    """The OSDs that run elsewhere are taken out, and the client tells of it."""
    behind.cluster.run("ceph", "osd", "out", "0", "1", "2")
    for pool in behind.cluster.ceph("osd", "lspools"):  # the manager's own had three copies
        behind.cluster.ceph("osd", "pool", "set", pool["poolname"], "size", "2")
    with behind.stack.worker():
        checked(behind.stack, behind.client["id"])
    return behind


def seen(case: JSON) -> dict[tuple[str, str], list[str]]:
    """asked, before, during, after of every act on every host: the last act's."""
    found = {}
    for job in case["attempts"][-1]["jobs"]:
        for row in job["exit"].get("tuning", {}).get("effective", []):
            if row["requested"]:
                keys = ("requested", "before", "value", "after")
                found[job["name"], row["name"]] = [row[key] for key in keys]
    return found


def test_those_that_are_reached_are_observed_and_the_others_named(behind: Behind) -> None:
    told = {
        row["name"]: row for row in behind.stack.get(f"pools/{behind.pool['id']}/")["osd_hosts"]
    }
    here = run("hostname").strip()
    assert told[here]["host"] is None
    assert sorted(told[here]["osds"]) == [0, 1, 2]
    for box, node, number in zip(behind.boxes, behind.nodes, (3, 4), strict=True):
        row = told[box.network.namespace]
        assert (row["osds"], row["devices"]) == ([number], [Path(node).name])
        assert row["host"] is not None
    with pytest.raises(ApiError, match=f"does not reach {here}"):
        launch(behind.stack, behind.plan())
    with behind.stack.worker():
        made = behind.plan(tunings=[], writes_alone=True, seconds=2)
        ended_ = ended(behind.stack, launch(behind.stack, made), 150)
    assert_state(behind.stack, ended_, "succeeded")
    case = cases(behind.stack, ended_)[0]
    rows = behind.stack.rows(f"series/?case={case['id']}&source=host&metric=host_cpu")
    assert {row["component"] for row in rows} == set(NAMES)


def test_settings_behind_the_pool_are_lent_and_given_back(alone: Behind) -> None:
    before = alone.now()
    with alone.stack.worker():
        started = launch(alone.stack, alone.plan())
        until(alone.now, lambda now: now == [LENT, LENT], 60, "lent")
        ended_ = ended(alone.stack, started, 150)
    assert_state(alone.stack, ended_, "succeeded")
    assert alone.now() == before
    case = cases(alone.stack, ended_)[0]
    assert case["attempts"][0]["valid"], case["attempts"][0]
    for name, was in zip(NAMES[1:], before, strict=True):
        shown, kernel = seen(case)[name, "scheduler"], seen(case)[name, "kernel.pid_max"]
        assert shown == ["kyber", was["scheduler"], "kyber", was["scheduler"]]
        assert kernel == ["123456", was["pid_max"], "123456", was["pid_max"]]
    rows = alone.stack.rows(f"measurements/?run={ended_['id']}&components=true")
    assert {row["component"] for row in rows} == {""}
    assert {row["operation"] for row in rows} == {"write", "seq", "rand"}


def test_a_worker_killed_in_between_leaves_nothing_changed(alone: Behind) -> None:
    before = alone.now()
    with alone.stack.worker() as doomed:
        started = launch(alone.stack, alone.plan(seconds=6))
        until(alone.now, lambda now: now == [LENT, LENT], 60, "lent")
        kill(doomed)
    with alone.stack.worker():
        ended_ = ended(alone.stack, started, 150)
    assert_state(alone.stack, ended_, "succeeded")
    assert alone.now() == before


# Options that need a restart


def shards(behind: Behind) -> list[str]:
    """The option as each OSD behind the pool says it; "" while it does not answer. Its own socket
    is asked: a look by `ceph tell` costs a second of a processor.
    """
    return [shards_of(process_of(f"osd.{number}", behind.cluster.fsid)) for number in (3, 4)]


def shards_of(pid: int | None) -> str:
    try:
        return str(socket_command(pid or 0, {"prefix": "config get", "var": SHARDS})[SHARDS])
    except (OSError, KeyError):
        return ""


def files(behind: Behind) -> list[bytes]:
    """The ceph.conf of each OSD behind the pool."""
    return [behind.cluster.folder.joinpath(f"osd.{number}.conf").read_bytes() for number in (3, 4)]


def with_shards(behind: Behind, *more: JSON, **fields: object) -> JSON:
    """A plan whose tuning needs a restart of the OSDs."""
    rows = [{"kind": "ceph_conf", "name": SHARDS, "value": "4"}, *more]
    return behind.plan(settings=rows, **{"writes_alone": True} | fields)


def let_restart(behind: Behind) -> None:
    said = {"restart": "command", "command": RESTART}
    behind.stack.post(f"hosts/{behind.client['id']}/cluster/", said)


def test_nobody_restarts_daemons_before_an_admin_allowed_it(alone: Behind) -> None:
    alone.stack.post(f"hosts/{alone.client['id']}/cluster/", {"restart": ""})
    with pytest.raises(ApiError, match="An admin has to allow that"):
        launch(alone.stack, with_shards(alone))


@pytest.mark.timeout(600)
def test_an_option_that_needs_a_restart_is_in_force_and_gone(alone: Behind) -> None:
    """A worker killed while daemons restart makes no difference to it."""
    let_restart(alone)
    before = files(alone)
    assert shards(alone) == ["0", "0"]
    with alone.stack.worker() as doomed:
        started = launch(alone.stack, with_shards(alone))
        until(lambda: files(alone), lambda now: now != before, 60, "written")
        kill(doomed)
    with alone.stack.worker():
        until(lambda: shards(alone), lambda now: now == ["4", "4"], 120, "lent")
        ended_ = ended(alone.stack, started, 400)
    assert_state(alone.stack, ended_, "succeeded")
    assert (files(alone), shards(alone)) == (before, ["0", "0"])
    case = cases(alone.stack, ended_)[0]
    assert case["attempts"][0]["valid"], case["attempts"][0]
    for name in NAMES[1:]:
        assert seen(case)[name, SHARDS] == ["4", "0", "4", "0"]
    assert "benchlab/restart" not in str(alone.cluster.ceph("config-key", "ls"))


@contextmanager
def daemon_processes(behind: Behind, *names: str) -> Iterator[dict[str, set[int]]]:
    """The processes of each of these daemons that ran meanwhile."""
    found: dict[str, set[int]] = {name: set() for name in names}
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.2):
            for name, pids in found.items():
                pids.update(filter(None, [process_of(name, behind.cluster.fsid)]))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


@pytest.mark.timeout(900)
def test_osds_restart_once_for_all_operations_of_a_case(alone: Behind) -> None:
    """Workers killed with the settings applied and between two operations restart nothing."""
    let_restart(alone)
    before = files(alone)
    with daemon_processes(alone, "osd.3", "osd.4") as seen_processes:
        started = launch(alone.stack, with_shards(alone, writes_alone=False))
        for boundary in ("settings-applied", "ended"):
            with alone.stack.worker(crash_point=boundary) as doomed:
                assert doomed.wait(300) == -9, alone.stack.log("worker")
            assert shards(alone) == ["4", "4"]
        with alone.stack.worker():
            ended_ = ended(alone.stack, started, 400)
    assert_state(alone.stack, ended_, "succeeded")
    assert {number: len(pids) for number, pids in seen_processes.items()} == {
        "osd.3": 3,
        "osd.4": 3,
    }
    assert (files(alone), shards(alone)) == (before, ["0", "0"])
    (attempt,) = cases(alone.stack, ended_)[0]["attempts"]
    assert attempt["valid"], attempt


def six_cases(behind: Behind) -> JSON:
    """A run of three tests under two tunings that restart the OSDs, as one block."""
    let_restart(behind)
    tunings = [
        behind.stack.post(
            "tunings/",
            {
                "name": f"behind {next(_number)}",
                "settings": [{"kind": "ceph_conf", "name": SHARDS, "value": value}],
            },
        )["id"]
        for value in ("2", "4")
    ]
    params = {"operations": "write", "threads": 4, "seconds": 2}
    steps = [{"tool": "rados", "params": params | {"bs": size}} for size in ("8k", "16k", "32k")]
    plan = behind.plan(tunings=tunings, steps=steps)
    (first, second) = behind.stack.get(f"plans/{plan['id']}/preview/")["restarts"]
    assert first["count"] == second["count"] == 4  # of both OSDs, before and after three tests
    return launch(behind.stack, plan)


@pytest.mark.extended
@pytest.mark.timeout(1800)
def test_cases_of_a_block_share_the_restarts(alone: Behind) -> None:
    before = files(alone)
    with daemon_processes(alone, "osd.3", "osd.4") as seen_processes:
        started = six_cases(alone)
        with alone.stack.worker():
            ended_ = ended(alone.stack, started, 900)
    assert_state(alone.stack, ended_, "succeeded")
    assert (files(alone), shards(alone)) == (before, ["0", "0"])
    # Two tunings restart each OSD twice; applied for each case, it would be twelve times.
    assert {name: len(pids) for name, pids in seen_processes.items()} == {"osd.3": 5, "osd.4": 5}
    done = cases(alone.stack, ended_)
    assert [case["attempts"][0]["valid"] for case in done] == [True] * 6
    for case in done:
        assert {seen(case)[name, SHARDS][0] for name in NAMES[1:]} <= {"2", "4"}
        for name in NAMES[1:]:
            asked, was, measured, _after = seen(case)[name, SHARDS]
            assert (was, measured) == ("0", asked)


def between_cases(behind: Behind) -> JSON:
    """A run whose worker is dead after its first case, which left its settings for the next one."""
    before, started = files(behind), six_cases(behind)
    with behind.stack.worker(crash_point="closed") as doomed:
        assert doomed.wait(600) == -9, behind.stack.log("worker")
    assert files(behind) != before
    return started


@pytest.mark.extended
@pytest.mark.timeout(900)
def test_hosts_restore_settings_between_two_cases_by_themselves(alone: Behind) -> None:
    before = files(alone)
    started = between_cases(alone)
    until(lambda: files(alone), lambda now: now == before, 300, "restored by the hosts")
    until(lambda: shards(alone), lambda now: now == ["0", "0"], 300, "restarted")
    alone.stack.post(f"runs/{started['id']}/cancel/")
    with alone.stack.worker():
        assert_state(alone.stack, ended(alone.stack, started, 400), "cancelled")


@pytest.mark.extended
@pytest.mark.timeout(900)
def test_a_run_cancelled_between_two_cases_leaves_nothing_for_the_next(alone: Behind) -> None:
    """The next one, of other settings, is queued until the hosts have restored them."""
    before = files(alone)
    started = between_cases(alone)
    rows = [{"kind": "ceph_conf", "name": SHARDS, "value": "3"}]
    following = launch(alone.stack, alone.plan(settings=rows, writes_alone=True))
    alone.stack.post(f"runs/{started['id']}/cancel/")
    with alone.stack.worker():
        assert_state(alone.stack, ended(alone.stack, started, 400), "cancelled")
        following = ended(alone.stack, following, 400)
    assert_state(alone.stack, following, "succeeded")
    assert (files(alone), shards(alone)) == (before, ["0", "0"])
    (case,) = cases(alone.stack, following)
    for name in NAMES[1:]:
        assert seen(case)[name, SHARDS] == ["3", "0", "3", "0"]


@pytest.mark.extended
@pytest.mark.timeout(900)
def test_a_run_ends_after_a_host_cut_off_between_two_cases_restored_by_itself(
    alone: Behind,
) -> None:
    before = files(alone)
    started = between_cases(alone)
    alone.boxes[0].inside("iptables", "-A", "INPUT", "-p", "tcp", "--dport", "22", "-j", "DROP")
    try:
        with alone.stack.worker():
            ended_ = ended(alone.stack, started, 600)
            assert (files(alone), shards(alone)) == (before, ["0", "0"])
    finally:
        alone.boxes[0].inside("iptables", "-F", "INPUT")
    assert_state(alone.stack, ended_, "failed")


DIRFRAGS = "mds_oft_prefetch_dirfrags"


def dirfrags(behind: Behind) -> str:
    """The option as the MDS says it; "" while it does not answer."""
    try:
        pid = process_of("mds.x", behind.cluster.fsid)
        return str(socket_command(pid or 0, {"prefix": "config get", "var": DIRFRAGS})[DIRFRAGS])
    except (OSError, KeyError):
        return ""


@pytest.fixture
def mds(alone: Behind) -> Iterator[Path]:
    """An MDS on the host of OSD 3, known to benchlab; its ceph.conf."""
    if shutil.which("ceph-mds") is None:
        pytest.skip("needs ceph-mds (package ceph-mds)")
    alone.cluster.add_mds_in(alone.boxes[0], "x", size=2)
    try:
        with alone.stack.worker():
            checked(alone.stack, alone.client["id"])
        yield alone.cluster.folder / "mds.x.conf"
    finally:
        alone.cluster.remove_mds("x")


@pytest.mark.extended
@pytest.mark.timeout(900)
def test_an_option_of_the_mds_restarts_it_alone(alone: Behind, mds: Path) -> None:
    """Also if the worker is killed while the option is in force."""
    rows = [{"kind": "ceph_conf", "section": "mds", "name": DIRFRAGS, "value": "true"}]
    plan = alone.plan(settings=rows, writes_alone=True)
    with pytest.raises(ApiError, match="An admin has to allow that"):
        launch(alone.stack, plan)
    allowed = {"restart": "command", "command": "pkill -f '^ceph-mds -f -i {id} '", "daemon": "mds"}
    alone.stack.post(f"hosts/{alone.client['id']}/cluster/", allowed)
    (planned,) = alone.stack.get(f"plans/{plan['id']}/preview/")["restarts"]
    assert (planned["daemons"], planned["count"]) == (["mds.x"], 2)
    before, in_file = dirfrags(alone), mds.read_bytes()
    with daemon_processes(alone, "osd.3", "osd.4", "mds.x") as seen_processes:
        with alone.stack.worker() as doomed:
            started = launch(alone.stack, plan)
            until(lambda: dirfrags(alone), lambda now: now == "true", 120, "in force")
            kill(doomed)
        with alone.stack.worker():
            ended_ = ended(alone.stack, started, 400)
    assert_state(alone.stack, ended_, "succeeded")
    assert (dirfrags(alone), mds.read_bytes()) == (before, in_file)
    counts = {name: len(pids) for name, pids in seen_processes.items()}
    assert counts == {"osd.3": 1, "osd.4": 1, "mds.x": 3}
    (attempt,) = cases(alone.stack, ended_)[0]["attempts"]
    assert attempt["valid"], attempt
    assert seen(cases(alone.stack, ended_)[0])[NAMES[1], DIRFRAGS] == [
        "true",
        before,
        "true",
        before,
    ]


@pytest.mark.timeout(600)
def test_a_host_whose_agent_is_killed_while_it_lends_puts_it_back(alone: Behind) -> None:
    """Supervisor, keeper and session are gone at once; whoever comes next puts it back: files and
    daemons, the scheduler of the disk and the setting of the kernel.
    """
    let_restart(alone)
    before, kernel = files(alone), alone.now()
    with alone.stack.worker():
        started = launch(alone.stack, with_shards(alone, *IN_KERNEL, seconds=20))
        until(lambda: shards(alone), lambda now: now == ["4", "4"], 120, "lent")
        until(alone.now, lambda now: now == [LENT, LENT], 60, "lent in the kernel")
        for pid in alone.boxes[0].pids_of_agent():
            with suppress(ProcessLookupError):  # ended since the list was read
                os.kill(pid, signal.SIGKILL)
        ended(alone.stack, started, 400)
        until(lambda: files(alone), lambda now: now == before, 300, "put back")
        until(alone.now, lambda now: now == kernel, 60, "put back in the kernel")
        until(lambda: shards(alone), lambda now: now == ["0", "0"], 120, "restarted")
