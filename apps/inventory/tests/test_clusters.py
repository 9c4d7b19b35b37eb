"""Ceph clusters: one row for all hosts that report one fsid."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import CephCluster, Host
from apps.inventory.selectors.daemon_hosts import pool_daemon_hosts
from apps.inventory.selectors.osd_hosts import pool_osd_hosts
from apps.inventory.services import (
    PoolDraft,
    host_cluster_accept,
    host_cluster_restart,
    host_cluster_set_distinct,
    host_cluster_store,
    pool_delete,
    pool_save,
)
from apps.inventory.tests.factories import (
    FSID,
    create_cluster,
    create_facts,
    create_host,
    create_pool,
)
from apps.remote.cluster_responses import CephDaemon, ClusterOsd, DaemonKind

OTHER = "0b7c1e6a-9d1b-4c54-8a54-6a3c5b1f2d11"


def osd(number: int) -> ClusterOsd:
    return ClusterOsd(
        id=number, host=f"osd{number}", addresses=[], devices=["sdb"], store="bluestore", up=True,
        is_in=True,
    )  # fmt: skip


def reports(host: Host, fsid: str, *osds: ClusterOsd) -> CephCluster:
    """Store a check of the host; return the cluster that its runs claim."""
    host_cluster_store(host=host, fsid=fsid, osds=osds, restart=["osd_op_num_shards"])
    host.refresh_from_db()
    assert host.cluster
    return host.cluster


@pytest.fixture
def clients(db: None) -> list[Host]:
    """Three hosts that are clients of one cluster."""
    hosts = [create_host(name=f"client{number}") for number in (1, 2, 3)]
    for host in hosts:
        reports(host, FSID, osd(0))
    return hosts


def test_cluster_of_three_hosts_is_one_row(clients: list[Host]) -> None:
    cluster = CephCluster.objects.get()
    assert list(cluster.hosts.values_list("name", flat=True)) == ["client1", "client2", "client3"]
    assert (cluster.fsid, cluster.osds) == (FSID, [osd(0)])
    assert reports(clients[1], FSID, osd(0), osd(1)).osds == [osd(0), osd(1)]
    assert CephCluster.objects.get().checked_at == clients[1].fsid_checked_at


def test_restart_permission_holds_for_every_host_of_the_cluster(
    clients: list[Host], admin: User
) -> None:
    host_cluster_restart(host=clients[0], restart="unit", user=admin)
    assert all(host.restartable_kinds for host in Host.objects.select_related("cluster"))


def test_changed_fsid_leaves_the_cluster_until_an_admin_accepts(
    clients: list[Host], admin: User
) -> None:
    host = clients[0]
    before = reports(host, OTHER, osd(7))
    assert (before.fsid, before.osds, host.cluster_changed) == (FSID, [osd(0)], True)
    assert not CephCluster.objects.filter(fsid=OTHER).exists()
    host_cluster_accept(host=host, fsid=OTHER, user=admin)
    host.refresh_from_db()
    assert (str(host.cluster), host.cluster_changed, host.is_being_checked) == (OTHER, False, True)
    assert before.hosts.count() == 2
    assert reports(host, OTHER, osd(7)).osds == [osd(7)]


def test_distinct_cluster_has_its_own_row_and_claim(clients: list[Host], admin: User) -> None:
    host, shared = clients[0], CephCluster.objects.get()
    host_cluster_restart(host=host, restart="unit", user=admin)
    host_cluster_set_distinct(host=host, is_distinct=True, user=admin)
    own = reports(host, FSID, osd(5))
    assert (own.fsid, own.is_distinct, own.osds, host.restartable_kinds) == (
        FSID,
        True,
        [osd(5)],
        (),
    )
    assert own.claim != shared.claim
    shared.refresh_from_db()
    assert (shared.osds, shared.restartable_kinds) == ([osd(0)], ("osd",))
    host_cluster_set_distinct(host=host, is_distinct=False, user=admin)
    assert CephCluster.objects.get() == shared
    assert shared.hosts.count() == 3


def test_host_without_cluster_cannot_be_distinct(admin: User) -> None:
    with pytest.raises(ServiceError, match="no client"):
        host_cluster_set_distinct(host=create_host(), is_distinct=True, user=admin)


def test_second_row_of_an_fsid_is_refused(db: None) -> None:
    create_cluster(), create_cluster(is_distinct=True), create_cluster(is_distinct=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        create_cluster()


def test_second_local_host_is_refused(db: None) -> None:
    create_host(kind=Host.Kind.LOCAL)
    with pytest.raises(IntegrityError), transaction.atomic():
        create_host(kind=Host.Kind.LOCAL)


def test_pool_is_entered_once_for_a_cluster(
    clients: list[Host], operator: User, admin: User
) -> None:
    pool = pool_save(user=operator, draft=PoolDraft(name="bench", host=clients[0]))
    assert pool.cluster == clients[0].cluster
    with pytest.raises(ServiceError, match="client1 has an entry for this pool") as refused:
        pool_save(user=operator, draft=PoolDraft(name="bench", host=clients[1]))
    assert refused.value.status == 400
    host_cluster_set_distinct(host=clients[1], is_distinct=True, user=admin)
    copy = pool_save(user=operator, draft=PoolDraft(name="bench", host=clients[1]))
    assert copy.cluster != pool.cluster


def test_pool_entered_twice_before_the_cluster_was_known_has_none(owner: User) -> None:
    hosts = [create_host(), create_host()]
    first, second = (create_pool(owner=owner, host=host, name="bench") for host in hosts)
    clusters = {reports(host, FSID, osd(0)).pk for host in hosts}
    first.refresh_from_db()
    second.refresh_from_db()
    assert ({first.cluster_id}, second.cluster) == (clusters, None)
    assert [row.name for row in pool_osd_hosts(second)] == ["osd0"]
    pool_delete(pool=first, user=owner)
    reports(hosts[1], FSID)
    second.refresh_from_db()
    assert {second.cluster_id} == clusters


def daemon(kind: DaemonKind, name: str, host: str, address: str) -> CephDaemon:
    return CephDaemon(kind=kind, name=name, host=host, addresses=[address] if address else [])


def test_hosts_of_monitors_and_mds_are_matched_by_name_and_address(
    clients: list[Host], owner: User
) -> None:
    here = create_host(name="here", address="10.0.0.7")
    create_facts(here, hostname="node7.lab")
    daemons = [
        daemon("mon", "a", "node7", "10.0.0.7"),
        daemon("mds", "x", "node7", "10.0.0.7"),
        daemon("mon", "b", "node7", "10.0.0.8"),
        daemon("mds", "y", "", ""),
    ]
    host_cluster_store(host=clients[0], fsid=FSID, daemons=daemons)
    pool = create_pool(owner=owner, host=Host.objects.get(pk=clients[0].pk))
    told = [
        (row.kind, row.identity, row.name, row.host and row.host.pk)
        for row in pool_daemon_hosts(pool)
    ]
    assert told == [
        ("mds", "mdss:y", "mds.y", None),
        ("mds", "mdss:x", "node7", here.pk),
        ("mon", "mons:a,b", "node7", here.pk),
    ]


def test_options_name_the_daemons_that_the_cluster_has(clients: list[Host]) -> None:
    services = {"ms_type": ["mon", "osd", "mds"], "rgw_x": []}
    host_cluster_store(
        host=clients[0], fsid=FSID, restart=["ms_type", "osd_op_queue", "rgw_x"], services=services
    )
    cluster = CephCluster.objects.get()
    assert cluster.restart_daemons == {
        "ms_type": ("mon", "osd"),
        "osd_op_queue": ("osd",),
        "rgw_x": (),
    }
    host_cluster_store(host=clients[0], fsid=FSID, daemons=[daemon("mds", "x", "n", "10.0.0.1")])
    cluster.refresh_from_db()
    assert cluster.restart_daemons["ms_type"] == ("mon", "osd", "mds")


def test_each_kind_of_daemon_is_allowed_by_itself(clients: list[Host], admin: User) -> None:
    host, command = clients[0], "ceph orch daemon restart mon.{id}"
    host_cluster_restart(host=host, restart="command", command=command, daemon="mon", user=admin)
    host_cluster_restart(host=host, restart="unit", daemon="mds", user=admin)
    host.refresh_from_db()
    assert host.cluster
    assert host.restartable_kinds == ("mon", "mds")
    assert host.cluster.restart_command("mon")[-1] == "mon.{id}"
    assert (host.cluster.restart_command("osd"), host.cluster.restart_command("mds")) == ([], [])
    with pytest.raises(ServiceError):
        host_cluster_restart(host=host, restart="unit", daemon="mgr", user=admin)
