"""Ceph options of a profile held against the options of a known cluster."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.inventory.models import CephCluster
from apps.inventory.tests.factories import create_cluster, create_host
from apps.tuning.domain.cluster_options import cluster_fit, fit_to_cluster
from apps.tuning.domain.settings import SettingsError, canonical
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

BACKFILLS = Setting("ceph", "osd_max_backfills", "4", "osd")
SHARDS = Setting("ceph", "osd_op_num_shards", "4", "osd")
SHARDS_IN_CONF = Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool")
GONE = Setting("ceph", "filestore_max_sync_interval", "15", "osd")
SETTINGS = (BACKFILLS, SHARDS, GONE)
NAMES = ["osd_max_backfills", "osd_op_num_shards"]
SLOW = {"osd_op_num_shards": ("osd",)}


@pytest.fixture
def cluster(db: None) -> CephCluster:
    return create_cluster(option_names=NAMES, restart_options=["osd_op_num_shards"])


@pytest.fixture
def profile(owner: User) -> TuningProfile:
    return TuningProfile.objects.create(owner=owner, name="from the note", settings=SETTINGS)


def test_fit_of_a_profile_sorts_its_options() -> None:
    fit = cluster_fit((*SETTINGS, SHARDS_IN_CONF), NAMES, SLOW)
    assert fit.runtime == ("osd_max_backfills",)
    assert fit.restart == fit.misplaced == ("osd_op_num_shards",)
    assert fit.unknown == ("filestore_max_sync_interval",)


def test_options_of_a_cluster_that_no_check_has_read_are_not_judged() -> None:
    assert cluster_fit(SETTINGS, [], {}).is_complete


def test_fitted_settings_lose_unknown_options_and_gain_restarts() -> None:
    queue = Setting("queue", "scheduler", "none")
    fitted = fit_to_cluster((queue, *SETTINGS), NAMES, SLOW)
    assert fitted == (queue, BACKFILLS, SHARDS_IN_CONF)


@pytest.mark.parametrize("kind", ["ceph", "ceph_conf"])
@pytest.mark.parametrize("name", ["auth_cluster_required", "cephx_sign_messages", "keyring"])
def test_option_about_authentication_is_refused_when_it_is_saved(kind: str, name: str) -> None:
    with pytest.raises(SettingsError, match="authentication"):
        canonical([{"kind": kind, "name": name, "value": "none"}])


def test_page_of_a_profile_makes_one_for_the_cluster(
    owner_client: Client, profile: TuningProfile, cluster: CephCluster
) -> None:
    page = owner_client.get(reverse("tuning_detail", args=[profile.pk])).content.decode()
    address = reverse("tuning_fit", args=[profile.pk])
    assert address in page
    assert "filestore_max_sync_interval" in page
    owner_client.post(address, {"cluster": cluster.pk})
    copy = TuningProfile.objects.exclude(pk=profile.pk).get(name__startswith=profile.name)
    assert copy.settings == (BACKFILLS, SHARDS_IN_CONF)
    assert "filestore_max_sync_interval" in copy.description
    again = owner_client.post(reverse("tuning_fit", args=[copy.pk]), {"cluster": cluster.pk})
    assert again.status_code == 302
    assert TuningProfile.objects.filter(name__startswith=profile.name).count() == 2


def test_viewer_and_stranger_make_no_profile(
    viewer_client: Client, client: Client, profile: TuningProfile, cluster: CephCluster
) -> None:
    address = reverse("tuning_fit", args=[profile.pk])
    assert viewer_client.post(address, {"cluster": cluster.pk}).status_code == 403
    assert client.post(address, {"cluster": cluster.pk}).status_code == 302
    assert TuningProfile.objects.filter(name__startswith=profile.name).count() == 1


def test_api_makes_a_profile_for_the_cluster_of_a_host(
    owner_client: Client, profile: TuningProfile, cluster: CephCluster
) -> None:
    host = create_host(cluster=cluster)
    address = f"/api/v1/tunings/{profile.pk}/fit/"
    created = owner_client.post(
        address, {"host": host.pk, "name": "fitted"}, content_type="application/json"
    )
    assert created.status_code == 201
    assert [row["name"] for row in created.json()["settings"]] == NAMES
    alone = create_host(name="alone")
    refused = owner_client.post(address, {"host": alone.pk}, content_type="application/json")
    assert refused.status_code == 400
