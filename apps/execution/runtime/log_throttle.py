"""A complaint that would be repeated again and again is logged once, and counted since."""

from __future__ import annotations

import logging
import time

EVERY = 60.0


class LogThrottle:
    """Log lines by what they are about; the same one at most every EVERY seconds."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._said: dict[str, tuple[float, int]] = {}

    def log(self, about: str, error: BaseException, *, level: int = logging.WARNING) -> None:
        """`about` is the sentence before the error's own words; with a traceback from ERROR on."""
        last, kept_back = self._said.get(about, (-EVERY, 0))
        if time.monotonic() - last < EVERY:
            self._said[about] = (last, kept_back + 1)
            return
        self._said[about] = (time.monotonic(), 0)
        again = f" ({kept_back} times more since it was last said)" if kept_back else ""
        trace = error if level >= logging.ERROR else None
        self._log.log(level, "%s: %s%s", about, error, again, exc_info=trace)

    def reset(self, about: str) -> None:
        """It went well again: the next trouble is said at once."""
        self._said.pop(about, None)
