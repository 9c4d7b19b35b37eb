"""Conditions of a measurement, proposed from the names of files and folders."""

from __future__ import annotations

import re

# The team's own files are called rados--write_before_tuning.txt; folders are called "after".
_WHEN = re.compile(r"(?:^|[^a-z])(before|after)(?![a-z])", re.IGNORECASE)


def proposed_tuning(path: str) -> str:
    """ "before" or "after", where exactly one of them is in the path; the last folder or file name
    that says one wins. "" where nothing says.
    """
    for part in reversed(path.split("/")):
        said = {word.lower() for word in _WHEN.findall(part)}
        if said:
            return said.pop() if len(said) == 1 else ""
    return ""
