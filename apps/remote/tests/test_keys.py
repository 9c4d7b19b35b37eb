"""Keys benchlab makes, and keys people bring, with and without a passphrase."""

from __future__ import annotations

import asyncssh
import pytest

from apps.remote.errors import HostError
from apps.remote.keys import generate_key, login_key

PHRASE = "a secret phrase"


def test_a_made_pair_belongs_together() -> None:
    private, public = generate_key()
    assert private.startswith("-----BEGIN OPENSSH PRIVATE KEY-----")
    assert public.startswith("ssh-ed25519 ")
    key = login_key(private, None, "node1")
    assert key.public_data == asyncssh.import_public_key(public).public_data
    assert generate_key()[0] != private


@pytest.mark.parametrize("form", ["openssh", "pkcs8-pem"])
def test_a_key_with_a_passphrase_opens_with_it_alone(form: str) -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    # asyncssh's own 128 rounds of bcrypt take seconds each time the key is opened.
    pem = key.export_private_key(form, PHRASE, rounds=1, ignore_few_rounds=True).decode()
    assert login_key(pem, PHRASE, "node1").get_algorithm() == "ssh-ed25519"
    for wrong in (None, "another phrase"):
        with pytest.raises(HostError) as raised:
            login_key(pem, wrong, "node1")
        assert raised.value.kind == "refused_login"
        assert PHRASE not in raised.value.message
