"""Text around fio's documents -> warnings that are worth a person's time: fio's own warnings and
errors, not its progress, the greetings of its clients, or the same result in another format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from apps.tools.fio.parser.normal import patterns as text_patterns
from apps.tools.fio.parser.terse.job_lines import LINE

MOST = 50
LONGEST = 300
# Jobs: 2 (f=2): [r(2)][50.0%][r=87.0MiB/s][r=22.3k IOPS][eta 00m:05s]
_PROGRESS = re.compile(
    r"^(?:Jobs: \d+ \(f=\d+\)|hostname=\S+, be=\d|Starting \d+ (?:process|thread)"
    r"|client <[^>]{1,253}>: |fio-\d[\w.-]{0,30}$|\.\.\.$|<[^>\s]{1,253}>$"
    r"|Disk stats \(read/write\):$|\S[^\n]{0,200}: Laying out IO file)"
)
_RESULTS = (text_patterns.JOB, text_patterns.NEW_DIRECTION, text_patterns.OLD_DIRECTION)
_SAID = (text_patterns.REMARK, text_patterns.VERIFY, text_patterns.FAILED)


def remarks(outside: Iterable[bytes]) -> list[str]:
    """The lines to keep, at most MOST of each piece of text."""
    return [line for text in outside for line in _kept(text)]


def _kept(text: bytes) -> list[str]:
    found = [line.strip() for line in text.decode("utf-8", "replace").splitlines()]
    if any(mark.search(line[:500]) for line in found for mark in _RESULTS):
        found = [line for line in found if any(mark.match(line) for mark in _SAID)]
    return [line[:LONGEST] for line in found if line and not _is_noise(line)][:MOST]


def _is_noise(line: str) -> bool:
    bare = text_patterns.FROM_CLIENT.sub("", line[:500])
    return not bare or bool(
        _PROGRESS.match(bare) or text_patterns.DESCRIPTION.match(bare) or LINE.match(bare)
    )
