"""The first contact with a host: one login with a password puts the public key there.

The password stays in the memory of this process. It is sent only after the host has proved that it
has the pinned host key, and only once. It is cut out of every text that a host returns, because a
host that lies may repeat it.
"""

from __future__ import annotations

import asyncio
import logging
import shlex
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import asyncssh

from apps.tools.messages import message

from .connection import HostSpec
from .errors import MAX_DETAIL_LENGTH, ErrorKind, HostError
from .login import (
    LOGIN_SECONDS,
    HostKeyRecorder,
    connect_options,
    endpoint_options,
    key_error,
    log_in,
    login_error,
    login_slots,
)
from .ssh import SshTransport, connect

DeploymentState = Literal[
    "key_works",
    "key_deployed",
    "password_refused",
    "key_changed",
    "key_unknown",
    "failed",
    "timed_out",
]
log = logging.getLogger(__name__)
STATES: dict[ErrorKind, DeploymentState] = {
    "key_changed": "key_changed",
    "key_unknown": "key_unknown",
}
SCRIPT_SECONDS = 20.0
# No single quote, backslash, exclamation mark or line feed, as in apps.remote.bootstrap.
SCRIPT = (
    "umask 077; key=$1; file=~/.ssh/authorized_keys; mkdir -p ~/.ssh && touch $file || exit 1; "
    'grep -qxF "$key" $file && exit 0; '
    'if [ -n "$(tail -c 1 $file)" ]; then echo >> $file || exit 1; fi; '
    'echo "$key" >> $file || exit 1; '
    "if command -v restorecon > /dev/null; then restorecon -R ~/.ssh; fi; exit 0"
)
HIDDEN = "***"
Key = TypeVar("Key")


@dataclass(frozen=True)
class KeyDeployment:
    """What is deployed where: the public key line on the host, as the user that `spec` logs in."""

    spec: HostSpec
    line: str


@dataclass(frozen=True)
class DeploymentResult:
    """The result of one host; `text` is the reason, empty if the key works."""

    state: DeploymentState
    text: str = ""


class _OncePassword(HostKeyRecorder):
    """Gives the password once, to the first method of the server that takes one."""

    def __init__(self, password: str) -> None:
        self._password: str | None = password

    @property
    def is_used(self) -> bool:
        return self._password is None

    def _take(self) -> str | None:
        password, self._password = self._password, None
        return password

    def password_auth_requested(self) -> str | None:
        return self._take()

    def kbdint_auth_requested(self) -> str | None:
        return None if self.is_used else ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Any
    ) -> list[str] | None:
        if not prompts:
            return []
        password = self._take() if len(prompts) == 1 else None
        return None if password is None else [password]


async def deploy_keys(
    deployments: Mapping[Key, KeyDeployment], password: str, seconds: float
) -> dict[Key, DeploymentResult]:
    """Deploy keys on many hosts within `seconds`; a host without an end until then: timed_out."""
    tasks = {
        key: asyncio.create_task(deploy_key(one, password)) for key, one in deployments.items()
    }
    if tasks:
        _done, pending = await asyncio.wait(tasks.values(), timeout=seconds)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
    return {key: _result(task) for key, task in tasks.items()}


def _result(task: asyncio.Task[DeploymentResult]) -> DeploymentResult:
    if task.cancelled():
        return DeploymentResult("timed_out")
    if error := task.exception():
        # Without its text and frames, which may have the password.
        log.error("a key was not deployed: %s", type(error).__name__)
        return DeploymentResult("failed", type(error).__name__)
    return task.result()


async def deploy_key(deployment: KeyDeployment, password: str) -> DeploymentResult:
    """Deploy a key with a password, unless it works already. Never raises a HostError."""
    jump: SshTransport | None = None
    try:
        if deployment.spec.jump:
            jump = await connect(deployment.spec.jump)
        return await _deploy(deployment, jump.connection if jump else None, password)
    except HostError as error:
        state = STATES.get(error.kind, "failed")
        return DeploymentResult(state, _without(error.message, password))
    finally:
        if jump:
            await jump.close()


async def _deploy(
    deployment: KeyDeployment, tunnel: asyncssh.SSHClientConnection | None, password: str
) -> DeploymentResult:
    """Return the result. Raises: HostError."""
    spec = deployment.spec
    if await _key_works(spec, tunnel):
        return DeploymentResult("key_works")
    client = _OncePassword(password)
    try:
        connection = await _log_in(spec, tunnel, client)
    except asyncssh.PermissionDenied:
        text = "" if client.is_used else message("The host takes no passwords for this user.")
        return DeploymentResult("password_refused", text)
    try:
        fault = await _run_script(connection, deployment.line)
    finally:
        await SshTransport(connection, spec.name, None).close()
    if fault:
        return DeploymentResult("failed", _without(fault, password))
    if await _key_works(spec, tunnel):
        return DeploymentResult("key_deployed")
    text = message("The key is in authorized_keys, and the host still refuses it.")
    return DeploymentResult("failed", text)


async def _key_works(spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None) -> bool:
    """Return True if the host accepts the key. Raises: HostError for any other end."""
    try:
        connection = await log_in(spec, tunnel)
    except HostError as error:
        if error.kind == "refused_login":
            return False
        raise
    await SshTransport(connection, spec.name, None).close()
    return True


async def _log_in(
    spec: HostSpec, tunnel: asyncssh.SSHClientConnection | None, client: _OncePassword
) -> asyncssh.SSHClientConnection:
    """Log in with the password; one try, so that it is sent once.

    Raises: PermissionDenied of asyncssh; HostError for any other end.
    """
    keyless = replace(spec, private_key=None, passphrase=None, agent=False)
    async with AsyncExitStack() as stack:
        options = await connect_options(keyless, stack)
        options["preferred_auth"] = "password,keyboard-interactive"
        try:
            async with login_slots(), asyncio.timeout(LOGIN_SECONDS):
                return await asyncssh.connect(
                    **await endpoint_options(spec, tunnel),
                    username=spec.user,
                    client_factory=lambda: client,
                    **options,
                )
        except (asyncssh.HostKeyNotVerifiable, asyncssh.KeyExchangeFailed) as error:
            raise await key_error(spec, tunnel, client, error) from error
        except asyncssh.PermissionDenied:
            raise
        except (asyncssh.Error, OSError) as error:
            raise login_error(error, spec.name) from error


async def _run_script(connection: asyncssh.SSHClientConnection, line: str) -> str:
    """Add the line to authorized_keys; return why not, "" if it is there."""
    command = shlex.join(("sh", "-c", SCRIPT, "benchlab", line))
    try:
        async with asyncio.timeout(SCRIPT_SECONDS):
            ended = await connection.run(command, check=False, encoding="utf-8", errors="replace")
    except TimeoutError:
        return message("no answer in %(seconds)d s", seconds=round(SCRIPT_SECONDS))
    except (asyncssh.Error, OSError) as error:
        return str(error)
    if ended.exit_status == 0:
        return ""
    lines = str(ended.stderr or "").strip().splitlines()
    reason = "".join(one for one in lines[-1] if one.isprintable()) if lines else ""
    return reason[:MAX_DETAIL_LENGTH] or message("exit code %(code)s", code=str(ended.exit_status))


def _without(text: str, password: str) -> str:
    """Return the text, without the password if a host has repeated it."""
    if password not in text:
        return text
    return str(text).replace(password, HIDDEN)
