"""The order in which a page fetches its answers."""

from __future__ import annotations

AT_ONCE = 2
"""Answers that one page asks for at the same time, once the first one has come: what a reader looks
at first has the server and the browser for itself.
"""


TOP = "report-top"
"""The element in which a report's headline stands."""


class Turns:
    """The order in which the fragments of one page are fetched."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def after(self, name: str) -> str:
        """The fragment behind which this next one waits; empty: it need not wait."""
        self._names.append(name)
        turn = len(self._names) - 1
        return self._names[max(0, turn - AT_ONCE)] if turn else ""
