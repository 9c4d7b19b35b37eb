"""Errors of a host, its network or its configuration, each with a message and a remedy.

Defects of benchlab are not HostErrors.
"""

from __future__ import annotations

from typing import Literal

from apps.tools.messages import TranslatableMessage, message
from apps.tools.translation import gettext_noop as _

ErrorKind = Literal[
    "unreachable",
    "refused_login",
    "key_changed",
    "key_unknown",
    "key_revoked",
    "no_python",
    "no_sudo",
    "agent",
    "lost_contact",
    "busy",
    "timeout",
]

MESSAGES: dict[ErrorKind, str] = {
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
        "was sent to it. If the machine was reinstalled, confirm its new key; if not, the "
        "connection may be intercepted."
    ),
    "key_unknown": _(
        "%(host)s has no confirmed host key yet%(detail)s. Compare its fingerprint and confirm it."
    ),
    "key_revoked": _(
        "The key of %(host)s is revoked%(detail)s. Nothing was sent to it. Give the machine a new "
        "host key, press “Forget the old key”, and confirm the new one."
    ),
    "no_python": _(
        "%(host)s has no Python 3.6 or newer%(detail)s. "
        "Install python3 (the agent needs nothing else)."
    ),
    "no_sudo": _(
        "benchlab does not get root on %(host)s: %(detail)s. "
        "Log in as root, or allow the user to run sudo without a password (NOPASSWD)."
    ),
    "agent": _("The agent on %(host)s failed: %(detail)s."),
    "lost_contact": _(
        "Contact with %(host)s was lost: %(detail)s. Its jobs continue; benchlab tries again."
    ),
    "busy": _(
        "%(host)s takes no more sessions right now: %(detail)s. "
        "Try again later, or raise MaxStartups and MaxSessions in its sshd_config."
    ),
    "timeout": _("%(host)s did not answer in time: %(detail)s. It may be overloaded; try again."),
}
"""Messages with a host and a detail: the error and the remedy."""


MAX_DETAIL_LENGTH = 500
"""Characters of a host's text in a message."""


class HostError(Exception):
    """A request to a host failed. `kind` decides how benchlab reacts; `message` is displayed."""

    def __init__(self, kind: ErrorKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.message = text


class AgentCommandError(HostError):
    """The agent answered a request with an error; `error` is its code (docs: agent.md)."""

    def __init__(self, host: str, error: str, text: str) -> None:
        super().__init__("agent", _message("agent", host, text or error))
        self.error = error
        self.reason = text


class InvalidResponse(HostError):
    """The agent's response is invalid: a wrong type, an impossible number, too many values.

    Retried only a few times, since the response usually stays invalid.
    """

    def __init__(self, host: str, detail: str) -> None:
        text = message(
            "%(host)s sent an invalid response: %(detail)s. "
            "Check the host: its agent was replaced or the machine is defective.",
            host=host,
            detail=_clause(detail),
        )
        super().__init__("agent", text)


def host_error(kind: ErrorKind, host: str, detail: str = "") -> HostError:
    """Return the error of this kind with its message."""
    return HostError(kind, _message(kind, host, detail))


def _message(kind: ErrorKind, host: str, detail: str) -> TranslatableMessage:
    return message(MESSAGES[kind], host=host, detail=_clause(detail))


def _clause(detail: str) -> str:
    """Return the detail as the end of a sentence; benchlab's own details are unchanged."""
    return (
        detail
        if isinstance(detail, TranslatableMessage)
        else detail.strip()[:MAX_DETAIL_LENGTH].rstrip(".")
    )
