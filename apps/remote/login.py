"""One login over SSH: strict host keys, a limit of concurrent logins, retries for a busy sshd."""

from __future__ import annotations

import asyncio
import os
import random
import socket
import time
from contextlib import AsyncExitStack
from typing import Any
from weakref import WeakKeyDictionary

import asyncssh

from apps.tools.messages import message

from .connection import HostSpec
from .errors import HostError, host_error
from .keys import HostKey, describe_key, login_key, pinned_key

LOGINS_IN_FLIGHT = 8  # sshd's MaxStartups 10:30:100 drops connections above ten
LOGIN_SECONDS = 20.0  # one login, from the first packet to the last
LOGIN_TRIES = 8
MAX_RETRY_SECONDS = 5.0  # between two tries
CONNECT_SECONDS = 3.0  # one try to reach the port; the kernel sends its SYN at 0 s and at 1 s
KEEPALIVE_SECONDS = 2.5  # a dead connection is detected after four intervals: 10 s
KEEPALIVE_COUNT = 3

_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


class HostKeyRecorder(asyncssh.SSHClient):
    """Stores the key of a host that is not the pinned one, and rejects it."""

    presented: HostKey | None = None

    def validate_host_public_key(
        self, host: str, addr: str, port: int, key: asyncssh.SSHKey
    ) -> bool:
        self.presented = describe_key(key)
        return False


async def log_in(
    spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None
) -> asyncssh.SSHClientConnection:
    """Return a logged-in connection to the host, through the tunnel if there is one.

    Raises: HostError.
    """
    lost: Exception | None = None
    for attempt in range(LOGIN_TRIES):
        started = time.monotonic()
        try:
            return await _log_in_once(spec, tunnel)
        except (asyncssh.ConnectionLost, ConnectionResetError) as error:
            lost = error
        if time.monotonic() - started > LOGIN_SECONDS / 2:
            raise host_error("unreachable", spec.name, str(lost)) from lost
        await asyncio.sleep(random.uniform(0.3, 1.0) * min(0.5 * 2**attempt, MAX_RETRY_SECONDS))
    raise host_error(
        "busy", spec.name, message("%(count)d logins were dropped", count=LOGIN_TRIES)
    ) from lost


async def _log_in_once(
    spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None
) -> asyncssh.SSHClientConnection:
    recorder = HostKeyRecorder()
    async with AsyncExitStack() as stack:
        options = await connect_options(spec, stack)
        try:
            async with login_slots(), asyncio.timeout(LOGIN_SECONDS):
                return await asyncssh.connect(
                    **await endpoint_options(spec, tunnel),
                    username=spec.user,
                    client_factory=lambda: recorder,
                    **options,
                )
        except (asyncssh.HostKeyNotVerifiable, asyncssh.KeyExchangeFailed) as error:
            raise await key_error(spec, tunnel, recorder, error) from error
        except (asyncssh.ConnectionLost, ConnectionResetError):
            raise
        except (asyncssh.Error, OSError) as error:
            raise login_error(error, spec.name) from error


async def endpoint_options(
    spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None
) -> dict[str, object]:
    """Return the options for the tunnel, or for a socket that is connected here."""
    if tunnel:
        return {"host": spec.address, "port": spec.port, "tunnel": tunnel}
    return {"sock": await _open_socket(spec.address, spec.port)}


async def _open_socket(address: str, port: int) -> socket.socket:
    """Return a connected socket. Raises: OSError.

    Retries every few seconds until the caller's timeout, since the kernel's retries back off to
    2, 4 and 8 s and would delay the contact with a rebooted host.
    """
    loop = asyncio.get_running_loop()
    while True:
        rows = await loop.getaddrinfo(address, port, type=socket.SOCK_STREAM)
        refused: OSError | None = None
        for family, kind, protocol, _name, endpoint in rows:
            try:
                return await _connect(socket.socket(family, kind, protocol), endpoint)
            except TimeoutError:
                continue
            except OSError as error:
                refused = error
        if refused:
            raise refused


async def _connect(sock: socket.socket, endpoint: Any) -> socket.socket:
    try:
        sock.setblocking(False)
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.get_running_loop().sock_connect(sock, endpoint)
    except BaseException:
        sock.close()
        raise
    return sock


async def connect_options(spec: HostSpec, stack: AsyncExitStack) -> dict[str, object]:
    """Return the options of asyncssh.connect, independent of the machine's ssh configuration."""
    return {
        "config": None,
        "known_hosts": ([_trusted_key(spec)], [], []),
        "client_keys": await _client_keys(spec, stack),
        "agent_path": None,
        "agent_forwarding": False,
        "gss_host": None,
        "x509_trusted_certs": None,
        "preferred_auth": "publickey",
        "disable_trivial_auth": True,
        "login_timeout": LOGIN_SECONDS,
        "keepalive_interval": KEEPALIVE_SECONDS,
        "keepalive_count_max": KEEPALIVE_COUNT,
    }


def _trusted_key(spec: HostSpec) -> asyncssh.SSHKey:
    """Return the pinned key. Raises: HostError key_unknown without one, key_revoked."""
    key = pinned_key(spec.host_key, spec.name)
    if describe_key(key).line in spec.revoked:
        raise host_error("key_revoked", spec.name)
    return key


async def _client_keys(spec: HostSpec, stack: AsyncExitStack) -> list[Any] | None:
    """Return the keys to offer; None if there are none, since an empty list means ~/.ssh."""
    keys: list[Any] = []
    if spec.private_key:
        keys.append(login_key(spec.private_key, spec.passphrase, spec.name))
    if spec.agent:
        try:
            agent = await stack.enter_async_context(asyncssh.connect_agent())
            keys.extend(await agent.get_keys())
        except (OSError, ValueError, asyncssh.Error) as error:
            raise host_error(
                "refused_login", spec.name, message("no ssh-agent (%(reason)s)", reason=str(error))
            ) from error
    return keys or None


async def key_error(
    spec: HostSpec,
    tunnel: asyncssh.SSHClientConnection | None,
    recorder: HostKeyRecorder,
    error: asyncssh.Error,
) -> HostError:
    """Return the error with both fingerprints; scans the key if the pinned algorithm is gone."""
    pinned = describe_key(pinned_key(spec.host_key, spec.name))
    presented = recorder.presented or await scan(spec, tunnel)
    if presented.fingerprint == pinned.fingerprint:
        return login_error(error, spec.name)
    return host_error(
        "key_changed",
        spec.name,
        message(
            "it presents %(presented)s (%(algorithm)s), "
            "enrolled was %(pinned)s (%(pinned_algorithm)s)",
            presented=presented.fingerprint,
            algorithm=presented.algorithm,
            pinned=pinned.fingerprint,
            pinned_algorithm=pinned.algorithm,
        ),
    )


async def scan(spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None) -> HostKey:
    """Return the host's present key without logging in. Raises: HostError unreachable."""
    try:
        async with login_slots(), asyncio.timeout(LOGIN_SECONDS):
            key = await asyncssh.get_server_host_key(
                spec.address, spec.port, tunnel=tunnel or (), config=None
            )
    except (asyncssh.Error, OSError) as error:
        raise login_error(error, spec.name) from error
    if key is None:
        raise host_error("unreachable", spec.name, message("it presents no host key"))
    return describe_key(key)


def login_slots() -> asyncio.Semaphore:
    """Return the semaphore for all logins of this event loop."""
    return _slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(LOGINS_IN_FLIGHT))


def login_error(error: Exception, host: str) -> HostError:
    """Return the HostError for an error of asyncssh or the network."""
    if isinstance(error, asyncssh.PermissionDenied):
        return host_error("refused_login", host, error.reason)
    if isinstance(error, TimeoutError):
        return host_error(
            "unreachable",
            host,
            message("no answer in %(seconds)d s", seconds=round(LOGIN_SECONDS)),
        )
    if isinstance(error, asyncssh.ConnectionLost):
        return host_error("unreachable", host, message("it closed the connection during the login"))
    if isinstance(error, OSError):
        return host_error("unreachable", host, network_error_text(error))
    return host_error(
        "unreachable",
        host,
        message("the server is no usable SSH server (%(reason)s)", reason=str(error)),
    )


def network_error_text(error: OSError) -> str:
    """Return the error text of the kernel or the resolver; asyncio's own text has addresses."""
    if error.errno and error.errno > 0:
        return os.strerror(error.errno).lower()
    return error.strerror or str(error)
