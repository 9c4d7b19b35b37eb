"""Errors that fio reports: those that ended a job, and those it continued after."""

from __future__ import annotations

import os
from collections.abc import Iterable

from apps.tools.messages import message


def error_text(code: int) -> str:
    """Return the system's text for an error number."""
    return os.strerror(code) if 0 < code < 200 else "unknown"


def tolerated_errors(errors: Iterable[tuple[int, int]]) -> list[str]:
    """Return a message about the errors of jobs that continued (continue_on_error).

    `errors`: number and first code of each job.
    """
    counted = [each for each in errors if each[0]]
    if not counted:
        return []
    code = counted[0][1]
    return [
        message(
            "fio went on after %(number)d errors; the first is error %(code)d (%(why)s).",
            number=sum(number for number, _code in counted),
            code=code,
            why=error_text(code),
        )
    ]
