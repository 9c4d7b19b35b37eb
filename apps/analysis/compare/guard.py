"""Whether two sides differ in more than what is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.analysis.compare.repeats import LABELS, UNKNOWN, Repeat
from apps.common.units import binary_bytes

_MACHINE = {"host", "target", "cpu", "cpus", "memory", "architecture"}
_DISK = {"target", "model", "firmware", "size", "queue"}
IMPLIED: Mapping[str, frozenset[str]] = {
    "tuning": frozenset({"tuning", "queue"}),
    "host": frozenset(_MACHINE),
    "target": frozenset(_MACHINE | _DISK),
    "disk": frozenset(_DISK),
    "run": frozenset(),
    "param": frozenset(),
}
"""What differs by itself when the factor does: two hosts never share a disk, and a tuning changes
the queue.
"""
UNEVEN = 0.25
"""Above this difference in shares a property that both sides have is still no longer balanced."""


@dataclass(frozen=True)
class Difference:
    """A property beyond the factor in which two sides differ; `a` and `b` are what they have."""

    name: str
    label: str
    a: str
    b: str

    def __str__(self) -> str:
        if not self.a and not self.b:
            return self.label
        return _("{label} ({a} against {b})").format(label=self.label, a=self.a, b=self.b)


def differences(a: Sequence[Repeat], b: Sequence[Repeat], factor: str) -> list[Difference]:
    """Every property beyond `factor` ("tuning", "host", "target", "disk", "run", "param:...") that
    would explain a difference as well. Nothing known on both sides counts as equal; known against
    unknown as different, but what nobody told of imported results is not counted.
    """
    implied = IMPLIED[factor.partition(":")[0]]
    found = []
    for name, label in LABELS.items():
        if name in implied:
            continue
        mine, theirs = _shares(a, name), _shares(b, name)
        if mine and theirs and _differ(mine, theirs):
            found.append(Difference(name, str(label), _text(name, mine), _text(name, theirs)))
    if factor not in ("run", "host") and separated(a, b):
        found.append(
            Difference("time", _("time: one side ran completely before the other"), "", "")
        )
    return found


def separated(a: Sequence[Repeat], b: Sequence[Repeat]) -> bool:
    """Whether one side ran completely before the other. A single repeat is always before or
    after, so that says nothing; neither does the time of an import.
    """
    if min(len(a), len(b)) < 2 or not all(repeat.timed for repeat in (*a, *b)):
        return False
    times_a, times_b = [repeat.at for repeat in a], [repeat.at for repeat in b]
    return max(times_a) < min(times_b) or max(times_b) < min(times_a)


def _shares(repeats: Sequence[Repeat], name: str) -> dict[str, float]:
    """How often each value occurs, as shares of the repeats that say it."""
    told = [repeat for repeat in repeats if name not in repeat.conditions.unsaid]
    counts = Counter(repeat.conditions.properties.get(name, "") for repeat in told)
    return {value: number / len(told) for value, number in counts.items()}


def _differ(a: Mapping[str, float], b: Mapping[str, float]) -> bool:
    """Values that only one side has, or so unevenly spread that the sides are two mixtures."""
    if a.keys() != b.keys():
        return True
    return sum(abs(a[value] - b[value]) for value in a) / 2 > UNEVEN


def _text(name: str, shares: Mapping[str, float]) -> str:
    """The values of one side; numbers of bytes as people read them."""
    values = sorted(shares)
    if name in ("memory", "size"):
        values = [binary_bytes(int(v)) if v.isdigit() else v for v in values]
    return " / ".join(value or UNKNOWN for value in values)
