"""A plan begins at a pool: the same three questions, of rados bench and of the disks behind it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import CephCluster, Host, HostFacts, Pool
from apps.inventory.tests.factories import (
    create_cluster,
    create_facts,
    create_host,
    create_pool,
    small_disk,
)
from apps.plans.domain.preview import preview_of
from apps.plans.domain.wizard_goals import SECONDS, PlanWizard, loads
from apps.plans.models import TestPlan
from apps.plans.selectors.io_schedulers import schedulers_of
from apps.plans.selectors.plans import plan_draft
from apps.plans.services.wizard import wizard_plan_create
from apps.remote.cluster_responses import ClusterOsd

LARGE = "large-objects"


def osd(number: int, device: str = "sdb") -> ClusterOsd:
    address = f"192.0.2.{number + 10}"
    return {"id": number, "host": f"osd{number}", "addresses": [address], "devices": [device],
            "store": "bluestore", "up": True, "is_in": True}  # fmt: skip


def add_host(number: int, *schedulers: str) -> None:
    """A host of benchlab's that runs an OSD on a disk with these schedulers."""
    host = create_host(name=f"osd{number}", address=f"192.0.2.{number + 10}")
    queue = {"scheduler": schedulers[0], "schedulers": list(schedulers)}
    create_facts(
        host, hostname=host.name, nics=[], disks=[small_disk(node="/dev/sdb", queue=queue)]
    )
    Host.objects.filter(pk=host.pk).update(facts=HostFacts.objects.get(host=host))


@pytest.fixture
def pool(owner: User) -> Pool:
    """Of a cluster of two OSDs; both hosts are reached, and only one offers bfq."""
    made = create_pool(owner=owner, host=create_host(cluster=create_cluster(osds=[osd(0), osd(1)])))
    add_host(0, "none", "mq-deadline", "bfq")
    add_host(1, "mq-deadline", "none")
    return made


def test_schedulers_are_those_of_every_osd_disk(pool: Pool) -> None:
    assert schedulers_of(pool) == ["none", "mq-deadline"]
    CephCluster.objects.update(osds=[osd(0), osd(1, "sdc")])
    assert schedulers_of(Pool.objects.get()) == [], "nobody knows its second disk"
    CephCluster.objects.update(osds=[osd(0), osd(2)])
    assert schedulers_of(Pool.objects.get()) == [], "nobody reaches its second host"


def test_schedulers_are_compared_on_osd_hosts(pool: Pool, owner: User) -> None:
    start = PlanWizard("schedulers", [LARGE], 60, "pool")
    made = wizard_plan_create(target=pool, user=owner, start=start)
    assert [tuning.name for tuning in made.tunings.order_by("name")] == [
        "Host defaults", "Scheduler mq-deadline behind the pool", "Scheduler none behind the pool",
    ]  # fmt: skip
    assert {setting.scope for one in made.tunings.all() for setting in one.settings} == {"pool"}
    (step,) = plan_draft(made).spec.steps
    assert (step.tool, step.params["seconds"]) == ("rados", 60)
    assert (made.spec.preconditioning.sequential_fills, made.spec.repeats) == (0, 6)


@pytest.mark.parametrize("question", ["depths", "as-it-is"])
def test_every_answer_becomes_a_plan_that_can_run(pool: Pool, owner: User, question: str) -> None:
    start = PlanWizard(question, list(loads("pool")), min(SECONDS), "pool")
    made = wizard_plan_create(target=pool, user=owner, start=start)
    assert preview_of(plan_draft(made).data()).problems == ()
    depths = [step.params["threads"] for step in plan_draft(made).spec.steps]
    assert len(depths) == len(loads("pool"))
    assert all(isinstance(one, list) is (question == "depths") for one in depths)


def test_the_page_leads_to_the_plan(
    pool: Pool, owner_client: Client, viewer_client: Client
) -> None:
    address = reverse("pool_start", args=[pool.pk])
    assert address in owner_client.get(reverse("pool_list")).content.decode()
    assert address not in viewer_client.get(reverse("pool_list")).content.decode()
    page = owner_client.get(address).content.decode()
    assert "Which I/O scheduler is best" in page
    assert "small-reads" not in page, "a load of disks"
    sent = {"question": "schedulers", "loads": [LARGE], "seconds": "10"}
    scope = owner_client.post(address, sent).headers["Location"]
    assert scope == reverse("plan_detail", args=[TestPlan.objects.get().pk])
    assert not TestPlan.objects.get().runs.exists()


def test_unknown_osd_hosts_offer_no_scheduler_question(owner: User, owner_client: Client) -> None:
    pool = create_pool(owner=owner)
    page = owner_client.get(reverse("pool_start", args=[pool.pk])).content.decode()
    assert "Which I/O scheduler is best" not in page
    assert "Which queue depth is worthwhile" in page
