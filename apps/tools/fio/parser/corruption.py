"""Data corruption: blocks whose content fio found different from what it wrote (verify.c)."""

from __future__ import annotations

import re

from apps.tools.messages import message

from .normal import patterns as text_patterns

MAX_BYTES = 4 * 1024**2
_BLOCK = re.compile(r"\boffset (?P<offset>\d{1,19}), length (?P<length>\d{1,10})")
_NO_HEADER = "verify: bad magic header"


def corruption(stderr: bytes) -> str:
    """Return a message about corrupt blocks; empty if there are none.

    A block without fio's header was overwritten, lost, or never written by a verifying test. A test
    that only reads cannot distinguish these cases, and the message states that.
    """
    lines = stderr[:MAX_BYTES].decode("utf-8", "replace").splitlines()
    wrong = [line.strip() for line in lines if text_patterns.VERIFY.match(line)]
    if not wrong:
        return ""
    blocks = {match[0] for line in wrong if (match := _BLOCK.search(line))}
    first = wrong[0][:200]
    if all(line.startswith(_NO_HEADER) for line in wrong):
        return message(
            "Data corruption, unless these blocks were written without verification: %(blocks)d "
            "blocks have no mark of a verifying test. The first: %(first)s",
            blocks=len(blocks) or len(wrong),
            first=first,
        )
    return message(
        "Data corruption: %(blocks)d blocks are not what was written. The first: %(first)s",
        blocks=len(blocks) or len(wrong),
        first=first,
    )
