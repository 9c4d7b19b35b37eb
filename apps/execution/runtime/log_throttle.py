"""Log repeated errors at most once a minute, with their number."""

from __future__ import annotations

import logging
import time

EVERY = 60.0


class LogThrottle:
    """Logs each subject at most every EVERY seconds."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._logged: dict[str, tuple[float, int]] = {}

    def log(self, about: str, error: BaseException, *, level: int = logging.WARNING) -> None:
        """Log an error after the text `about`, from level ERROR on with its traceback."""
        last, repeats = self._logged.get(about, (-EVERY, 0))
        if time.monotonic() - last < EVERY:
            self._logged[about] = (last, repeats + 1)
            return
        self._logged[about] = (time.monotonic(), 0)
        again = f" ({repeats} more times since it was last logged)" if repeats else ""
        trace = error if level >= logging.ERROR else None
        self._log.log(level, "%s: %s%s", about, error, again, exc_info=trace)

    def reset(self, about: str) -> None:
        """Log the next error about this at once."""
        self._logged.pop(about, None)
