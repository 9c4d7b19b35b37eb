"""One login over SSH: strict host keys, a limit of logins in flight, patience with a busy sshd."""

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

LOGINS_IN_FLIGHT = 8  # sshd's MaxStartups 10:30:100 begins to drop above ten
LOGIN_SECONDS = 20.0  # one login, from the first packet to the last
LOGIN_TRIES = 8
PAUSE_SECONDS = 5.0  # the longest pause between two tries
CONNECT_SECONDS = 3.0  # one try to reach the port; the kernel sends its SYN at 0 s and at 1 s
KEEPALIVE_SECONDS = 2.5  # a dead link is known after four silent intervals: 10 s
KEEPALIVE_COUNT = 3

_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


class _Witness(asyncssh.SSHClient):
    """Remembers the key a host showed when it is not the pinned one, and never accepts it."""

    shown: HostKey | None = None

    def validate_host_public_key(
        self, host: str, addr: str, port: int, key: asyncssh.SSHKey
    ) -> bool:
        self.shown = describe_key(key)
        return False


async def log_in(
    spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None
) -> asyncssh.SSHClientConnection:
    """A logged-in connection to the host of spec, through tunnel if there is one. Raises
    HostError.
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
        await asyncio.sleep(random.uniform(0.3, 1.0) * min(0.5 * 2**attempt, PAUSE_SECONDS))
    raise host_error(
        "busy", spec.name, message("%(count)d logins were dropped", count=LOGIN_TRIES)
    ) from lost


async def _log_in_once(
    spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None
) -> asyncssh.SSHClientConnection:
    witness = _Witness()
    async with AsyncExitStack() as stack:
        options = await _options(spec, stack)
        try:
            async with login_slots(), asyncio.timeout(LOGIN_SECONDS):
                return await asyncssh.connect(
                    **await _way(spec, tunnel),
                    username=spec.user,
                    client_factory=lambda: witness,
                    **options,
                )
        except (asyncssh.HostKeyNotVerifiable, asyncssh.KeyExchangeFailed) as error:
            raise await _key_error(spec, tunnel, witness, error) from error
        except (asyncssh.ConnectionLost, ConnectionResetError):
            raise
        except (asyncssh.Error, OSError) as error:
            raise login_error(error, spec.name) from error


async def _way(spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None) -> dict[str, object]:
    """Through the tunnel, or over a socket that is connected here."""
    if tunnel:
        return {"host": spec.address, "port": spec.port, "tunnel": tunnel}
    return {"sock": await _reached(spec.address, spec.port)}


async def _reached(address: str, port: int) -> socket.socket:
    """A connected socket. Tries anew every few seconds until the caller's time is over: the kernel
    would wait 2, 4, 8 s between its tries, and a host that is back for as long. Raises OSError.
    """
    loop = asyncio.get_running_loop()
    while True:
        found = await loop.getaddrinfo(address, port, type=socket.SOCK_STREAM)
        refused: OSError | None = None
        for family, kind, protocol, _name, place in found:
            try:
                return await _connected(socket.socket(family, kind, protocol), place)
            except TimeoutError:
                continue
            except OSError as error:
                refused = error
        if refused:
            raise refused


async def _connected(made: socket.socket, place: Any) -> socket.socket:
    try:
        made.setblocking(False)
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.get_running_loop().sock_connect(made, place)
    except BaseException:
        made.close()
        raise
    return made


async def _options(spec: HostSpec, stack: AsyncExitStack) -> dict[str, object]:
    """The options of asyncssh.connect, whatever the machine's own ssh configuration says."""
    return {
        "config": None,
        "known_hosts": ([pinned_key(spec.host_key, spec.name)], [], []),
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


async def _client_keys(spec: HostSpec, stack: AsyncExitStack) -> list[Any] | None:
    """The keys to offer; None (never an empty list, which means ~/.ssh) when there are none."""
    keys: list[Any] = []
    if spec.private_key:
        keys.append(login_key(spec.private_key, spec.passphrase, spec.name))
    if spec.agent:
        try:
            agent = await stack.enter_async_context(asyncssh.connect_agent())
            keys.extend(await agent.get_keys())
        except (OSError, ValueError, asyncssh.Error) as error:
            raise host_error(
                "refused_login", spec.name, message("no ssh-agent (%(why)s)", why=str(error))
            ) from error
    return keys or None


async def _key_error(
    spec: HostSpec,
    tunnel: asyncssh.SSHClientConnection | None,
    witness: _Witness,
    error: asyncssh.Error,
) -> HostError:
    """Both fingerprints. A host that lost the pinned algorithm is asked for the key it has now."""
    pinned = describe_key(pinned_key(spec.host_key, spec.name))
    shown = witness.shown or await scan(spec, tunnel)
    if shown.fingerprint == pinned.fingerprint:
        return login_error(error, spec.name)
    return host_error(
        "key_changed",
        spec.name,
        message(
            "it shows %(shown)s (%(algorithm)s), enrolled was %(pinned)s (%(its)s)",
            shown=shown.fingerprint,
            algorithm=shown.algorithm,
            pinned=pinned.fingerprint,
            its=pinned.algorithm,
        ),
    )


async def scan(spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None) -> HostKey:
    """The key the host shows now, without logging in. Raises HostError unreachable."""
    try:
        async with login_slots(), asyncio.timeout(LOGIN_SECONDS):
            key = await asyncssh.get_server_host_key(
                spec.address, spec.port, tunnel=tunnel or (), config=None
            )
    except (asyncssh.Error, OSError) as error:
        raise login_error(error, spec.name) from error
    if key is None:
        raise host_error("unreachable", spec.name, message("it shows no host key"))
    return describe_key(key)


def login_slots() -> asyncio.Semaphore:
    """The semaphore all logins of this event loop share (a worker process has one loop)."""
    return _slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(LOGINS_IN_FLIGHT))


def login_error(error: Exception, host: str) -> HostError:
    """The sentence for what asyncssh or the network said while logging in."""
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
        return host_error("unreachable", host, network_words(error))
    return host_error(
        "unreachable",
        host,
        message("what answers is no usable SSH server (%(why)s)", why=str(error)),
    )


def network_words(error: OSError) -> str:
    """The kernel's or the resolver's words; asyncio puts addresses where its words were."""
    if error.errno and error.errno > 0:
        return os.strerror(error.errno).lower()
    return error.strerror or str(error)
