"""Fixtures for tests with a small real Ceph."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from .ceph import Cluster, missing
from .net import OUTSIDE, add_local_address, claim_network
from .netns_host import NetnsHost

MADE = pytest.StashKey[Cluster]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Start it again where tests without it came between."""
    cluster = item.config.stash.get(MADE, None)
    if cluster and not cluster.daemons and "ceph_cluster" in getattr(item, "fixturenames", ()):
        cluster.start()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop it after the last test of its group: at rest it takes a tenth of a processor. After the
    last test of a module, delete the pools of tests that failed in it.
    """
    cluster = item.config.stash.get(MADE, None)
    if cluster is None:
        return
    if not (nextitem and _of_group(nextitem)):
        cluster.stop()
    elif cluster.daemons and nextitem.path != item.path:
        cluster.delete_pools()


def _of_group(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("xdist_group")
    return mark is not None and mark.args == ("ceph",)


@pytest.fixture(scope="session")
def ceph_cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """One cluster for all tests, healthy; as root on an address that hosts in boxes reach after
    `let_in`. A test leaves it as it was."""
    if reason := missing():
        pytest.skip(reason)
    network = claim_network()
    address = f"10.214.{network.number}.1" if os.geteuid() == 0 else "127.0.0.1"
    if os.geteuid() == 0:
        add_local_address(address)
    cluster = Cluster(address)
    request.config.stash[MADE] = cluster
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        network.release()


RATE = "40mbit"
"""Of a client's cable, both ways: rados bench knows no rate, and as fast as it goes it and the OSDs
take every processor from the tests beside them, and keep all it writes in memory."""


def client_boxes(
    ending: ExitStack, folder: Path, cluster: Cluster, clocks: Mapping[str, int]
) -> list[NetnsHost]:
    """Start a client of the cluster for each name; `clocks`: seconds that its clock is ahead."""
    boxes = []
    for name, clock in clocks.items():
        box = NetnsHost(folder / name, clock=clock)
        ending.callback(box.stop)
        box.start()
        let_in(box, cluster)
        boxes.append(box)
    return boxes


def let_in(box: NetnsHost, cluster: Cluster) -> None:
    """Make a running box a client of the cluster: a route to it, and root's ceph.conf."""
    box.network.limit(RATE)
    box.network.limit_sent(RATE)
    box.network.inside("ip", "route", "replace", cluster.address, "via", OUTSIDE)
    cluster.write_client_config(box.home)
