"""The key of a new host that a certificate authority vouches for (ssh-keygen(1), CERTIFICATES)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import asyncssh

from .connection import HostSpec
from .keys import HostKey, describe_key
from .login import LOGIN_SECONDS, login_slots
from .ssh import connect

# No host has this name. A certificate that is valid for it is valid for every name, and proves
# nothing about this host.
NO_HOST = "no-host.invalid"


class _Client(asyncssh.SSHClient):
    """Remembers the connection, which the refused login closes."""

    connection: asyncssh.SSHClientConnection | None = None

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self.connection = conn


async def certified_key(
    spec: HostSpec, names: Sequence[str], authorities: Sequence[str]
) -> HostKey | None:
    """Return the host's key if a certificate of one of these authorities names the host.

    None without one: expired, for other names, for all names, of another authority, of a revoked
    authority, of a revoked key (`spec.revoked`). Nothing is sent but the key exchange; no login is
    tried. Raises: HostError of the jump host.
    """
    trusted = [asyncssh.import_public_key(line) for line in authorities if line not in spec.revoked]
    async with AsyncExitStack() as stack:
        tunnel: asyncssh.SSHClientConnection | tuple[()] = ()
        if spec.jump:
            jump = await connect(spec.jump)
            stack.push_async_callback(jump.close)
            tunnel = jump.connection
        for name in names:
            key = await _exchanged(spec, name, trusted, tunnel)
            if key is None:
                continue
            if await _exchanged(spec, NO_HOST, trusted, tunnel) is not None:
                return None
            described = describe_key(key)
            return described if described.line not in spec.revoked else None
    return None


async def _exchanged(
    spec: HostSpec, name: str, trusted: list[asyncssh.SSHKey], tunnel: Any
) -> asyncssh.SSHKey | None:
    """Return the key of a finished key exchange with a certificate for `name`."""
    client = _Client()
    try:
        async with login_slots(), asyncio.timeout(LOGIN_SECONDS):
            connection = await asyncssh.connect(
                spec.address,
                spec.port,
                tunnel=tunnel,
                config=None,
                host_key_alias=name,
                known_hosts=([], trusted, []),
                server_host_key_algs=_certificate_algorithms(),
                username=spec.user,
                client_keys=None,
                agent_path=None,
                gss_host=None,
                x509_trusted_certs=None,
                preferred_auth="none",
                client_factory=lambda: client,
            )
            connection.close()
    except asyncssh.PermissionDenied:
        pass
    except (asyncssh.Error, OSError):
        return None
    connected = client.connection
    # With a cipher the exchange is finished, so the host has proved that it owns the key.
    finished = connected is not None and connected.get_extra_info("recv_cipher")
    return connected.get_server_host_key() if connected is not None and finished else None


def _certificate_algorithms() -> list[str]:
    return [
        "ssh-ed25519-cert-v01@openssh.com",
        "ecdsa-sha2-nistp256-cert-v01@openssh.com",
        "ecdsa-sha2-nistp384-cert-v01@openssh.com",
        "ecdsa-sha2-nistp521-cert-v01@openssh.com",
        "rsa-sha2-512-cert-v01@openssh.com",
        "rsa-sha2-256-cert-v01@openssh.com",
    ]
