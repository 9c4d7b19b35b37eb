"""Placeholders in arguments that the host fills in."""

import re
from typing import List, Match

from ..schema import Command

PLACEHOLDER = re.compile(r"\{(target|cpus|ng)(0|[1-9][0-9]{0,3})?\}")
GENERIC = "ng"
GENERIC_NODE = re.compile(r"/dev/+(?:\./+)*(?:ng\d|char/)")


def fill_placeholders(
    argv: List[str], paths: List[str], cpus: List[List[str]], generic: List[str]
) -> List[str]:
    """Replace `{target}` and `{target0}` by the first path, `{cpus0}` by its CPUs, and so on.

    `{ng0}` becomes the NVMe generic device of the first disk.

    One pass: inserted text is never replaced. Placeholders without a value stay.
    """
    values_by_name = {
        "target": paths,
        "cpus": [",".join(chosen) for chosen in cpus],
        GENERIC: generic,
    }

    def value(match: Match[str]) -> str:
        values, number = values_by_name[match.group(1)], int(match.group(2) or 0)
        return values[number] if number < len(values) else match.group(0)

    return [PLACEHOLDER.sub(value, word) for word in argv]


def passes_through(commands: List[Command]) -> bool:
    """Return True if a command uses the NVMe generic device of a target."""
    words = [word for item in commands for word in item["argv"]]
    return any(match.group(1) == GENERIC for w in words for match in PLACEHOLDER.finditer(w))


def named_generic_devices(commands: List[Command]) -> List[str]:
    """Return words that name a generic device itself, which no claim would cover."""
    return [w for item in commands for w in item["argv"] if GENERIC_NODE.search(w)]


def unknown_placeholders(commands: List[Command], targets: int) -> List[str]:
    """Return placeholders beyond the last target, which would become file names."""
    result = [
        match for item in commands for word in item["argv"] for match in PLACEHOLDER.finditer(word)
    ]
    return [m.group(0) for m in result if targets and int(m.group(2) or 0) >= targets]
