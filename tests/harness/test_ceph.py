"""The cluster of the harness is a real one that a host in a box reaches."""

from __future__ import annotations

import subprocess

import pytest

from benchlab.local.locks import FileLock

from .ceph import OSDS, Cluster, remove_abandoned
from .ceph_fixtures import let_in
from .netns_host import NetnsHost

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("ceph"), pytest.mark.timeout(120)]


def test_it_is_healthy_and_has_three_osds(ceph_cluster: Cluster) -> None:
    assert ceph_cluster.health() == "HEALTH_OK"
    assert ceph_cluster.osds_up() == OSDS


def test_an_osd_that_stops_makes_it_unhealthy_until_it_comes_back(ceph_cluster: Cluster) -> None:
    ceph_cluster.stop_osd(2)
    try:
        assert ceph_cluster.health() == "HEALTH_WARN"
    finally:
        ceph_cluster.start_osd(2)
    assert ceph_cluster.health() == "HEALTH_OK"


def test_nothing_of_it_is_left() -> None:
    cluster = Cluster()
    try:
        cluster.start()
        pids = [process.pid for process in cluster.daemons.values()]
    finally:
        cluster.stop()
    assert not cluster.folder.exists()
    alive = subprocess.run(["ps", "-o", "pid=", "-p", ",".join(map(str, pids))], check=False)
    assert alive.returncode == 1


def test_what_a_killed_session_left_is_removed_and_what_is_in_use_stays() -> None:
    abandoned, used = Cluster(), Cluster()
    (abandoned.folder / "lock").touch()
    with FileLock(used.folder / "lock"):
        remove_abandoned()
        assert not abandoned.folder.exists()
        assert used.folder.exists()
    remove_abandoned()
    assert not used.folder.exists()


@pytest.mark.needs_root
def test_a_box_is_a_client_of_it(ceph_cluster: Cluster, box: NetnsHost) -> None:
    let_in(box, ceph_cluster)
    inside = ("env", "-u", "CEPH_CONF", f"HOME={box.home}")
    assert "HEALTH_OK" in box.network.inside(*inside, "ceph", "--connect-timeout", "20", "health")
