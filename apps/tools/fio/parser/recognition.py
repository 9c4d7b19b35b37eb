"""Recognise output of fio, as a whole and by single lines."""

from __future__ import annotations

import re

from apps.tools.text import RECOGNITION_BYTES, clean, is_text

from .logs.layout import is_histogram_log, is_log
from .normal import patterns
from .terse.job_lines import LINE

JSON_START = re.compile(
    rb'\{\s*"fio version"\s*:|"(?:jobs|client_stats)"\s*:\s*\[\s*\{\s*"jobname"'
)
# fio --name=x ...; fio job.fio
_COMMAND = re.compile(r"(?:^|[\s#$/])fio\s{1,9}(?:-|\S{1,200}\.(?:fio|ini|job)(?:\s|$))")
_FIO_MESSAGE = re.compile(r"^fio: ")
_RESULTS = (
    *(patterns.JOB, patterns.NEW_DIRECTION, patterns.OLD_DIRECTION),
    *(patterns.STATUS, patterns.STATUS_LINE),
)
_TEXT = (*_RESULTS, patterns.SYNC, patterns.VERIFY, patterns.FAILED, patterns.MESSAGE)
# Also lines before and within a result.
_OWN_LINES = (
    *(*_RESULTS, LINE, patterns.DESCRIPTION, patterns.VERSION, patterns.CLIENT, patterns.PHASE),
    *(_COMMAND, _FIO_MESSAGE),
)


def detect(data: bytes) -> bool:
    """Return True if the bytes are output of fio in any format."""
    head = clean(data[:RECOGNITION_BYTES])
    if JSON_START.search(head) or _looks_like_text(head):
        return True
    return is_log(head) or is_histogram_log(head)


def _looks_like_text(head: bytes) -> bool:
    if not is_text(head):
        return False  # searching a megabyte of binary data takes seconds
    text = head.decode("utf-8", "replace")
    if LINE.search(text):
        return True
    lines = [line[:500] for line in text.split("\n")]
    if any(mark.search(line) for line in lines for mark in _TEXT):
        return True
    return patterns.begins_text(lines)


def owns_line(line: str) -> bool:
    """Return True if only fio, or a command line that calls it, has such a line."""
    return any(mark.search(line) for mark in _OWN_LINES)
