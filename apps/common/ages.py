"""Words of how long ago something was, as a page said them: whether they still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

Relative = Callable[[datetime], str]


class Ages:
    """The earliest and the latest moment of which each word was said. Words change in the order of
    their moments, so that those between these two hold as long as these do.
    """

    def __init__(self) -> None:
        self.said: dict[str, tuple[datetime, datetime]] = {}

    def note(self, moment: datetime, words: str) -> None:
        first, last = self.said.get(words, (moment, moment))
        self.said[words] = min(first, moment), max(last, moment)

    def hold(self, relative: Relative) -> bool:
        """Whether each would be said now."""
        return all(
            relative(first) == words and (last is first or relative(last) == words)
            for words, (first, last) in self.said.items()
        )


_listening: ContextVar[Ages | None] = ContextVar("ages", default=None)


@contextmanager
def listening() -> Iterator[Ages]:
    """All words that are said meanwhile."""
    ages = Ages()
    token = _listening.set(ages)
    try:
        yield ages
    finally:
        _listening.reset(token)


def noted(moment: datetime, words: str) -> None:
    """A page says these words of a moment."""
    ages = _listening.get()
    if ages is not None:
        ages.note(moment, words)
