"""Placeholders in arguments that the host fills in."""

import re
from typing import List, Match

from ..schema import Command

PLACEHOLDER = re.compile(r"\{(target|cpus)(0|[1-9][0-9]{0,3})?\}")


def fill_placeholders(argv: List[str], paths: List[str], cpus: List[List[str]]) -> List[str]:
    """Replace `{target}` and `{target0}` by the first path, `{cpus0}` by its CPUs, and so on.

    One pass: inserted text is never replaced. Placeholders without a value stay.
    """
    values_by_name = {"target": paths, "cpus": [",".join(chosen) for chosen in cpus]}

    def value(match: Match[str]) -> str:
        values, number = values_by_name[match.group(1)], int(match.group(2) or 0)
        return values[number] if number < len(values) else match.group(0)

    return [PLACEHOLDER.sub(value, word) for word in argv]


def unknown_placeholders(commands: List[Command], targets: int) -> List[str]:
    """Return placeholders beyond the last target, which would become file names."""
    result = [
        match for item in commands for word in item["argv"] for match in PLACEHOLDER.finditer(word)
    ]
    return [m.group(0) for m in result if targets and int(m.group(2) or 0) >= targets]
