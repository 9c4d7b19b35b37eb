"""The rounds as a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from tests.chaos.finding import KINDS, Finding
from tests.chaos.round import Round

WIDTH = 36


def line_of(number: int, each: Round) -> str:
    """One round in one line, its findings below it."""
    control = "never" if each.control is None else f"{each.control:.1f} s"
    head = f"{number:4} {each.fault.name:{WIDTH}} at {each.moment:4.1f} s for {each.lasted:4.1f} s"
    words = [f"     {found.kind}: {found.words}" for found in each.findings]
    return "\n".join([f"{head}, back after {control}", *words])


def table(rounds: Sequence[Round], left: Sequence[Finding]) -> str:
    """A row a fault, and the sum."""
    names = sorted({each.fault.name for each in rounds})
    head = f"{'fault':{WIDTH}} {'rounds':>6} " + " ".join(f"{kind:>12}" for kind in KINDS)
    rows = [f"{head} {'seconds to control, median (most)':>34}"]
    for name in names:
        rows.append(_row(name, [each for each in rounds if each.fault.name == name], ()))
    return "\n".join([*rows, _row("all", rounds, left)])


def _row(name: str, rounds: Sequence[Round], more: Iterable[Finding]) -> str:
    found = [finding for each in rounds for finding in each.findings] + list(more)
    counts = [sum(finding.kind == kind for finding in found) for kind in KINDS]
    seconds = [each.control for each in rounds if each.control is not None]
    control = f"{median(seconds):.1f} ({max(seconds):.1f})" if seconds else "never"
    figures = " ".join(f"{count:12}" for count in counts)
    return f"{name:{WIDTH}} {len(rounds):6} {figures} {control:>34}"
