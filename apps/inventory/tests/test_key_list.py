"""The list of SSH keys: admins see which hosts use each, and delete those that none uses."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import AuditEntry, User
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services import credential_create
from apps.inventory.tests.factories import create_host


@pytest.fixture
def host(admin: User) -> Host:
    host = create_host(name="stor1")
    host.credential = credential_create(user=admin, name="stor1")
    host.save()
    return host


def test_a_key_no_host_uses_can_go(host: Host, admin: User, admin_client: Client) -> None:
    spare = credential_create(user=admin, name="spare")
    page = admin_client.get("/ssh-keys/").content.decode()
    assert fingerprint(spare.public_key) in page
    assert page.count("/delete/") == 1
    assert admin_client.post(f"/ssh-keys/{spare.pk}/delete/").status_code == 302
    assert [key.name for key in Credential.objects.all()] == ["stor1"]
    assert AuditEntry.objects.filter(
        action="delete", object_type="credential", label="spare"
    ).exists()


def test_a_key_in_use_stays(host: Host, admin_client: Client) -> None:
    answer = admin_client.post(f"/ssh-keys/{host.credential_id}/delete/", follow=True)
    assert "It is still the key of stor1" in answer.content.decode()
    assert Credential.objects.exists()


def test_it_is_for_admins(host: Host, owner_client: Client) -> None:
    assert owner_client.get("/ssh-keys/").status_code == 403
    assert owner_client.post(f"/ssh-keys/{host.credential_id}/delete/").status_code == 403
