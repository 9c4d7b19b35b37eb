"""Warnings from the text around fio's documents: fio's own warnings and errors.

Progress, greetings of clients, and the same result in another format are excluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apps.tools.fio.parser.normal import patterns as text_patterns
from apps.tools.fio.parser.terse.job_lines import LINE

MAX_LINES = 50
MAX_LENGTH = 300
# Jobs: 2 (f=2): [r(2)][50.0%][r=87.0MiB/s][r=22.3k IOPS][eta 00m:05s]
_PROGRESS = re.compile(
    r"^(?:Jobs: \d+ \(f=\d+\)|hostname=\S+, be=\d|Starting \d+ (?:process|thread)"
    r"|client <[^>]{1,253}>: |fio-\d[\w.-]{0,30}$|\.\.\.$|<[^>\s]{1,253}>$"
    r"|Disk stats \(read/write\):$|\S[^\n]{0,200}: Laying out IO file)"
)
_RESULTS = (text_patterns.JOB, text_patterns.NEW_DIRECTION, text_patterns.OLD_DIRECTION)
_MESSAGES = (text_patterns.REMARK, text_patterns.VERIFY, text_patterns.FAILED)


def remarks(outside: Iterable[bytes]) -> list[str]:
    """Return the relevant lines, at most MAX_LINES of each text."""
    return [line for text in outside for line in _remarks_in(text)]


def _remarks_in(text: bytes) -> list[str]:
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines()]
    if any(mark.search(line[:500]) for line in lines for mark in _RESULTS):
        lines = [line for line in lines if any(mark.match(line) for mark in _MESSAGES)]
    return [line[:MAX_LENGTH] for line in lines if line and not _is_noise(line)][:MAX_LINES]


def _is_noise(line: str) -> bool:
    bare = text_patterns.FROM_CLIENT.sub("", line[:500])
    return not bare or bool(
        _PROGRESS.match(bare) or text_patterns.DESCRIPTION.match(bare) or LINE.match(bare)
    )
