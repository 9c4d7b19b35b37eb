"""Order in which a page fetches its results."""

from __future__ import annotations

MAX_PARALLEL = 2
"""Limit of parallel requests of a page after the first result, which loads alone."""


TOP = "report-top"
"""Element id of a report's headline."""


class LoadOrder:
    """Order of the fragment requests of one page."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def after(self, name: str) -> str:
        """Return the fragment after which this next one loads; empty for the first."""
        self._names.append(name)
        turn = len(self._names) - 1
        return self._names[max(0, turn - MAX_PARALLEL)] if turn else ""
