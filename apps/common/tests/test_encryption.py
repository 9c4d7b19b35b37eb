"""Secrets at rest open with the right key at the right place only."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings

from apps.common.database.encryption import SecretUnreadable, decrypt, encrypt, reencrypt


def test_what_was_encrypted_is_decrypted_at_its_place() -> None:
    encrypted = encrypt("-----BEGIN\nkey ä", "credential.key:1")
    assert b"BEGIN" not in encrypted
    assert decrypt(memoryview(encrypted), "credential.key:1") == "-----BEGIN\nkey ä"


@pytest.mark.parametrize("place", ["credential.key:2", "credential.key:", "", "credential.key:11"])
def test_a_value_moved_to_another_place_stays_shut(place: str) -> None:
    with pytest.raises(SecretUnreadable, match="another place"):
        decrypt(encrypt("secret", "credential.key:1"), place)


def test_a_changed_value_stays_shut() -> None:
    encrypted = bytearray(encrypt("secret", "a:1"))
    encrypted[-5] ^= 1
    with pytest.raises(SecretUnreadable):
        decrypt(bytes(encrypted), "a:1")


def test_an_old_key_still_opens_and_reencrypting_makes_it_needless(settings: LazySettings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.BENCHLAB_ENCRYPTION_KEYS = [old]
    encrypted = encrypt("secret", "a:1")
    settings.BENCHLAB_ENCRYPTION_KEYS = [new, old]
    assert decrypt(encrypted, "a:1") == "secret"
    reencrypted = reencrypt(encrypted)
    settings.BENCHLAB_ENCRYPTION_KEYS = [new]
    assert decrypt(reencrypted, "a:1") == "secret"
    with pytest.raises(SecretUnreadable, match="Put back the key"):
        decrypt(encrypted, "a:1")


@pytest.mark.parametrize("place", ["", "a\0b"])
def test_a_place_that_could_be_mistaken_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match="context"):
        encrypt("secret", place)
