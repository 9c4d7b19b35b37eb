"""Host keys as people compare them, and key pairs benchlab logs in with.

Inventory needs this module in every process, and few ever see a key: asyncssh, which takes 0.1 s to
load, is loaded by the functions that do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.tools.messages import message

from .errors import host_error

if TYPE_CHECKING:
    import asyncssh


@dataclass(frozen=True)
class HostKey:
    """A host's public key: the line to pin, its algorithm, its fingerprint ("SHA256:...", as ssh-
    keygen -l).
    """

    line: str
    algorithm: str
    fingerprint: str


def describe_key(key: asyncssh.SSHKey) -> HostKey:
    """A public key in the three forms benchlab stores and shows."""
    words = key.export_public_key().decode("ascii").split()
    return HostKey(" ".join(words[:2]), words[0], key.get_fingerprint("sha256"))


def pinned_key(line: str | None, host: str) -> asyncssh.SSHKey:
    """The key a host was enrolled with. Raises HostError key_unknown when there is none, or it is
    no key.
    """
    if not line:
        raise host_error("key_unknown", host)
    import asyncssh

    try:
        return asyncssh.import_public_key(line)
    except asyncssh.KeyImportError as error:
        raise host_error(
            "key_unknown",
            host,
            message(" (the stored one is unreadable: %(why)s)", why=str(error)),
        ) from error


def login_key(pem: str, passphrase: str | None, host: str) -> asyncssh.SSHKey:
    """The private key in a PEM text. Raises HostError refused_login when it or its passphrase is
    wrong.
    """
    import asyncssh

    try:
        return asyncssh.import_private_key(pem, passphrase)
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        raise host_error(
            "refused_login",
            host,
            message("the stored key cannot be used (%(why)s)", why=str(error)),
        ) from error


def generate_key() -> tuple[str, str]:
    """A new ed25519 pair: the private key as OpenSSH PEM text, the public key as an
    authorized_keys line.
    """
    import asyncssh

    key = asyncssh.generate_private_key("ssh-ed25519", comment="benchlab")
    return key.export_private_key().decode("ascii"), key.export_public_key().decode("ascii").strip()
