"""A host's key is pinned by a person who compared it, and never replaced behind their back."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services import (
    host_check_failed,
    host_key_accept,
    host_key_offered,
    host_key_scan_request,
)
from apps.inventory.tests.factories import create_host, public_line


@pytest.fixture
def host(db: None) -> Host:
    return create_host(name="ceph-01", host_key="")


def test_the_compared_key_is_pinned(host: Host, admin: User) -> None:
    line = public_line()
    host_key_offered(host=host, line=line)
    pinned = host_key_accept(host=host, fingerprint=fingerprint(line), user=admin)
    assert (pinned.host_key, pinned.presented_host_key) == (line, "")
    assert pinned.is_being_checked


def test_a_key_that_came_since_is_not_pinned(host: Host, admin: User) -> None:
    shown = public_line()
    host_key_offered(host=host, line=shown)
    host_key_offered(host=host, line=public_line())
    with pytest.raises(ServiceError, match="another key"):
        host_key_accept(host=host, fingerprint=fingerprint(shown), user=admin)
    host.refresh_from_db()
    assert host.host_key == ""


def test_an_offer_never_touches_a_pinned_key(db: None) -> None:
    host = create_host()
    host_key_offered(host=host, line=public_line())
    host.refresh_from_db()
    assert host.presented_host_key == ""


def test_a_changed_key_is_refused_loudly(admin_client: Client, viewer_client: Client) -> None:
    host = create_host()
    host_check_failed(host=host, kind="key_changed", reason="It shows another host key.")
    page = admin_client.get(f"/hosts/{host.pk}/").content.decode()
    assert "Refused: this host shows another key" in page
    assert "Forget the old key" in page
    assert "Forget the old key" not in viewer_client.get(f"/hosts/{host.pk}/").content.decode()


def test_forgetting_a_key_asks_to_see_the_new_one(admin: User) -> None:
    host = create_host()
    host_key_scan_request(host=host, user=admin)
    host.refresh_from_db()
    assert host.host_key == ""
    assert host.is_being_checked


def test_the_page_pins_only_what_it_showed(admin_client: Client, host: Host) -> None:
    line = public_line()
    host_key_offered(host=host, line=line)
    address = f"/hosts/{host.pk}/key/"
    assert fingerprint(line) in admin_client.get(address).content.decode()
    admin_client.post(address, {"fingerprint": "SHA256:other"})
    host.refresh_from_db()
    assert host.host_key == ""
    admin_client.post(address, {"fingerprint": fingerprint(line)})
    host.refresh_from_db()
    assert host.host_key == line


def test_only_an_admin_confirms(owner_client: Client, host: Host) -> None:
    assert owner_client.get(f"/hosts/{host.pk}/key/").status_code == 403
