"""The rows of a host list, as every form of list gives them, before anything is compared."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

MAX_HOSTS = 1000
MAX_BYTES = 1 << 20
# Hosts of all sets or groups together, ranges written out and repetitions counted.
MAX_MENTIONS = 100_000
# Longest value of any column; the service checks the exact limits.
MAX_VALUE = 400
_TEMPLATE = re.compile(r"\{\{|\{%|\{#|^\$ANSIBLE_VAULT")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\ufeff\ufffe]")


class ListError(Exception):
    """A list that cannot be read at all; the message is for the user."""


@dataclass
class HostRow:
    """One host of a list. None: the list says nothing about this value.

    `line`: of the text, 0 where the form has no lines. `adds_tags`: tags are added to those of an
    existing host, since the list names groups and not tags. `errors`: why it cannot be used.
    """

    line: int
    name: str
    address: str | None = None
    port: str | None = None
    user: str | None = None
    jump: str | None = None
    tags: list[str] | None = None
    key: str | None = None
    adds_tags: bool = False
    errors: list[str] = field(default_factory=list)

    def set_value(self, name: str, value: object) -> None:
        """Set a column from a value of the list; an unusable value becomes an error."""
        text, error = plain_text(value)
        if error:
            self.errors.append(f"{name}: {error}")
        elif text:
            setattr(self, name, text)


@dataclass(frozen=True)
class HostList:
    """The rows of a text. `form`: the key of FORMS. `notes`: what of the text is not used."""

    form: str
    rows: list[HostRow]
    notes: list[str] = field(default_factory=list)


def plain_text(value: object) -> tuple[str, str]:
    """Return a value as text, and why it cannot be used ("" if it can)."""
    if value is None:
        return "", ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return "", _("this is not a text or a whole number.")
    text = str(value).strip()
    if _TEMPLATE.search(text):
        return "", template_text()
    if _CONTROL.search(text):
        return "", _("it contains a control character.")
    if len(text) > MAX_VALUE:
        return "", _("it has more than %(limit)d characters.") % {"limit": MAX_VALUE}
    return text, ""


def template_text() -> str:
    """Return the error for a value that only Ansible can compute."""
    return _("the value is a template or a secret; use the output of “ansible-inventory --list”.")


def short(text: object) -> str:
    """Return a value for an error message: one line, not too long."""
    line = " ".join(_CONTROL.sub("�", str(text)).split())
    return line if len(line) <= 60 else f"{line[:57]}…"


def too_many_text(count: int | None = None) -> str:
    """Return the error for more hosts than one list may have."""
    if count is None:
        return _("The list has more than %(limit)d hosts. Split it.") % {"limit": MAX_HOSTS}
    return _("“%(count)d hosts” is more than the %(limit)d of one list. Split it.") % {
        "count": count,
        "limit": MAX_HOSTS,
    }


def too_many_mentions_text() -> str:
    """Return the error for sets or groups that name more hosts than any lab has."""
    return _("The sets or groups of the list name more than %(limit)d hosts.") % {
        "limit": MAX_MENTIONS
    }
