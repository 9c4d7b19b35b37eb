"""Options of OSDs that need a restart: told apart from the others."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.inventory.tests.factories import create_cluster
from apps.tuning.domain.applicability import TuningScope, inapplicable_settings
from apps.tuning.domain.ceph_conf_parser import by_restart, parse_ceph, parse_ceph_conf, write_ceph
from apps.tuning.domain.settings import SettingsError, canonical
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting, restarted_kinds

SHARDS = Setting("ceph_conf", "osd_op_num_shards", "4", "osd", "pool")
DIRFRAGS = Setting("ceph_conf", "mds_oft_prefetch_dirfrags", "true", "mds", "pool")


@pytest.mark.parametrize("section", ["mon", "mds"])
def test_section_names_the_daemons_that_restart(section: str) -> None:
    text = f"[{section}]\nms_type = async+posix"
    (setting,) = parse_ceph_conf(text).settings
    assert (setting.section, setting.scope) == (section, "pool")
    assert write_ceph([setting], "ceph_conf") == text
    assert restarted_kinds([SHARDS, setting]) in (("mon", "osd"), ("osd", "mds"))


def test_general_option_restarts_each_daemon_that_reads_it() -> None:
    slow = {"ms_type": ("mon", "osd"), "mds_oft_prefetch_dirfrags": ("mds",)}
    general = "[global]\nms_type = a\nmds_oft_prefetch_dirfrags = true\n"
    text = f"{general}[osd]\nms_type = b\n[osd.3]\nms_type = c"
    runtime, restart = by_restart(parse_ceph(text).settings, slow)
    assert [(one.section, one.name, one.value) for one in restart] == [
        ("mon", "ms_type", "a"),
        ("osd", "ms_type", "b"),
        ("mds", "mds_oft_prefetch_dirfrags", "true"),
    ]
    assert [one.section for one in runtime] == ["osd.3"]


def test_restart_is_for_all_osds_of_a_pool() -> None:
    for section in ("", "osd", "global"):
        row = {"kind": "ceph_conf", "name": "osd op num shards", "value": 4, "section": section}
        assert canonical([row]) == (SHARDS,)


@pytest.mark.parametrize(
    "row",
    [
        {"section": "mgr", "name": "mgr_module_path", "value": "4"},
        {"section": "mon", "name": "mon_initial_members", "value": "a"},
        {"section": "mon", "name": "monmap", "value": "x"},
        {"section": "osd.3", "name": "osd_op_num_shards", "value": "4"},
        {"name": "osd_data", "value": "/tmp"},
        {"name": "keyring", "value": "/tmp/key"},
        {"name": "osd_op_num_shards", "value": "4 # five"},
        {"name": "osd_op_num_shards", "value": "4", "scope": "clients"},
    ],
)
def test_what_is_no_option_of_a_tuning_is_refused(row: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        canonical([{"kind": "ceph_conf", **row}])


def test_what_is_written_is_read_again_and_other_daemons_are_named() -> None:
    text = write_ceph([SHARDS], "ceph_conf")
    assert text == "[osd]\nosd_op_num_shards = 4"
    assert parse_ceph_conf(text).settings == (SHARDS,)
    (problem,) = parse_ceph_conf("[mgr]\nmgr_x = 4").problems
    assert "[mgr]" in problem


def test_it_reaches_a_pool_whose_osds_an_admin_lets_restart() -> None:
    allowed = TuningScope({"pool"}, has_osd_hosts=True, restarts=("osd",))
    assert inapplicable_settings([SHARDS, DIRFRAGS], allowed) == (DIRFRAGS,)
    assert inapplicable_settings([SHARDS], TuningScope({"pool"}, has_osd_hosts=True)) == (SHARDS,)
    assert inapplicable_settings([DIRFRAGS], TuningScope({"pool"}, restarts=("mds",))) == ()


def test_ceph_conf_is_recognised_by_the_cluster_options(owner_client: Client) -> None:
    create_cluster(restart_options=["osd_op_num_shards", "osd_op_queue"])
    text = "[osd]\nosd_max_backfills = 4\nosd_op_num_shards = 4\n[mon]\nosd_op_queue = wpq\n"
    form = owner_client.post(reverse("tuning_import"), {"text": text}).context["form"]
    assert form["ceph"].value() == "[osd]\nosd_max_backfills = 4\n\n[mon]\nosd_op_queue = wpq"
    assert form["ceph_conf"].value() == "[osd]\nosd_op_num_shards = 4"
    body = {"name": "Tuned", "text": text}
    made = owner_client.post(reverse("v1:tunings-ceph-conf"), body, "application/json").json()
    kinds = {row["name"]: row["kind"] for row in made["tuning"]["settings"]}
    assert kinds == {
        "osd_max_backfills": "ceph",
        "osd_op_queue": "ceph",
        "osd_op_num_shards": "ceph_conf",
    }


def test_the_profile_says_which_kind_each_option_is(owner_client: Client) -> None:
    create_cluster(restart_options=["osd_op_num_shards", "osd_op_queue"])
    data = {
        "name": "Tuned",
        "settle_seconds": "0",
        "ceph": "[osd]\nosd_max_backfills = 4\nosd_op_queue = wpq",
        "ceph_conf": "osd_op_num_shards = 4",
    }
    assert owner_client.post(reverse("tuning_new"), data).status_code == 302
    tuning = TuningProfile.objects.get(name="Tuned")
    page = owner_client.get(reverse("tuning_detail", args=[tuning.pk])).content.decode()
    assert "(ceph config set), without a restart" in page
    assert "Refused: it takes effect only when daemons are restarted" in page
    assert "Written to the ceph.conf of the daemons behind a pool" in page
    form = owner_client.get(reverse("tuning_edit", args=[tuning.pk])).context["form"]
    assert form["ceph_conf"].value() == "[osd]\nosd_op_num_shards = 4"
