"""Settings that a host could not give back: in its health, on its page and in the API, with a way
to have it try again.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from msgspec.structs import replace
from rest_framework.test import APIClient

from apps.accounts.models import AuditEntry, User
from apps.inventory.domain.unrestored_settings import unrestored_settings, unrestored_text
from apps.inventory.models import Host
from apps.inventory.schemas.unrestored_settings import UnrestoredSettings
from apps.inventory.services import host_check_store
from apps.inventory.tests.factories import create_host, small_facts
from apps.remote.host_settings import ReportedSetting
from apps.remote.responses import OpenJournal
from tests.harness.documents import Changes

Api = Callable[[User | None], APIClient]
SETTING: ReportedSetting = {
    "kind": "queue",
    "identity": "wwn:eui.1",
    "name": "scheduler",
    "original": "none",
    "value": "kyber",
    "actual": "kyber",
}
WHY = "scheduler cannot be set to none (Input/output error)."
TOLD = OpenJournal("a-1", 1_700_000_000.5, WHY, [SETTING])


def checked(host: Host, loans: list[UnrestoredSettings], offset: float = 0.0) -> Host:
    """The host after a check that found these."""
    facts = small_facts()
    host_check_store(
        host=host, facts=facts, round_trip_seconds=0.001, clock_offset=offset, unrestored=loans
    )
    return Host.objects.get(pk=host.pk)


def test_unrestored_setting_is_a_warning_until_a_check_finds_none(db: None) -> None:
    host = checked(create_host(), unrestored_settings([TOLD]))
    assert (host.health, host.health_kind) == ("warning", "unrestored")
    assert host.health_text == f"1 setting is still changed since a test ended: {WHY}"
    host = checked(host, [])
    assert (host.health, host.health_text, host.unrestored_settings) == ("ok", "", [])


def test_clock_offset_is_shown_with_unrestored_settings(db: None) -> None:
    host = checked(create_host(), unrestored_settings([TOLD]), offset=9.0)
    assert host.health_text.startswith("1 setting")
    assert "9.0 s ahead" in host.health_text


def test_values_that_are_back_are_not_called_changed() -> None:
    loans = unrestored_settings(
        [replace(TOLD, settings=[], reason="The journal cannot be written.")]
    )
    assert unrestored_text(loans) == (
        "All settings are restored, but their journal could not be closed: "
        "The journal cannot be written."
    )


def test_long_answers_are_stored_up_to_their_limits() -> None:
    (loan,) = unrestored_settings([OpenJournal("a" * 9999, None, "", [{}])])
    assert (len(loan["attempt"]), loan["since"], loan["why"]) == (500, None, "")
    assert set(loan["settings"][0].values()) == {""}
    assert len(unrestored_settings([TOLD] * 1000)) == 50


def test_the_page_shows_them_and_operators_may_have_it_try_again(
    viewer_client: Client, operator_client: Client
) -> None:
    host = checked(create_host(), unrestored_settings([TOLD]))
    seen = viewer_client.get(f"/hosts/{host.pk}/").content.decode()
    assert "Unrestored settings" in seen
    assert "2023-11-14" in seen
    assert "Recover now" not in seen
    assert "Recover now" in operator_client.get(f"/hosts/{host.pk}/").content.decode()
    assert viewer_client.post(f"/hosts/{host.pk}/restore-settings/").status_code == 403
    assert operator_client.post(f"/hosts/{host.pk}/restore-settings/").status_code == 302
    assert Host.objects.get(pk=host.pk).is_being_checked
    entry = AuditEntry.objects.get(action="restore settings")
    assert entry.detail["attempts"] == ["a-1"]


def test_the_api_shows_them_and_takes_the_call(
    api: Api, owner: User, operator: User, viewer: User
) -> None:
    host = checked(create_host(), unrestored_settings([TOLD]))
    address = f"/api/v1/hosts/{host.pk}/"
    (loan,) = api(viewer).get(address).json()["unrestored_settings"]
    assert loan == {**unrestored_settings([TOLD])[0], "case": None}
    assert api(viewer).post(f"{address}restore-settings/").status_code == 403
    for number, user in enumerate((operator, owner), 1):
        assert api(user).post(f"{address}restore-settings/").json()["check_requested_at"]
        assert AuditEntry.objects.filter(action="restore settings").count() == number


@pytest.mark.parametrize("fields", [{"enabled": False}, {"kind": "imported_only"}])
def test_a_host_that_is_not_reached_refuses(api: Api, operator: User, fields: Changes) -> None:
    host = create_host(**fields)
    assert api(operator).post(f"/api/v1/hosts/{host.pk}/restore-settings/").status_code == 409


def test_without_loans_the_page_says_nothing_of_them(operator_client: Client) -> None:
    host = create_host(checked_at=timezone.now())
    assert "given back" not in operator_client.get(f"/hosts/{host.pk}/").content.decode()
