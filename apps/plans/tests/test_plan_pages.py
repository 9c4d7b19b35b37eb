"""Users' rights on the pages of plans."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.plans.models import TestPlan
from apps.plans.selectors.schedules import schedule_of
from apps.plans.services.plans import plan_archive
from apps.plans.tests.factories import create_disk, create_plan


def test_everybody_logged_in_reads(owner: User, viewer_client: Client) -> None:
    plan = create_plan(owner=owner, name="nightly")
    listing = viewer_client.get(reverse("plan_list")).content.decode()
    assert "nightly" in listing
    assert "New plan" not in listing
    page = viewer_client.get(reverse("plan_detail", args=[plan.pk])).content.decode()
    assert "random write 4 KiB" in page
    assert "Clone" not in page


def test_nobody_else_reads(client: Client, db: None) -> None:
    assert client.get(reverse("plan_list")).status_code == 302


def test_the_empty_list_says_what_to_do(owner_client: Client) -> None:
    assert "No plans here" in owner_client.get(reverse("plan_list")).content.decode()


def test_the_list_is_filtered(owner: User, stranger: User, owner_client: Client) -> None:
    disk = create_disk()
    create_plan(owner=owner, name="alpha", targets=[disk])
    create_plan(owner=stranger, name="beta", targets=[disk])
    plan_archive(plan=create_plan(owner=owner, name="gamma", targets=[disk]), user=owner)

    def names(query: str) -> list[str]:
        page = owner_client.get(f"{reverse('plan_list')}?{query}").content.decode()
        return [name for name in ("alpha", "beta", "gamma") if f">{name}<" in page]

    assert names("") == ["alpha", "beta"]
    assert names("name=ALP") == ["alpha"]
    assert names(f"owner={stranger.pk}") == ["beta"]
    assert names("tool=fio") == ["alpha", "beta"]
    assert names("archived=on") == ["alpha", "beta", "gamma"]


@pytest.mark.parametrize("count", [2, 12])
def test_the_list_costs_the_same_however_long(
    owner: User,
    owner_client: Client,
    count: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    disk = create_disk()
    for _number in range(count):
        create_plan(owner=owner, targets=[disk])
    with django_assert_max_num_queries(6):
        owner_client.get(reverse("plan_list"))


@pytest.mark.parametrize("name", ["plan_archive", "plan_delete", "plan_schedule"])
def test_a_stranger_may_not(owner: User, stranger_client: Client, name: str) -> None:
    plan = create_plan(owner=owner)
    address = reverse(name, args=[plan.pk])
    assert stranger_client.post(address, {"at": "02:30"}).status_code == 403
    assert stranger_client.get(address).status_code == 302
    assert TestPlan.objects.get().archived_at is None


def test_a_stranger_may_not_edit_but_clone(owner: User, stranger_client: Client) -> None:
    plan = create_plan(owner=owner)
    assert stranger_client.get(reverse("plan_edit", args=[plan.pk])).status_code == 403
    answer = stranger_client.post(reverse("plan_clone", args=[plan.pk]))
    copy = TestPlan.objects.exclude(pk=plan.pk).get()
    assert answer.headers["Location"] == reverse("plan_edit", args=[copy.pk])


@pytest.mark.parametrize("name", ["plan_clone", "plan_archive", "plan_delete", "plan_schedule"])
def test_a_viewer_may_not(owner: User, viewer_client: Client, name: str) -> None:
    plan = create_plan(owner=owner)
    assert viewer_client.post(reverse(name, args=[plan.pk])).status_code == 403


def test_the_owner_archives_restores_and_deletes(owner: User, owner_client: Client) -> None:
    plan = create_plan(owner=owner)
    owner_client.post(reverse("plan_archive", args=[plan.pk]))
    assert TestPlan.objects.get().archived_at is not None
    owner_client.post(reverse("plan_archive", args=[plan.pk]), {"restore": "1"})
    assert TestPlan.objects.get().archived_at is None
    assert owner_client.post(reverse("plan_delete", args=[plan.pk])).status_code == 302
    assert not TestPlan.objects.exists()


def test_the_owner_schedules(owner: User, owner_client: Client) -> None:
    plan = create_plan(owner=owner)
    address = reverse("plan_schedule", args=[plan.pk])
    page = owner_client.post(address, {"at": "02:30", "weekday": "6"}, follow=True)
    assert "every Sunday at 02:30 UTC" in page.content.decode()
    page = owner_client.post(address, {"at": "noon"}, follow=True)
    assert "Write a time" in page.content.decode()
    owner_client.post(address, {"clear": "1"})
    assert schedule_of(plan) is None


def test_problems_are_sentences_on_the_page(owner: User, owner_client: Client) -> None:
    disk = create_disk()
    plan = create_plan(owner=owner, targets=[disk])
    disk.enrolled_at = None
    disk.save()
    page = owner_client.get(reverse("plan_detail", args=[plan.pk])).content.decode()
    assert "This cannot be launched" in page
    assert "is not enrolled as expendable" in page
