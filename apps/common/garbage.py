"""Collection of garbage in a process that makes many objects, keeps most of them and ends."""

from __future__ import annotations

import gc

# New objects before Python looks for rings among them; 700 by default, which were a quarter of the
# processor's time of an import.
_NEW, _SECOND, _ALL = 50_000, 20, 20


def collect_rarely() -> None:
    """Leave what is loaded out of collections from here on, and have fewer of them; processes that
    this one forks do the same.
    """
    gc.freeze()
    gc.set_threshold(_NEW, _SECOND, _ALL)
