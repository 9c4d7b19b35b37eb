"""A ceph.conf becomes a tuning profile: in the browser, by a script, and as text again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from apps.tuning.domain.ceph_conf_parser import parse_ceph, write_ceph
from apps.tuning.domain.settings import SettingsError, canonical
from apps.tuning.domain.sysctl_parser import parse_lines
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

# The team's own file: 39 options in two sections, comments in Chinese, one value in quotes.
TUNED = (Path(__file__).parent / "samples" / "tuned-ceph.conf").read_text()


def test_the_teams_file_is_read_whole() -> None:
    reading = parse_ceph(TUNED)
    rows = {(one.section, one.name): one.value for one in reading.settings}
    assert [problem.split()[1] for problem in reading.problems] == ["2", "3", "4"]  # auth_...
    assert len(rows) == 36
    assert rows["osd", "osd_journal_size"] == "200"
    assert rows["osd", "osd_mkfs_options_xfs"] == "-f -i size=2048"
    assert rows["osd", "filestore_max_sync_interval"] == "15"
    assert rows["osd", "osd_scrub_load_threshold"] == "5"
    assert rows["osd", "osd_client_message_size_cap"] == "2147483648"
    assert rows["osd", "osd_mount_options_xfs"] == "rw,noexec,nodev,noatime,nodiratime,nobarrier"
    assert rows["osd", "osd_crush_chooseleaf_type"] == "0"


def test_what_is_written_is_read_again_as_it_was() -> None:
    settings = parse_ceph(TUNED).settings
    assert parse_ceph(write_ceph(settings)).settings == settings


def test_lines_without_option_give_notes() -> None:
    text = (
        "mon_max_pg = 3\n[osd]\nosd max backfills\n[rgw]\nx_y = 1\n[osd]\nosd-op-num = 2 ; note\n"
    )
    reading = parse_ceph(text)
    assert [(one.section, one.name, one.value) for one in reading.settings] == [
        ("global", "mon_max_pg", "3"),
        ("osd", "osd_op_num", "2"),
    ]
    assert [problem.split(":")[0] for problem in reading.problems] == [
        "Line 3 is left out",
        "Line 5 is left out",
    ]


def test_a_continued_line_is_one() -> None:
    assert parse_ceph("[osd]\nosd_a_b = 1 \\\n  2\n").settings[0].value == "1 2"


@pytest.mark.parametrize("name", ["kernel.core_pattern", "kernel.modprobe", "../etc/passwd", "x"])
def test_only_listed_kernel_settings_are_applied(name: str) -> None:
    with pytest.raises(SettingsError):
        canonical([{"kind": "sysctl", "name": name, "value": "1"}])
    assert parse_lines(f"{name} = 1").settings == ()


@pytest.mark.parametrize("value", ["", "a\nb" * 200, "x" * 201, "\x00"])
def test_a_value_is_one_short_line(value: str) -> None:
    with pytest.raises(SettingsError):
        canonical([{"kind": "ceph", "section": "osd", "name": "osd_a", "value": value}])


def test_kinds_stand_in_one_order() -> None:
    given = (
        Setting("ceph", "osd_max_backfills", "4", section="osd"),
        Setting("sysctl", "kernel.pid_max", "4194303"),
        Setting("cpu", "pin_to_hardware_queues", "split"),
        Setting("queue", "rq_affinity", 2),
    )
    assert canonical(given) == given[::-1]


def test_in_the_browser_the_file_becomes_a_form_that_is_saved(owner_client: Client) -> None:
    file = SimpleUploadedFile("ceph.conf", TUNED.encode())
    page = owner_client.post(reverse("tuning_import"), {"file": file})
    form = page.context["form"]
    assert page.status_code == 200
    assert "36 options were understood" in page.content.decode()
    assert not TuningProfile.objects.filter(name="Tuned").exists()
    data = {"name": "Tuned", "settle_seconds": "5", "ceph": form["ceph"].value()}
    assert owner_client.post(reverse("tuning_new"), data).status_code == 302
    saved = TuningProfile.objects.get(name="Tuned")
    assert len(saved.settings) == 36
    shown = owner_client.get(reverse("tuning_detail", args=[saved.pk])).content.decode()
    assert "osd/osd_map_cache_bl_size" in shown


def test_lines_that_are_no_settings_are_errors_of_the_form(owner_client: Client) -> None:
    data = {
        "name": "X",
        "settle_seconds": "0",
        "sysctl": "kernel.pid_max 4\nkernel.core_pattern = |sh",
    }
    page = owner_client.post(reverse("tuning_new"), data)
    assert page.status_code == 400
    assert "Line 1 is left out" in page.content.decode()
    assert "kernel.core_pattern is not among" in page.content.decode()


def test_a_file_without_an_option_is_refused(owner_client: Client, viewer_client: Client) -> None:
    page = owner_client.post(reverse("tuning_import"), {"text": "hello"})
    assert page.status_code == 400
    assert "no option of Ceph" in page.content.decode()
    assert viewer_client.get(reverse("tuning_import")).status_code == 403


def test_a_script_sends_the_text(owner_client: Client, viewer_client: Client) -> None:
    body = {"name": "Tuned", "text": TUNED + "\nnonsense\n"}
    address = reverse("v1:tunings-ceph-conf")
    assert viewer_client.post(address, body, "application/json").status_code == 403
    answer = owner_client.post(address, body, "application/json")
    assert answer.status_code == 201
    assert len(answer.json()["tuning"]["settings"]) == 36
    assert len(answer.json()["left_out"]) == 4


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("vm.swappiness = abc; rm -rf /", False),
        ("net.core.default_qdisc = fq|sh", False),
        ("net.ipv4.tcp_rmem = 4096\t87380 6291456", True),
        ("net.ipv4.tcp_congestion_control = bbr", True),
        ("net.core.default_qdisc = fq_codel", True),
    ],
)
def test_a_kernel_setting_takes_what_the_kernel_would(line: str, taken: bool) -> None:
    reading = parse_lines(line)
    assert bool(reading.settings) is taken
    assert bool(reading.problems) is not taken
