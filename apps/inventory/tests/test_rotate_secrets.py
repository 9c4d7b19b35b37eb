"""`manage.py rotate_secrets` makes an old encryption key needless, and says where it could not."""

from __future__ import annotations

from io import StringIO

import asyncssh
import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from apps.accounts.models import AuditEntry, User
from apps.common.database.encryption import SecretUnreadable, decrypt
from apps.inventory.models import Credential, Host
from apps.inventory.selectors.inventory import host_spec, key_context
from apps.inventory.services import credential_create
from apps.inventory.tests.factories import create_host

PHRASE = "correct horse"


def fresh_key() -> str:
    return Fernet.generate_key().decode()


def locked_pem() -> str:
    """A private key that its own passphrase protects."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    return key.export_private_key("openssh", PHRASE, rounds=1, ignore_few_rounds=True).decode()


def rotate() -> str:
    said = StringIO()
    call_command("rotate_secrets", stdout=said, stderr=said)
    return said.getvalue()


def test_keys_and_passphrases_open_with_the_new_key_alone(
    admin: User, settings: LazySettings
) -> None:
    old, new = fresh_key(), fresh_key()
    settings.BENCHLAB_ENCRYPTION_KEYS = [old]
    pem = locked_pem()
    credential = credential_create(user=admin, name="a", private_key=pem, passphrase=PHRASE)
    credential_create(user=admin, name="b")
    host = create_host(credential=credential, key_source=Host.KeySource.STORED)
    settings.BENCHLAB_ENCRYPTION_KEYS = [new, old]
    assert "2 keys encrypted" in rotate()
    settings.BENCHLAB_ENCRYPTION_KEYS = [new]
    host.refresh_from_db()
    spec = host_spec(host)
    assert (spec.private_key, spec.passphrase) == (pem, PHRASE)


def test_an_unreadable_key_is_named_and_left_alone_and_the_others_are_done(
    admin: User, settings: LazySettings
) -> None:
    lost, old, new = fresh_key(), fresh_key(), fresh_key()
    settings.BENCHLAB_ENCRYPTION_KEYS = [lost]
    shut = credential_create(user=admin, name="shut")
    settings.BENCHLAB_ENCRYPTION_KEYS = [old]
    fine = credential_create(user=admin, name="fine")
    before = bytes(Credential.objects.get(pk=shut.pk).encrypted_key)
    settings.BENCHLAB_ENCRYPTION_KEYS = [new, old]
    with pytest.raises(CommandError, match="Not encrypted again: shut"):
        rotate()
    assert bytes(Credential.objects.get(pk=shut.pk).encrypted_key) == before
    settings.BENCHLAB_ENCRYPTION_KEYS = [new]
    assert opens(fine)
    assert not opens(shut)


def opens(credential: Credential) -> bool:
    row = Credential.objects.get(pk=credential.pk)
    try:
        return bool(decrypt(row.encrypted_key, key_context(row)))
    except SecretUnreadable:
        return False


def test_it_may_be_repeated_and_is_recorded_without_a_secret(admin: User) -> None:
    credential = credential_create(user=admin, name="a")
    for _ in range(2):
        assert "1 key encrypted" in rotate()
    entries = AuditEntry.objects.filter(action="encrypt again", object_id=str(credential.pk))
    assert entries.count() == 2
    assert not any("PRIVATE" in str(entry.detail) for entry in entries)


@pytest.mark.django_db
def test_nothing_to_do_is_fine() -> None:
    assert "0 keys encrypted" in rotate()
