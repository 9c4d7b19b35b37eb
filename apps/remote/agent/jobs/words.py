"""The words inside arguments that only the host can fill in."""

import re
from typing import List, Match

from ..shapes import Command

WORD = re.compile(r"\{(target|cpus)(0|[1-9][0-9]{0,3})?\}")


def filled(argv: List[str], places: List[str], cpus: List[List[str]]) -> List[str]:
    """`{target}` and `{target0}` become the first place, `{target1}` the second; `{cpus1}` the
    CPUs chosen for the second target, "0,4". In one pass: what was put in is never read again. A
    word that nothing stands for stays as it is.
    """
    known = {"target": places, "cpus": [",".join(chosen) for chosen in cpus]}

    def value(match: Match[str]) -> str:
        values, number = known[match.group(1)], int(match.group(2) or 0)
        return values[number] if number < len(values) else match.group(0)

    return [WORD.sub(value, word) for word in argv]


def beyond(commands: List[Command], targets: int) -> List[str]:
    """Words for targets that a spec with some does not have: they would become files' names."""
    found = [match for item in commands for word in item["argv"] for match in WORD.finditer(word)]
    return [m.group(0) for m in found if targets and int(m.group(2) or 0) >= targets]
