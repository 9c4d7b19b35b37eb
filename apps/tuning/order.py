"""The order in which tunings stand beside each other, wherever there are several."""

from __future__ import annotations

import re

from apps.tools.workloads.order import Key, name_key

from .selectors import AS_FOUND

_BEFORE = re.compile(r"\bbefore\b", re.IGNORECASE)


def tuning_key(name: str) -> Key:
    """The place of a tuning: the one that others are held against first, which is the host as
    found, then a name that says "before"; the rest by name.
    """
    return (name != AS_FOUND, not _BEFORE.search(name), name_key(name))
