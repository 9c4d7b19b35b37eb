"""Runs that disturb a cluster: enrolment, typed name, approval, preflight and the agent's job."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import ApiToken, Role, User
from apps.accounts.tests.factories import create_user
from apps.common.errors import ServiceError
from apps.execution.jobs.spec import attempt_jobs
from apps.execution.services.preflight import refusal_reason
from apps.inventory.models import CephCluster, Directory, Pool
from apps.inventory.services import disk_withdraw, host_cluster_disturbances
from apps.inventory.tests.factories import create_cluster, create_disk, create_pool
from apps.plans.models import TestPlan
from apps.plans.schemas.disturbance import Disturbance
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.tests.factories import add_target
from apps.remote.agent.disturbance.request import validate_disturbance
from apps.runs.models import Attempt, Run, RunState
from apps.runs.services.runs import run_cancel, run_launch
from apps.runs.tests.approvals import approved, digest_of, starts
from apps.runs.tests.factories import create_host
from apps.tools.values import RawValue

RADOS: dict[str, RawValue] = {"operations": "write", "bs": "16k", "threads": 1, "seconds": 600}


@pytest.fixture
def pool(owner: User) -> Pool:
    osds = [
        {"id": n, "host": "elsewhere", "addresses": [], "devices": [], "store": "bluestore",
         "up": True, "is_in": True}
        for n in range(3)
    ]  # fmt: skip
    cluster = create_cluster(osds=osds)
    host = create_host(cluster=cluster, reported_fsid=cluster.fsid, fsid_checked_at=timezone.now())
    return create_pool(owner=owner, host=host, name="bench", monitor_osd_hosts=False)


@pytest.fixture
def plan(owner: User, pool: Pool) -> TestPlan:
    spec = PlanSpec(
        steps=(StepSpec("rados", RADOS),), repeats=1, disturbance=Disturbance("osd_out", osd=1)
    )
    plan = TestPlan.objects.create(name="disturbed", owner=owner, spec=spec)
    add_target(plan, pool)
    return plan


@pytest.fixture
def allowed(admin: User, pool: Pool) -> CephCluster:
    host = host_cluster_disturbances(host=pool.host, allowed=True, user=admin)
    assert host.cluster
    return host.cluster


def launched(plan: TestPlan, user: User) -> Run:
    return run_launch(plan=plan, user=user, confirm_disturbance="bench")


def test_launch_needs_enrolment_and_the_typed_name(plan: TestPlan, owner: User, pool: Pool) -> None:
    with pytest.raises(ServiceError, match="allow disturbances"):
        launched(plan, owner)
    assert pool.host.cluster
    CephCluster.objects.update(disturbances_allowed_at=pool.created_at)
    for typed in ("", "rbd"):
        with pytest.raises(ServiceError, match="type the name of the pool"):
            run_launch(plan=plan, user=owner, confirm_disturbance=typed)
    assert launched(plan, owner).case_count == 1


def test_each_disturbance_needs_an_approval(
    plan: TestPlan, owner: User, allowed: CephCluster
) -> None:
    """Also without a policy; other commands of the cluster are another effect."""
    run = launched(plan, owner)
    assert not starts(run)
    digest = digest_of(run)
    CephCluster.objects.update(osd_stop_command="stop {id}", osd_start_command="start {id}")
    assert digest_of(run) != digest
    approved(run, create_user(role=Role.DISK_OWNER, username="approver"))
    assert starts(run)


def test_another_start_of_a_disturbance_needs_the_right_to_wipe(
    plan: TestPlan, owner: User, allowed: CephCluster
) -> None:
    """As its launch does, of a token and of a page."""
    run = run_cancel(run=launched(plan, owner), user=owner)
    acts = {"retry": {}, "add-repeats": {"repeats": 1}}
    client, browser = APIClient(), Client()
    browser.force_login(owner)
    for act, body in acts.items():
        client.force_authenticate(owner, ApiToken(user=owner))
        assert client.post(f"/api/v1/runs/{run.pk}/{act}/", body, format="json").status_code == 403
        assert browser.post(f"/runs/{run.pk}/{act}/", body).status_code == 403
        run.refresh_from_db()
        assert run.state == RunState.CANCELLED
    client.force_authenticate(owner, ApiToken(user=owner, may_wipe=True))
    assert client.post(f"/api/v1/runs/{run.pk}/retry/", {}, format="json").status_code == 200


def test_job_of_the_client_disturbs(plan: TestPlan, owner: User, allowed: CephCluster) -> None:
    run = launched(plan, owner)
    (job,) = attempt_jobs(Attempt(case=run.cases.get()))
    wanted = job.spec["disturbance"]
    command = job.spec["commands"][wanted["command"]]
    assert command["role"] == "write"
    assert "disturbance" not in " ".join(command["argv"])
    assert (wanted["kind"], wanted["osd"], wanted["pool"]) == ("osd_out", 1, "bench")
    assert wanted["fsid"] == allowed.fsid


def test_cluster_that_is_no_longer_allowed_refuses_the_attempt(
    plan: TestPlan, owner: User, allowed: CephCluster
) -> None:
    run = launched(plan, owner)
    attempt = Attempt.objects.create(case=run.cases.get(), number=1)
    assert refusal_reason(attempt) == ""
    CephCluster.objects.update(disturbances_allowed_at=None)
    assert "may no longer be disturbed" in str(refusal_reason(attempt))


def test_only_admins_allow_and_commands_come_in_pairs(admin: User, owner: User, pool: Pool) -> None:
    with pytest.raises(PermissionDenied):
        host_cluster_disturbances(host=pool.host, allowed=True, user=owner)
    for stop, start in (("stop {id}", ""), ("stop", "start {id}"), ("stop {id} '", "start {id}")):
        with pytest.raises(ServiceError):
            host_cluster_disturbances(
                host=pool.host, allowed=True, stop=stop, start=start, user=admin
            )
    pool.host.reported_fsid = "00000000-0000-0000-0000-000000000000"
    pool.host.save()
    with pytest.raises(ServiceError):
        host_cluster_disturbances(host=pool.host, allowed=True, user=admin)


def test_failing_disk_needs_its_identity_an_approval_and_its_enrolment(
    owner: User, admin: User
) -> None:
    """The array is the target; its member is an enrolled disk of the same host."""
    host = create_host()
    member = create_disk(host=host, enrolled_by=admin, identity="serial:SSD:77")
    member.facts = {**member.facts, "holders": ["md0"]}
    member.save()
    folder = Directory.objects.create(host=host, path="/mnt/array", owner=owner)
    fio: dict[str, RawValue] = {"rw": "randwrite", "bs": "4k", "size": "1G", "runtime": 900}
    wanted = Disturbance("md_fail", member=member.identity)
    spec = PlanSpec(steps=(StepSpec("fio", fio),), repeats=1, disturbance=wanted)
    plan = TestPlan.objects.create(name="md", owner=owner, spec=spec)
    add_target(plan, folder)
    with pytest.raises(ServiceError, match="type its identity"):
        run_launch(plan=plan, user=owner, confirm_disturbance="bench")
    run = run_launch(plan=plan, user=owner, confirm_disturbance=member.identity)
    assert not starts(run)
    approved(run, create_user(role=Role.DISK_OWNER, username="approver"))
    assert starts(run)
    attempt = Attempt.objects.create(case=run.cases.get(), number=1)
    (job,) = attempt_jobs(attempt)
    job_wanted = validate_disturbance(job.spec["disturbance"], len(job.spec["commands"]))
    assert job_wanted
    assert (job_wanted["kind"], job_wanted["member"]) == ("md_fail", member.identity)
    assert refusal_reason(attempt) == ""
    disk_withdraw(disk=member, user=admin)
    assert "no longer enrolled" in str(refusal_reason(attempt))
