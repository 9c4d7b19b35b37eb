"""Versions of a tool that have an option, and the decision whether a host's tool has it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_VERSION = re.compile(r"(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?")


@dataclass(frozen=True)
class OptionVersions:
    """First and last version with an option; None: no limit is known.

    - `listed_as`: names under which the tool's own list shows it; any of them proves it. A list may
      omit an option and show only the one that it belongs to.
    - `list_decides`: False if the list shows only another option, so that the version counts too.
    """

    name: str
    since: str | None = None
    until: str | None = None
    listed_as: tuple[str, ...] = ()
    list_decides: bool = True

    def covers(self, version: str | None) -> bool:
        """Return True if this version may have the option; True for an unknown version."""
        number = version_key(version)
        if number is None:
            return True
        first, last = version_key(self.since), version_key(self.until)
        return (first is None or first <= number) and (last is None or number <= last)

    def is_in(self, listed: Collection[str], version: str | None) -> bool:
        """Return True if a host with this list, empty if unknown, and version has the option."""
        if not listed:
            return self.covers(version)
        names = self.listed_as or (self.name,)
        shown = any(_shows(name, listed) for name in names)
        return shown and (self.list_decides or self.covers(version))


def version_key(version: str | None) -> tuple[int, int, int] | None:
    """Return "3.41", "fio-3.41-12-gabc" or "3.41.1" as numbers; None for other text."""
    match = _VERSION.search(version or "")
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def _shows(name: str, listed: Collection[str]) -> bool:
    """Return True if a list shows an option, or no values of "option=value" at all."""
    option, value, _text = name.partition("=")
    if value and not any(each.startswith(f"{option}=") for each in listed):
        return True
    return name in listed
