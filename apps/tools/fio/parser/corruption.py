"""Blocks that fio read back and found other than they were written (verify.c)."""

from __future__ import annotations

import re

from apps.tools.messages import message

from .normal import patterns as text_patterns

MOST_LOOKED_AT = 4 * 1024**2
_PLACE = re.compile(r"\boffset (?P<offset>\d{1,19}), length (?P<length>\d{1,10})")
_NO_HEADER = "verify: bad magic header"


def corruption(stderr: bytes) -> str:
    """The sentence about blocks that are not what a verifying test wrote; empty where there are
    none.

    A block without fio's header was overwritten, lost, or never written by a verifying test: a test
    that only reads cannot tell these apart, and the sentence says so.
    """
    lines = stderr[:MOST_LOOKED_AT].decode("utf-8", "replace").splitlines()
    wrong = [line.strip() for line in lines if text_patterns.VERIFY.match(line)]
    if not wrong:
        return ""
    places = {match[0] for line in wrong if (match := _PLACE.search(line))}
    first = wrong[0][:200]
    if all(line.startswith(_NO_HEADER) for line in wrong):
        return message(
            "Data corruption, unless these blocks were written without verification: %(blocks)d "
            "blocks have no mark of a verifying test. The first: %(first)s",
            blocks=len(places) or len(wrong),
            first=first,
        )
    return message(
        "Data corruption: %(blocks)d blocks are not what was written. The first: %(first)s",
        blocks=len(places) or len(wrong),
        first=first,
    )
