"""Log formats: plain text or JSON, each line with its request, run and attempt.

A log must never stop the process: the stream handler ignores the error of a full disk, so no line
is written otherwise.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.utils.functional import LazyObject

from apps.common.database.availability import is_database_unavailable

Values = dict[str, int | str]

_about: ContextVar[Values] = ContextVar("about", default={})  # noqa: B039 # never changed in place


@contextmanager
def about(**ids: int | str) -> Iterator[None]:
    """Attach these ids (`run=12`) to every line logged inside the context.

    The context includes threads and asyncio tasks started inside.
    """
    token = _about.set({**_about.get(), **ids})
    try:
        yield
    finally:
        _about.reset(token)


def identify(**ids: int | str) -> None:
    """Attach these ids, and no others, to every further line of this thread or asyncio task."""
    _about.set(ids)


def identify_nothing() -> None:
    """Attach no ids to further lines of this thread or asyncio task."""
    _about.set({})


def current_id(name: str) -> int | str:
    """Return the id of this name; "" without one."""
    return _about.get().get(name, "")


class Ids(logging.Filter):
    """Filter that adds the ids to the record; drops nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.ids = _about.get()
        return True


class Away(logging.Filter):
    """Filter that removes the traceback of an unavailable database; drops nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and is_database_unavailable(error):
            record.msg, record.args = f"{record.getMessage()}: {_first_line(error)}", ()
            record.exc_info = None
        return True


class Refusals(logging.Filter):
    """Filter for the line of a refused request (4xx): its user instead of a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
            if (key := _user_key(getattr(record, "request", None))) is not None:
                record.ids = {**getattr(record, "ids", {}), "user": key}
        return True


class Plain(logging.Formatter):
    """`2026-01-31 12:00:00,000 INFO apps.runs.services run=12 attempt=... Message`, UTC."""

    converter = staticmethod(lambda seconds: datetime.fromtimestamp(seconds or 0, UTC).timetuple())

    def format(self, record: logging.LogRecord) -> str:
        ids = getattr(record, "ids", {})
        record.about = "".join(f" {name}={value}" for name, value in ids.items())
        return super().format(record)


class Json(logging.Formatter):
    """One JSON object per line: time (ISO 8601, UTC), level, logger, message, ids, traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "ids", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _user_key(request: Any) -> int | None:
    """Return the key of the user whom the request resolved; a log line makes no query."""
    known = vars(request) if request is not None else {}
    user = known.get("user")  # set by DRF for a token
    if isinstance(user, LazyObject):  # of a session
        user = known.get("_cached_user")
    return getattr(user, "pk", None)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
