"""Errors between benchlab and a host, in words the lab can act on.

The host, its network or its configuration owns every error here; a defect of benchlab is never one
of them.
"""

from __future__ import annotations

from typing import Literal

from apps.tools.messages import TranslatableMessage, message
from apps.tools.words import gettext_noop as _

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
    "unreachable": _(
        "%(host)s could not be reached: %(detail)s. "
        "Check that it is switched on, its address and port, and the firewalls on the way."
    ),
    "refused_login": _(
        "%(host)s refused the login: %(detail)s. "
        "Check the user name and that benchlab's public key is in its authorized_keys."
    ),
    "key_changed": _(
        "%(host)s shows another host key than the one it was enrolled with: %(detail)s. Nothing "
        "was sent to it. If the machine was reinstalled, confirm its new key; if not, somebody may "
        "be in between."
    ),
    "key_unknown": _(
        "%(host)s has no confirmed host key yet%(detail)s. Compare its fingerprint and confirm it."
    ),
    "no_python": _(
        "%(host)s has no Python 3.6 or newer%(detail)s. "
        "Install python3 (the agent needs nothing else)."
    ),
    "no_sudo": _(
        "benchlab does not get root on %(host)s: %(detail)s. "
        "Log in as root, or allow the user to run sudo without a password (NOPASSWD)."
    ),
    "agent": _("The agent on %(host)s said no: %(detail)s."),
    "lost_contact": _(
        "Contact with %(host)s was lost: %(detail)s. What runs there goes on; benchlab asks again."
    ),
    "busy": _(
        "%(host)s takes no more sessions right now: %(detail)s. "
        "Try again later, or raise MaxStartups and MaxSessions in its sshd_config."
    ),
    "timeout": _("%(host)s did not answer in time: %(detail)s. It may be overloaded; try again."),
}
"""Sentences about a host and a detail: the fault, and the remedy."""


LONGEST_DETAIL = 500
"""Characters of a host's own words in a sentence."""


class HostError(Exception):
    """A host could not do what was asked. `kind` decides what benchlab does, `message` is shown: a
    sentence for translators, where benchlab made it.
    """

    def __init__(self, kind: ErrorKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.message = text


class AgentRefusal(HostError):
    """The agent is there and answered no. `error` is its own word for why (docs: agent.md)."""

    def __init__(self, host: str, error: str, text: str) -> None:
        super().__init__("agent", _message("agent", host, text or error))
        self.error = error
        self.reason = text


class BadAnswer(HostError):
    """The agent answered what cannot be: a wrong type, a number that is none, more than there may
    be. It ends that host's part of whatever was asked, and is not tried for ever.
    """

    def __init__(self, host: str, detail: str) -> None:
        text = message(
            "%(host)s answered what cannot be: %(detail)s. "
            "Something on it speaks for benchlab's agent, or the machine is broken; look at it.",
            host=host,
            detail=_clause(detail),
        )
        super().__init__("agent", text)


def host_error(kind: ErrorKind, host: str, detail: str = "") -> HostError:
    """An error with the plain sentence of its kind: what happened, and what to do about it."""
    return HostError(kind, _message(kind, host, detail))


def _message(kind: ErrorKind, host: str, detail: str) -> TranslatableMessage:
    return message(SENTENCES[kind], host=host, detail=_clause(detail))


def _clause(detail: str) -> str:
    """The detail as the end of a sentence; one of ours is a clause as it is."""
    return (
        detail
        if isinstance(detail, TranslatableMessage)
        else detail.strip()[:LONGEST_DETAIL].rstrip(".")
    )
