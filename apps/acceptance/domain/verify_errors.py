"""Which disks a fill with verification found corrupt, by fio's complaints. Pure."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping

# verify.c: "crc32c: verify failed at file /dev/loop0 offset 0, length 131072 (requested block: ..."
# and "verify: bad magic header 0, wanted acca at file /dev/loop0 offset 0, length ...".
_COMPLAINT = re.compile(
    r"^\s*(?:verify: bad |[\w-]{1,20}: verify failed ).{0,80}?\bat file (?P<file>\S{1,200}) offset"
)
# "fio: io_u error on file /dev/loop0: Input/output error: read offset=4096, buflen=4096".
_ERROR = re.compile(r"^\s*fio: io_u error on file (?P<file>\S{1,200}): (?P<what>.{1,200})")
_ANY_COMPLAINT = re.compile(r"^\s*(?:verify: bad |[\w-]{1,20}: verify failed )")
MAX_LINE = 2000
UNNAMED = ""


def complaints(stderr: bytes) -> dict[str, str]:
    """Return the first complaint about each device node, of the whole output.

    A disk with many bad blocks writes many lines before another one writes its first.
    """
    result: dict[str, str] = {}
    for raw in io.BytesIO(stderr):
        line = raw[:MAX_LINE].decode("utf-8", "replace").strip()
        match = _COMPLAINT.match(line) or _ERROR.match(line)
        if match:
            result.setdefault(match["file"], line[:200])
        elif _ANY_COMPLAINT.match(line):
            result.setdefault(UNNAMED, line[:200])
    return result


def complaints_by_identity(stderr: bytes, identities: Mapping[str, str]) -> dict[str, str]:
    """Return the first complaint about each disk; `UNNAMED` of a node that is none of them.

    `identities`: by node at the time of the job.
    """
    result: dict[str, str] = {}
    for node, text in complaints(stderr).items():
        result.setdefault(identities.get(node) or UNNAMED, text)
    return result
