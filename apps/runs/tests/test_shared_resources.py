"""One machine, one device, one Ceph cluster is claimed once, whichever host shows it; what a host
merely says holds up nobody else's run.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.models import User
from apps.inventory.models import Host, Pool
from apps.inventory.services import (
    disk_set_distinct,
    host_check_failed,
    host_cluster_accept,
    host_cluster_set_distinct,
    host_cluster_store,
)
from apps.inventory.tests.factories import create_facts, create_host, create_pool, public_line
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.tests.factories import add_target
from apps.runs.models import Run
from apps.runs.selectors.interference import interference_warnings
from apps.runs.services.leases import claims_release, run_try_start
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_disk, create_plan, create_run
from apps.tools.values import RawParameters
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

FSID = "4f0c1e6a-9d1b-4c54-8a54-6a3c5b1f2d10"
OTHER = "0b7c1e6a-9d1b-4c54-8a54-6a3c5b1f2d11"
WWN = "wwn:naa.600508b1001c5e3d"


def run_on(owner: User, host: Host, **fields: Any) -> Run:
    return create_run(owner=owner, target=create_disk(host=host, owner=owner, **fields))


def run_on_pool(owner: User, pool: Pool) -> Run:
    step: RawParameters = {"operations": "write", "bs": "4k", "threads": 1, "seconds": 1}
    name, spec = f"pool {pool.pk} {Run.objects.count()}", PlanSpec(steps=(StepSpec("rados", step),))
    plan = TestPlan.objects.create(name=name, owner=owner, spec=spec)
    add_target(plan, pool)
    return run_launch(plan=plan, user=owner)


def pool_on(owner: User, host: Host, fsid: str = FSID) -> Pool:
    """A pool of a host that is known to be a client of this cluster."""
    create_facts(host, tools={"fio": "3.33", "rados": "16.2", "ceph": "16.2"})
    if fsid:
        host_cluster_store(host=host, fsid=fsid)
    host.refresh_from_db()
    return create_pool(owner=owner, host=host)


def started(run: Run) -> str:
    """Try to start it; "" when it did, else why not."""
    run_try_start(run_id=run.pk, worker="w")
    run.refresh_from_db()
    return run.reason if run.state == "queued" else ""


def test_entries_with_one_ssh_host_key_are_one_machine(owner: User) -> None:
    key = public_line()
    first, second = (run_on(owner, create_host(host_key=key)) for _ in range(2))
    assert started(first) == ""
    assert started(second) == (
        "waits for this host's machine, entered twice (both show the same SSH host key), "
        f"which run {first.pk} holds"
    )
    third = run_on(owner, create_host(host_key=key))
    claims_release(first)
    assert started(third) == f"waits its turn behind run {second.pk}"


def test_this_machine_and_an_entry_over_ssh_to_it_are_one(owner: User) -> None:
    key = public_line()
    here = create_host(kind=Host.Kind.LOCAL, host_key="")
    create_facts(here, machine_id="m1", ssh_keys=[public_line(), key])
    first, second = run_on(owner, create_host(host_key=key)), run_on(owner, here)
    assert started(first) == ""
    assert "this host's machine" in started(second)
    claims_release(first)
    assert started(second) == ""


def test_a_claimed_machine_id_or_key_holds_up_nobody(owner: User) -> None:
    """A hostile host may say whatever it likes; only a key it can log us in with counts."""
    victim, hostile = create_host(name="victim"), create_host(name="hostile")
    create_facts(victim, machine_id="abc")
    create_facts(hostile, machine_id="abc", ssh_keys=[victim.host_key])
    theirs, ours = run_on(owner, hostile), run_on(owner, victim)
    assert started(theirs) == started(ours) == ""
    words = "hosts victim and hostile give the same machine id, and their SSH keys differ"
    assert interference_warnings(ours) == [f"at the same time as run {theirs.pk}: {words}"]
    assert interference_warnings(theirs) == [f"at the same time as run {ours.pk}: {words}"]


def test_a_lun_enrolled_on_two_hosts_is_one_device(owner: User) -> None:
    first, second = (run_on(owner, create_host(), identity=WWN) for _ in range(2))
    third = run_on(owner, create_host(), identity=WWN)
    assert started(first) == ""
    disk = first.cases.get().target
    assert started(second) == f"waits for disk {disk}, which run {first.pk} holds"
    claims_release(first)
    assert started(third) == f"waits its turn behind run {second.pk}"
    assert started(second) == ""
    assert interference_warnings(second) == []


def test_unenrolled_wwn_warns_without_blocking(owner: User) -> None:
    theirs = run_on(owner, create_host(), identity=WWN, enrolled_at=None, enrolled_by=None)
    ours = run_on(owner, create_host(), identity=WWN)
    assert started(theirs) == started(ours) == ""
    words = f"both use a disk that shows the identity {WWN}"
    assert interference_warnings(ours) == [f"at the same time as run {theirs.pk}: {words}"]


def test_a_disk_owner_says_that_it_is_another_device(owner: User) -> None:
    first, second = (run_on(owner, create_host(), identity=WWN) for _ in range(2))
    assert started(first) == ""
    assert started(second) != ""
    disk = second.cases.get().target
    disk_set_distinct(disk=disk, is_distinct=True, user=owner)
    assert started(second) == ""
    assert interference_warnings(second) == []


@pytest.mark.parametrize("identity", ["serial:QEMU_HARDDISK:QM00001", "loop:m:/srv/disk.img"])
def test_what_is_unique_on_one_host_only_is_claimed_there_only(owner: User, identity: str) -> None:
    first, second = (run_on(owner, create_host(), identity=identity) for _ in range(2))
    assert started(first) == started(second) == ""


def test_one_cluster_is_claimed_through_any_host_and_pool(owner: User) -> None:
    hosts = [create_host(name=f"client{number}") for number in (1, 2, 3)]
    first, second, third = (run_on_pool(owner, pool_on(owner, host)) for host in hosts)
    assert started(first) == ""
    assert started(second) == f"waits for Ceph cluster {FSID} (client1), which run {first.pk} holds"
    claims_release(first)
    assert started(third) == f"waits its turn behind run {second.pk}"


def test_another_cluster_need_not_wait(owner: User) -> None:
    first = run_on_pool(owner, pool_on(owner, create_host()))
    second = run_on_pool(owner, pool_on(owner, create_host(), OTHER))
    assert started(first) == started(second) == ""


def test_a_tuning_of_ceph_claims_the_cluster(owner: User) -> None:
    assert started(run_on_pool(owner, pool_on(owner, create_host()))) == ""
    client = create_host()
    pool_on(owner, client)
    setting = Setting("ceph", "osd_max_backfills", "1", section="osd")
    tuning = TuningProfile.objects.create(name="osds", owner=owner, settings=(setting,))
    disk = create_disk(host=client, owner=owner)
    tuned = run_launch(plan=create_plan(owner=owner, target=disk, tunings=(tuning,)), user=owner)
    assert f"Ceph cluster {FSID}" in started(tuned)


def test_a_run_waits_until_its_cluster_is_known(owner: User) -> None:
    host = create_host(name="client")
    run = run_on_pool(owner, pool_on(owner, host, fsid=""))
    assert started(run) == "waits until client reports the Ceph cluster of which it is a client"
    host.refresh_from_db()
    assert host.is_being_checked
    host_cluster_store(host=host, fsid=FSID)
    host.refresh_from_db()
    assert started(run) == ""
    assert run.claims.filter(resource=f"ceph:{host.cluster_id}").exists()


def test_a_client_that_cannot_say_does_not_hold_its_run_for_ever(owner: User) -> None:
    host = create_host()
    run = run_on_pool(owner, pool_on(owner, host, fsid=""))
    host_check_failed(host=host, kind="unreachable", reason="no route")
    assert started(run) == ""


def test_a_host_cannot_move_its_claim_onto_another_cluster_by_itself(
    owner: User, admin: User
) -> None:
    victim, hostile = create_host(name="victim"), create_host(name="hostile")
    ours, theirs = pool_on(owner, victim), pool_on(owner, hostile, OTHER)
    host_cluster_store(host=hostile, fsid=FSID)
    run = run_on_pool(owner, theirs)
    assert started(run) == (
        "waits until an admin has confirmed on hostile's page that it is a client of Ceph cluster "
        f"{FSID} now; it was one of {OTHER}"
    )
    first = run_on_pool(owner, ours)
    assert started(first) == ""
    host_cluster_accept(host=hostile, fsid=FSID, user=admin)
    assert f"Ceph cluster {FSID} (victim)" in started(run)


def test_an_admin_says_that_it_is_another_cluster(owner: User, admin: User) -> None:
    victim = create_host()
    theirs = run_on_pool(owner, pool_on(owner, create_host()))
    assert started(theirs) == ""
    ours = run_on_pool(owner, pool_on(owner, victim))
    assert started(ours) != ""
    host_cluster_set_distinct(host=victim, is_distinct=True, user=admin)
    assert started(ours) == ""


def test_what_is_no_fsid_is_none(owner: User) -> None:
    host = create_host()
    host_cluster_store(host=host, fsid="x" * 5_000)
    host.refresh_from_db()
    assert (host.cluster, host.reported_fsid) == (None, "")
    assert host.fsid_error == "It named no id of a Ceph cluster."


def test_run_on_a_pool_waits_its_turn_after_a_tuning_of_its_cluster(owner: User) -> None:
    hosts = [create_host(name=f"tuned{number}") for number in (1, 2, 3)]
    running = run_on_pool(owner, pool_on(owner, hosts[0]))
    assert started(running) == ""
    pool_on(owner, hosts[1])
    setting = Setting("ceph", "osd_max_backfills", "1", section="osd")
    tuning = TuningProfile.objects.create(name="osds", owner=owner, settings=(setting,))
    disk = create_disk(host=hosts[1], owner=owner)
    tuned = run_launch(plan=create_plan(owner=owner, target=disk, tunings=(tuning,)), user=owner)
    younger = run_on_pool(owner, pool_on(owner, hosts[2]))
    claims_release(running)
    assert started(younger) == f"waits its turn behind run {tuned.pk}"
