"""Order of tuning profiles, and their default baseline."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.tools.workloads.order import Key, name_key

HOST_DEFAULTS = "Host defaults"
"""Name of the built-in profile without a setting."""
_BEFORE = re.compile(r"\bbefore\b", re.IGNORECASE)


def tuning_key(name: str) -> Key:
    """Return the sort key of a profile: "Host defaults", then names with "before", then by name."""
    return (name != HOST_DEFAULTS, not _BEFORE.search(name), name_key(name))


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
