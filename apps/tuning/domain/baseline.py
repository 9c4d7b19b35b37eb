"""The order in which tunings stand beside each other, wherever there are several."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.tools.workloads.order import Key, name_key

HOST_DEFAULTS = "Host defaults"
"""Name of the built-in profile without a setting."""
_BEFORE = re.compile(r"\bbefore\b", re.IGNORECASE)


def tuning_key(name: str) -> Key:
    """The place of a tuning: the one that others are held against first, which is the host as
    found, then a name that says "before"; the rest by name.
    """
    return (name != HOST_DEFAULTS, not _BEFORE.search(name), name_key(name))


def default_baseline(names: Sequence[str]) -> int | None:
    """The place of the default baseline: the host defaults, else the first of these; None of
    none.
    """
    if HOST_DEFAULTS in names:
        return names.index(HOST_DEFAULTS)
    return 0 if names else None


def imported_baseline(names: Sequence[str]) -> int | None:
    """The place of the baseline of imported tunings: the host defaults, else the first name that
    says "before", else the first.
    """
    before = next((place for place, name in enumerate(names) if _BEFORE.search(name)), None)
    return default_baseline(names) if before is None or HOST_DEFAULTS in names else before
