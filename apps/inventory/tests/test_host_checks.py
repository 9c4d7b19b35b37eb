"""A check leaves health, facts and disks behind, and loses nothing."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.inventory.models import Disk, Host, HostFacts
from apps.inventory.selectors.inventory import INSTALLABLE, READERS
from apps.inventory.services import (
    facts_store,
    host_check_failed,
    host_check_request,
    host_check_store,
    host_install_store,
    tool_install_request,
)
from apps.inventory.tests.factories import create_facts, create_host, small_disk, small_facts
from apps.remote.agent.host.install import PACKAGES
from apps.tools.messages import TranslatableMessage
from apps.tools.registry import packages


@pytest.fixture
def host(db: None) -> Host:
    return create_host(check_requested_at=timezone.now())


def store(host: Host, *, offset: float = 0.001, **changes: object) -> Host:
    host_check_store(
        host=host, facts=small_facts(**changes), round_trip_seconds=0.0004, clock_offset=offset
    )
    return Host.objects.get(pk=host.pk)


def test_a_good_check_ends_the_request(host: Host) -> None:
    found = store(host)
    assert (found.health, found.health_text, found.round_trip_seconds) == ("ok", "", 0.0004)
    assert not found.is_being_checked
    assert found.facts is not None
    assert found.facts.cpu_count == 8


def test_a_request_made_during_the_check_stays(host: Host) -> None:
    Host.objects.filter(pk=host.pk).update(check_requested_at=timezone.now())
    assert store(host).is_being_checked


def test_a_clock_that_is_off_is_a_warning(host: Host) -> None:
    found = store(host, offset=-3.21)
    assert found.health == "warning"
    assert "3.2 s behind" in found.health_text


def test_a_warning_is_stored_as_a_sentence_for_translators(host: Host) -> None:
    """Two of them, one behind the other."""
    host_check_store(
        host=host, facts=small_facts(), round_trip_seconds=0.1, clock_offset=-3.21, free=1
    )
    host.refresh_from_db()
    text = host.health_text
    assert isinstance(text, TranslatableMessage)
    room, clock = text.values.values()
    assert isinstance(room, TranslatableMessage)
    assert isinstance(clock, TranslatableMessage)
    assert str(text) == f"{room} {clock}"
    assert clock.values["seconds"] == pytest.approx(3.21)


def test_little_free_space_for_the_agent_is_a_warning(host: Host) -> None:
    facts = small_facts()
    for free, health in ((10**10, "ok"), (None, "ok"), (50 * 1024**2, "warning")):
        host_check_store(
            host=host, facts=facts, round_trip_seconds=0.1, clock_offset=0.0, free=free
        )
        host.refresh_from_db()
        assert host.health == health
    assert (host.health_kind, "50 MiB" in host.health_text) == ("low_space", True)


def test_a_failed_check_says_why_and_drops_the_installation(host: Host) -> None:
    Host.objects.filter(pk=host.pk).update(install_requested="fio")
    host.refresh_from_db()
    host_check_failed(host=host, kind="timeout", reason="It did not answer.")
    host.refresh_from_db()
    assert (host.health, host.health_kind) == ("unreachable", "timeout")
    assert host.install_requested == ""
    assert "Not installed" in host.install_log
    assert not host.is_being_checked


def test_equal_facts_are_one_row_whatever_passes_by_itself(host: Host) -> None:
    first = facts_store(host=host, data=small_facts())
    mounted = small_disk(mounts=["/mnt"], node="/dev/nvme1n1", signatures=["ext4"])
    again = facts_store(host=host, data=small_facts(uptime=99.0, boot_id="b", disks=[mounted]))
    assert again.pk == first.pk
    assert again.last_seen_at > first.last_seen_at


@pytest.mark.parametrize(
    "change",
    [{"kernel": "6.12"}, {"tools": {"fio": "3.36"}}, {"disks": [small_disk(firmware="2")]}],
)
def test_a_change_that_matters_is_a_new_row(host: Host, change: dict[str, object]) -> None:
    first = facts_store(host=host, data=small_facts())
    second = facts_store(host=host, data=small_facts(**change))
    assert first.pk != second.pk
    assert Host.objects.get(pk=host.pk).facts == second


def test_facts_are_stored_without_nul_characters(host: Host) -> None:
    row = facts_store(host=host, data=small_facts(distribution="a\0b\ud800"))
    assert HostFacts.objects.get(pk=row.pk).facts["distribution"] == "a\ufffdb\ufffd"


def test_disks_follow_the_host(host: Host) -> None:
    store(host, disks=[small_disk(), small_disk(identity="wwn:eui.2", node="/dev/nvme1n1")])
    store(host, disks=[small_disk(node="/dev/nvme7n1")])
    here, gone = Disk.objects.order_by("identity")
    assert (here.device_path, gone.device_path) == ("/dev/nvme7n1", "")


def test_no_news_about_disks_changes_none(host: Host) -> None:
    store(host)
    store(host, disks=None)
    assert Disk.objects.get().device_path == "/dev/nvme0n1"


def test_an_enrolled_disk_of_another_size_is_another_disk(host: Host, owner: User) -> None:
    store(host)
    Disk.objects.update(enrolled_by=owner, enrolled_at=timezone.now(), enrolled_size=10**12)
    store(host)
    assert Disk.objects.get().is_enrolled
    store(host, disks=[small_disk(size=10**9)])
    assert not Disk.objects.get().is_enrolled


def test_two_devices_with_one_identity_cannot_be_enrolled(host: Host) -> None:
    store(host, disks=[small_disk(), small_disk(node="/dev/nvme1n1")])
    assert "same identity" in " ".join(Disk.objects.get().enrolment_obstacles())


def test_only_the_agents_packages_are_installed(host: Host, admin: User) -> None:
    assert packages() | READERS == INSTALLABLE
    assert set(INSTALLABLE.values()) <= set(PACKAGES)
    tool_install_request(host=host, tool="iozone", user=admin)
    host.refresh_from_db()
    assert host.install_requested == "iozone3"
    with pytest.raises(ServiceError, match="does not install"):
        tool_install_request(host=host, tool="bash", user=admin)
    host_install_store(host=host, log="unpacked", exit_code=100)
    host.refresh_from_db()
    assert "exit code 100" in host.install_log


def test_a_disabled_host_is_not_checked(operator: User, viewer: User) -> None:
    host = create_host(enabled=False)
    with pytest.raises(ServiceError, match="switched off"):
        host_check_request(host=host, user=operator)
    with pytest.raises(PermissionDenied):
        host_check_request(host=host, user=viewer)


def test_a_broker_that_is_down_never_fails_the_request(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise ConnectionRefusedError("no broker")

    monkeypatch.setattr("celery.current_app.send_task", refuse)
    send("execution.check_host", 1)
    assert "next sweep" in caplog.text


def test_facts_of_a_check_show_on_the_host(host: Host) -> None:
    create_facts(host, kernel="6.9")
    assert host.facts is not None
    assert host.facts.facts["kernel"] == "6.9"
