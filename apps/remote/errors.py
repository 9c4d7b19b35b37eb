"""Errors between benchlab and a host, in words the lab can act on.

The host, its network or its configuration owns every error here; a defect of benchlab is never one
of them.
"""

from __future__ import annotations

from typing import Literal

ErrorKind = Literal[
    "unreachable",
    "refused_login",
    "key_changed",
    "key_unknown",
    "no_python",
    "no_sudo",
    "agent",
    "lost_contact",
    "busy",
    "timeout",
]

SENTENCES: dict[ErrorKind, str] = {
    "unreachable": (
        "{host} could not be reached: {detail}. "
        "Check that it is switched on, its address and port, and the firewalls on the way."
    ),
    "refused_login": (
        "{host} refused the login: {detail}. "
        "Check the user name and that benchlab's public key is in its authorized_keys."
    ),
    "key_changed": (
        "{host} shows another host key than the one it was enrolled with: {detail}. Nothing was "
        "sent to it. If the machine was reinstalled, confirm its new key; if not, somebody may be "
        "in between."
    ),
    "key_unknown": (
        "{host} has no confirmed host key yet{detail}. Compare its fingerprint and confirm it."
    ),
    "no_python": (
        "{host} has no Python 3.6 or newer{detail}. Install python3 (the agent needs nothing else)."
    ),
    "no_sudo": (
        "benchlab does not get root on {host}: {detail}. "
        "Log in as root, or allow the user to run sudo without a password (NOPASSWD)."
    ),
    "agent": "The agent on {host} said no: {detail}.",
    "lost_contact": (
        "Contact with {host} was lost: {detail}. What runs there goes on; benchlab asks again."
    ),
    "busy": (
        "{host} takes no more sessions right now: {detail}. "
        "Try again later, or raise MaxStartups and MaxSessions in its sshd_config."
    ),
    "timeout": "{host} did not answer in time: {detail}. It may be overloaded; try again.",
}


class HostError(Exception):
    """A host could not do what was asked. `kind` decides what benchlab does, `message` is shown."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class AgentRefusal(HostError):
    """The agent is there and answered no. `error` is its own word for why (docs: agent.md)."""

    def __init__(self, host: str, error: str, message: str) -> None:
        detail = (message or error).rstrip(".")
        super().__init__("agent", SENTENCES["agent"].format(host=host, detail=detail))
        self.error = error
        self.reason = message


class BadAnswer(HostError):
    """The agent answered what cannot be: a wrong type, a number that is none, more than there may
    be. It ends that host's part of whatever was asked, and is not tried for ever.
    """

    def __init__(self, host: str, detail: str) -> None:
        text = (
            f"{host} answered what cannot be: {detail.strip().rstrip('.')}. "
            "Something on it speaks for benchlab's agent, or the machine is broken; look at it."
        )
        super().__init__("agent", text)


def host_error(kind: ErrorKind, host: str, detail: str = "") -> HostError:
    """An error with the plain sentence of its kind: what happened, and what to do about it."""
    return HostError(kind, SENTENCES[kind].format(host=host, detail=detail.strip().rstrip(".")))
