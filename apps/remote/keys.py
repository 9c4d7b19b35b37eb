"""Host keys and login key pairs.

asyncssh takes 0.1 s to import, so only the functions that need it import it.
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
    """A host's public key.

    `line` is what is pinned; `fingerprint` has the form of `ssh-keygen -l` ("SHA256:...").
    """

    line: str
    algorithm: str
    fingerprint: str


def describe_key(key: asyncssh.SSHKey) -> HostKey:
    """Return line, algorithm and fingerprint of a public key."""
    words = key.export_public_key().decode("ascii").split()
    return HostKey(" ".join(words[:2]), words[0], key.get_fingerprint("sha256"))


def pinned_key(line: str | None, host: str) -> asyncssh.SSHKey:
    """Return the key a host was enrolled with.

    Raises: HostError key_unknown if absent or invalid.
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
            message(" (the stored one is unreadable: %(reason)s)", reason=str(error)),
        ) from error


def login_key(pem: str, passphrase: str | None, host: str) -> asyncssh.SSHKey:
    """Parse a private key in PEM. Raises: HostError refused_login if key or passphrase is wrong."""
    import asyncssh

    try:
        return asyncssh.import_private_key(pem, passphrase)
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        raise host_error(
            "refused_login",
            host,
            message("the stored key cannot be used (%(reason)s)", reason=str(error)),
        ) from error


def generate_key() -> tuple[str, str]:
    """Generate an ed25519 pair: private key as OpenSSH PEM, public key as authorized_keys line."""
    import asyncssh

    key = asyncssh.generate_private_key("ssh-ed25519", comment="benchlab")
    return key.export_private_key().decode("ascii"), key.export_public_key().decode("ascii").strip()
