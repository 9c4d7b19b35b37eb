"""Lines that only fio writes, used to split a text of several tools."""

from __future__ import annotations

import re

from .normal import patterns as text_patterns
from .terse.job_lines import LINE

# fio --name=x ...; fio job.fio
_COMMAND = re.compile(r"(?:^|[\s#$/])fio\s{1,9}(?:-|\S{1,200}\.(?:fio|ini|job)(?:\s|$))")
_FIO_MESSAGE = re.compile(r"^fio: ")
_MARKS = (
    LINE,
    *(
        text_patterns.DESCRIPTION,
        text_patterns.JOB,
        text_patterns.NEW_DIRECTION,
        text_patterns.OLD_DIRECTION,
        text_patterns.STATUS,
    ),
    *(
        text_patterns.STATUS_LINE,
        text_patterns.VERSION,
        text_patterns.CLIENT,
        text_patterns.PHASE,
        _COMMAND,
        _FIO_MESSAGE,
    ),
)


def owns_line(line: str) -> bool:
    """Return True if only fio, or a command line that calls it, has such a line."""
    return any(mark.search(line) for mark in _MARKS)
