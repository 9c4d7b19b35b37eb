"""Order of tuning profiles, their default baseline, and the name of the built-in profile."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.tools.messages import message
from apps.tools.workloads.order import Key, name_key

HOST_DEFAULTS = gettext_noop("Host defaults")
"""Stored name of the built-in profile without a setting, in every language."""
DEFAULTS_DESCRIPTION = gettext_noop(
    "Changes no setting. Other tunings are usually compared with it."
)
NOT_STATED = gettext_noop("not stated")
"""Stored name of the tuning of imported results that state none."""
_BEFORE = re.compile(r"\bbefore\b", re.IGNORECASE)


def tuning_label(name: str) -> str:
    """Return a stored name for readers: a name given by benchlab in their language."""
    return _(name) if name in (HOST_DEFAULTS, NOT_STATED) else name


def tuning_message(name: str) -> str:
    """Return a stored name as value of a stored message, which readers see in their language."""
    return message(name) if name in (HOST_DEFAULTS, NOT_STATED) else name


def description_label(text: str) -> str:
    """Return a stored description for readers: that of the built-in profile in their language."""
    return _(text) if text == DEFAULTS_DESCRIPTION else text


def stored_tuning_name(text: str) -> str:
    """Return the name to store for an entered one: names given by benchlab are English."""
    return next((name for name in (HOST_DEFAULTS, NOT_STATED) if text == _(name)), text)


def tuning_key(name: str) -> Key:
    """Return the sort key of a profile: "Host defaults", then names with "before", then by name.

    `name`: stored, or for readers.
    """
    return (stored_tuning_name(name) != HOST_DEFAULTS, not _BEFORE.search(name), name_key(name))


def default_baseline(names: Sequence[str]) -> int | None:
    """Return the index of the default baseline: "Host defaults", else the first; None if empty."""
    if HOST_DEFAULTS in names:
        return names.index(HOST_DEFAULTS)
    return 0 if names else None


def imported_baseline(names: Sequence[str]) -> int | None:
    """Return the index of the baseline of imported profiles.

    It is "Host defaults", else the first name with "before", else the first.
    """
    before = next((index for index, name in enumerate(names) if _BEFORE.search(name)), None)
    return default_baseline(names) if before is None or HOST_DEFAULTS in names else before
