"""The pages of tuning profiles, for an owner, a viewer and a stranger."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.inventory.models import Disk, Host
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting
from apps.tuning.services import TuningDraft, tuning_archive, tuning_create

NONE = [{"kind": "queue", "name": "scheduler", "value": "none"}]


def make(owner: User, name: str = "fast") -> TuningProfile:
    return tuning_create(user=owner, draft=TuningDraft(name, settings=NONE))


def test_a_viewer_reads_but_gets_no_buttons(owner: User, viewer_client: Client) -> None:
    tuning = make(owner)
    assert "scheduler = none" in viewer_client.get(reverse("tuning_list")).content.decode()
    page = viewer_client.get(reverse("tuning_detail", args=[tuning.pk])).content.decode()
    assert "In which order requests reach the disk" in page
    assert "Clone" not in page


def test_empty_says_what_to_do(owner_client: Client, client: Client) -> None:
    assert "No tunings here" in owner_client.get(reverse("tuning_list")).content.decode()
    assert client.get(reverse("tuning_list")).status_code == 302


def test_the_list_is_filtered(owner: User, owner_client: Client) -> None:
    make(owner, "alpha")
    tuning_create(user=owner, draft=TuningDraft("beta"))
    tuning_archive(tuning=make(owner, "gamma"), user=owner)

    def names(query: str) -> list[str]:
        page = owner_client.get(f"{reverse('tuning_list')}?{query}").content.decode()
        return [name for name in ("alpha", "beta", "gamma") if f">{name}<" in page]

    assert names("") == ["alpha", "beta"]
    assert names("setting=scheduler") == ["alpha"]
    assert names("name=BET") == ["beta"]
    assert names("archived=on") == ["alpha", "beta", "gamma"]


@pytest.mark.parametrize("count", [2, 12])
def test_the_list_costs_the_same_however_long(
    owner: User,
    owner_client: Client,
    count: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(count):
        make(owner, f"tuning {number}")
    with django_assert_max_num_queries(5):
        owner_client.get(reverse("tuning_list"))


def test_blank_fields_are_left_as_found(owner_client: Client) -> None:
    data = {"name": "ra", "settle_seconds": "1.5", "read_ahead_kb": "256", "scheduler": ""}
    owner_client.post(reverse("tuning_new"), data)
    made = TuningProfile.objects.get()
    assert made.settings == (Setting("queue", "read_ahead_kb", 256),)
    assert made.settle_seconds == 1.5


@pytest.mark.parametrize(
    "bad", [{"name": ""}, {"nr_requests": "1"}, {"scheduler": "x"}, {"settle_seconds": "-1"}]
)
def test_a_bad_form_comes_back(owner_client: Client, bad: dict[str, str]) -> None:
    answer = owner_client.post(reverse("tuning_new"), {"name": "a", "settle_seconds": "0"} | bad)
    assert answer.status_code == 400
    assert "form-error" in answer.content.decode()
    assert not TuningProfile.objects.exists()


def test_duplicate_name_gives_an_error_at_the_name(owner: User, owner_client: Client) -> None:
    make(owner)
    answer = owner_client.post(reverse("tuning_new"), {"name": "fast", "settle_seconds": "0"})
    assert 'id="id_name_error"' in answer.content.decode()


def test_the_form_says_what_the_lab_offers(owner_client: Client) -> None:
    host = Host.objects.create(name="node01")
    queue = {"queue": {"schedulers": ["none", "kyber"]}}
    Disk.objects.create(host=host, identity="wwn:1", facts=queue, enrolled_at=timezone.now())
    page = owner_client.get(reverse("tuning_new")).content.decode()
    assert "kyber · offered by 1 of the enrolled disks" in page


def test_the_owner_changes_clones_and_archives(owner: User, owner_client: Client) -> None:
    tuning = make(owner)
    address = reverse("tuning_edit", args=[tuning.pk])
    assert 'value="none" selected' in owner_client.get(address).content.decode()
    owner_client.post(address, {"name": "faster", "settle_seconds": "0", "scheduler": "kyber"})
    tuning.refresh_from_db()
    assert (tuning.name, tuning.settings[0].value) == ("faster", "kyber")
    owner_client.post(reverse("tuning_clone", args=[tuning.pk]))
    assert TuningProfile.objects.filter(name="faster (copy)").exists()
    owner_client.post(reverse("tuning_archive", args=[tuning.pk]))
    tuning.refresh_from_db()
    assert tuning.archived_at is not None


def test_a_stranger_gets_403(owner: User, stranger_client: Client) -> None:
    tuning = make(owner)
    assert stranger_client.get(reverse("tuning_edit", args=[tuning.pk])).status_code == 403
    assert stranger_client.post(reverse("tuning_archive", args=[tuning.pk])).status_code == 403


def test_a_viewer_gets_403(owner: User, viewer_client: Client) -> None:
    tuning = make(owner)
    assert viewer_client.get(reverse("tuning_new")).status_code == 403
    for name in ("tuning_clone", "tuning_archive"):
        assert viewer_client.post(reverse(name, args=[tuning.pk])).status_code == 403
