"""Secrets at rest open with the right key at the right place only."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from django.conf import LazySettings

from apps.common.stored.secrets import SecretUnreadable, reseal, reveal, seal


def test_what_was_sealed_is_revealed_at_its_place() -> None:
    sealed = seal("-----BEGIN\nkey ä", "credential.key:1")
    assert b"BEGIN" not in sealed
    assert reveal(memoryview(sealed), "credential.key:1") == "-----BEGIN\nkey ä"


@pytest.mark.parametrize("place", ["credential.key:2", "credential.key:", "", "credential.key:11"])
def test_a_value_moved_to_another_place_stays_shut(place: str) -> None:
    with pytest.raises(SecretUnreadable, match="another place"):
        reveal(seal("secret", "credential.key:1"), place)


def test_a_changed_value_stays_shut() -> None:
    sealed = bytearray(seal("secret", "a:1"))
    sealed[-5] ^= 1
    with pytest.raises(SecretUnreadable):
        reveal(bytes(sealed), "a:1")


def test_an_old_key_still_opens_and_resealing_makes_it_needless(settings: LazySettings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.BENCHLAB_SECRET_KEYS = [old]
    sealed = seal("secret", "a:1")
    settings.BENCHLAB_SECRET_KEYS = [new, old]
    assert reveal(sealed, "a:1") == "secret"
    resealed = reseal(sealed)
    settings.BENCHLAB_SECRET_KEYS = [new]
    assert reveal(resealed, "a:1") == "secret"
    with pytest.raises(SecretUnreadable, match="Put back the key"):
        reveal(sealed, "a:1")


@pytest.mark.parametrize("place", ["", "a\0b"])
def test_a_place_that_could_be_mistaken_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match="context"):
        seal("secret", place)
