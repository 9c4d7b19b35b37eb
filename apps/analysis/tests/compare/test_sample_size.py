"""Advised repeats come from the noise of the plan's hosts and tools."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import Setup, create_measured_run
from apps.analysis.verdicts.sample_size import recommended_repeats
from apps.inventory.models import Disk
from apps.plans.models import TestPlan
from apps.plans.schemas.stopping import PrecisionLimits
from apps.runs.tests.factories import create_disk, create_host, create_plan
from apps.tuning.models import TuningProfile

pytestmark = pytest.mark.django_db


def two_tunings(owner: User, disk: Disk, **fields: object) -> TestPlan:
    tunings = tuple(
        TuningProfile.objects.create(name=name, owner=owner, settings=()) for name in "ab"
    )
    return create_plan(owner=owner, target=disk, tunings=tunings, repeats=6, **fields)


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_disk(host=create_host(), owner=owner)


def test_without_a_history_nothing_is_advised(owner: User, disk: Disk) -> None:
    found = recommended_repeats(two_tunings(owner, disk))
    assert (found.noise, found.repeats) == (None, None)


def test_more_noise_asks_for_more_repeats(owner: User, disk: Disk) -> None:
    plan = two_tunings(owner, disk)
    create_measured_run(Setup(owner, disk=disk, repeats=12, noise=0.02, interleaved=False))
    calm = recommended_repeats(plan)
    assert calm.noise == pytest.approx(0.02, rel=0.5)
    assert calm.repeats is not None
    assert 4 <= calm.repeats <= 12
    for seed in (2, 3, 4, 5):
        create_measured_run(
            Setup(owner, disk=disk, repeats=12, noise=0.06, seed=seed, interleaved=False)
        )
    loud = recommended_repeats(plan)
    assert loud.repeats is not None
    assert loud.repeats > 2 * calm.repeats
    assert not loud.enough


def test_another_hosts_noise_does_not_count(owner: User, disk: Disk) -> None:
    create_measured_run(Setup(owner, repeats=12, noise=0.06))
    assert recommended_repeats(two_tunings(owner, disk)).noise is None


def test_the_plans_page_asks_for_the_advice_and_it_says_the_number(
    owner: User, viewer: User, disk: Disk, client: Client
) -> None:
    plan = two_tunings(owner, disk)
    create_measured_run(Setup(owner, disk=disk, repeats=12, noise=0.02, interleaved=False))
    client.force_login(viewer)
    address = reverse("plan_repeats", args=[plan.pk])
    assert address in client.get(reverse("plan_detail", args=[plan.pk])).content.decode()
    assert "Advised: " in client.get(address).content.decode()


def test_a_plan_that_decides_between_values_is_advised_for_these(owner: User, disk: Disk) -> None:
    """With one tuning there is something to compare all the same: two depths of one test."""
    params = {"rw": "randread", "bs": "4k", "iodepth": [1, 32], "size": "16M", "runtime": 1}
    plan = create_plan(
        owner=owner, target=disk, params=params, repeats=6,
        stopping_rule=PrecisionLimits(3.0, "param:iodepth"),
    )  # fmt: skip
    found = recommended_repeats(plan)
    assert (found.tests, found.levels) == (1, 2)
