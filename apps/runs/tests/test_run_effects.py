"""Every effect of a run moves its digest; names, notes and the seed do not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from apps.accounts.models import User
from apps.inventory.models import CephCluster, Disk, Host
from apps.inventory.tests.factories import create_cluster, create_host, create_pool
from apps.plans.models import TestPlan
from apps.plans.tests.factories import add_target
from apps.runs.models import Case, CaseState, Run, RunBackground
from apps.runs.selectors.effect_rules import BYTES_A_SECOND as GIB
from apps.runs.selectors.effects import run_effects
from apps.runs.services.annotations import run_annotate
from apps.runs.tests.approvals import (
    approver,
    digest_of,
    disk,
    launched,
    plan,
    policy,
)
from apps.runs.tests.factories import PARAMS, create_disk, create_plan, create_run
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

__all__ = ["approver", "disk", "plan", "policy"]

pytestmark = pytest.mark.django_db


EFFECTS: list[Callable[[Run, Disk], object]] = [
    lambda run, disk: Host.objects.filter(pk=disk.host_id).update(address="192.0.2.9"),
    lambda run, disk: Host.objects.filter(pk=disk.host_id).update(user="other"),
    lambda run, disk: Host.objects.filter(pk=disk.host_id).update(privilege_mode="user"),
    lambda run, disk: Host.objects.filter(pk=disk.host_id).update(host_key="ssh-ed25519 AAAA"),
    lambda run, disk: Disk.objects.filter(pk=disk.pk).update(content_changed="other data"),
    lambda run, disk: run.targets.get().members.update(identity="wwn-other"),
    lambda run, disk: run.targets.get().members.update(size=1),
    lambda run, disk: run.targets.get().members.update(kind="directory"),
    lambda run, disk: run.targets.update(level="raid5"),
    lambda run, disk: run.tunings.update(settle_seconds=9.0),
    lambda run, disk: Run.objects.filter(pk=run.pk).update(wipe_confirmed_by=run.owner_id),
    lambda run, disk: run.cases.filter(sequence=0).delete(),
    lambda run, disk: run.cases.update(purpose="precondition"),
    lambda run, disk: run.cases.update(state=CaseState.SUCCEEDED),
    lambda run, disk: type(run.cases.all()[0].workload).objects.update(params={"rw": "write"}),
]


@pytest.mark.parametrize("change", EFFECTS)
def test_every_effect_moves_the_digest(
    owner: User, plan: TestPlan, disk: Disk, change: Callable[[Run, Disk], object]
) -> None:
    run = launched(plan, owner)
    before = digest_of(run)
    change(run, disk)
    assert digest_of(Run.objects.get(pk=run.pk)) != before


def test_time_of_a_background_load_before_the_test_moves_the_digest(
    owner: User, plan: TestPlan
) -> None:
    run = launched(plan, owner)
    params = run.cases.all()[0].workload.params
    load = RunBackground.objects.create(
        run=run, position=0, value="x", tool="fio", params=params, label="x", settle_seconds=5.0
    )
    run.cases.update(background=load)
    before = digest_of(Run.objects.get(pk=run.pk))
    RunBackground.objects.update(settle_seconds=3600.0)
    assert digest_of(Run.objects.get(pk=run.pk)) != before


def test_settings_of_a_tuning_move_the_digest(owner: User, plan: TestPlan) -> None:
    run = launched(plan, owner)
    before = digest_of(run)
    tuning = run.tunings.get()
    tuning.settings = (Setting("queue", "scheduler", "none"),)
    tuning.save()
    assert digest_of(Run.objects.get(pk=run.pk)) != before


def test_names_notes_and_the_seed_do_not_move_the_digest(
    owner: User, plan: TestPlan, disk: Disk
) -> None:
    run = launched(plan, owner)
    before = digest_of(run)
    run_annotate(run=run, user=owner, note="tonight", tags=["night"])
    Run.objects.filter(pk=run.pk).update(name="other", seed=7, expected_seconds=1.0)
    Case.objects.update(step_name="renamed", expected_seconds=12.0)
    run.tunings.update(name="renamed")
    run.targets.update(name="renamed")
    run.targets.get().members.update(label="renamed", host_name="renamed")
    Host.objects.update(name="renamed")
    assert digest_of(Run.objects.get(pk=run.pk)) == before
    assert digest_of(launched(plan, owner)) == before


def test_shuffled_relaunches_have_equal_effects(owner: User, disk: Disk) -> None:
    tuned = TuningProfile.objects.create(
        name="none", owner=owner, settings=(Setting("queue", "scheduler", "none"),)
    )
    plain = TuningProfile.objects.create(name="plain", owner=owner)
    plan = create_plan(owner=owner, target=disk, tunings=(tuned, plain), repeats=4)
    add_target(plan, create_disk(host=disk.host, owner=owner))
    runs = [launched(plan, owner) for _number in range(6)]
    orders = {
        tuple(
            run.cases.order_by("sequence").values_list("run_tuning__tuning", "run_target__target")
        )
        for run in runs
    }
    assert len(orders) > 1
    assert len({digest_of(run) for run in runs}) == 1


def test_order_of_unshuffled_cases_is_an_effect(owner: User, disk: Disk) -> None:
    tuned = TuningProfile.objects.create(
        name="none", owner=owner, settings=(Setting("queue", "scheduler", "none"),)
    )
    plain = TuningProfile.objects.create(name="plain", owner=owner)
    plan = create_plan(owner=owner, target=disk, tunings=(tuned, plain), order="listed")
    run = launched(plan, owner)
    before = digest_of(run)
    first, second = run.cases.order_by("sequence")
    Case.objects.filter(pk=first.pk).update(sequence=second.sequence + 1)
    assert digest_of(Run.objects.get(pk=run.pk)) != before


@pytest.mark.parametrize(
    ("rw", "hours", "seconds", "bytes_"),
    [
        ("randwrite", 10.0, 16 * 60, 17 * 60 * GIB),  # 16 values are the smaller limit
        ("randwrite", 0.1, 360, (60 + 360) * GIB),
        ("randwrite", None, 16 * 60, 17 * 60 * GIB),
        ("randread", 0.1, 360, 0),
    ],
)
def test_load_search_counts_with_its_limit(
    owner: User, disk: Disk, rw: str, hours: float | None, seconds: float, bytes_: float
) -> None:
    params = PARAMS | {"rw": rw, "runtime": 60}
    run = launched(create_plan(owner=owner, target=disk, params=params), owner)
    run.cases.update(expected_seconds=60)
    usual = run_effects(run)
    run.spec = msgspec.structs.replace(
        run.spec, load_search_parameter="iodepth", load_search_max_hours=hours
    )
    effects = run_effects(run)
    assert effects.seconds - usual.seconds == pytest.approx(seconds)
    assert effects.bytes_limit == pytest.approx(bytes_, rel=0.01)


@pytest.mark.parametrize(
    "changed",
    [{"osd_restart_mode": "unit"}, {"osd_restart_command": "ceph orch daemon restart osd.{id}"}],
)
def test_restart_of_daemons_is_an_effect_of_a_tuning_that_needs_it(
    owner: User, changed: dict[str, str]
) -> None:
    cluster = create_cluster(osd_restart_mode="command", osd_restart_command="restart {id}")
    pool = create_pool(owner=owner, host=create_host(cluster=cluster))
    run = create_run(owner=owner)
    run.targets.get().members.update(kind="pool", host=pool.host, identity=pool.name)
    plain = digest_of(run)
    CephCluster.objects.update(**changed)
    assert digest_of(run) == plain
    CephCluster.objects.update(osd_restart_mode="command", osd_restart_command="restart {id}")
    tuning = run.tunings.get()
    tuning.settings = (Setting("ceph_conf", "osd_op_num_shards", "8", "osd", "pool"),)
    tuning.save()
    before = digest_of(run)
    CephCluster.objects.update(**changed)
    assert digest_of(run) != before
