"""Disk or file under test of a result in fio's documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from apps.tools.fio.parser.tables import MAX_TARGET_LENGTH, disk_names, disks_of
from apps.tools.fio.parser.targets import group_of
from apps.tools.values import Decoded

_SEPARATOR = re.compile(r"(?<!\\):")  # between names; fio escapes other colons with a backslash


def target_of(members: Sequence[Decoded], jobs: Sequence[Decoded], document: Decoded) -> str:
    """Return the disks of the only group, else the one file that the jobs name, else ""."""
    disks = disk_names(disks_of(document))
    if disks and ("," not in disks or len({group_of(job) for job in jobs}) == 1):
        return disks
    names = set(_files(members, document.get("global options")))
    return names.pop()[:MAX_TARGET_LENGTH] if len(names) == 1 else ""


def _files(members: Sequence[Decoded], common: object) -> Iterator[str]:
    for job in members:
        for options in (job.get("job options"), common):
            text = options.get("filename") if isinstance(options, Mapping) else None
            if isinstance(text, str) and text:
                yield from (name.replace("\\:", ":") for name in _SEPARATOR.split(text))
                break
