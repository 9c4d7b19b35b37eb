"""The disk or file that a result of fio's documents was measured on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from apps.tools.fio.parser.tables import LONGEST_TARGET, disk_names, disks_of
from apps.tools.fio.parser.targets import group_of
from apps.tools.values import Decoded

_SEPARATOR = re.compile(r"(?<!\\):")  # of several names; fio wants a backslash before another colon


def target_of(members: Sequence[Decoded], jobs: Sequence[Decoded], document: Decoded) -> str:
    """Return the disk below, or those of the only group; where several groups share several disks,
    the one file that the jobs name; empty where they name none or several.
    """
    disks = disk_names(disks_of(document))
    if disks and ("," not in disks or len({group_of(job) for job in jobs}) == 1):
        return disks
    names = set(_files(members, document.get("global options")))
    return names.pop()[:LONGEST_TARGET] if len(names) == 1 else ""


def _files(members: Sequence[Decoded], common: object) -> Iterator[str]:
    for job in members:
        for options in (job.get("job options"), common):
            text = options.get("filename") if isinstance(options, Mapping) else None
            if isinstance(text, str) and text:
                yield from (name.replace("\\:", ":") for name in _SEPARATOR.split(text))
                break
