"""Whether two sides differ in more than what is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from apps.analysis.repeats.repeats import LABELS, UNKNOWN, Repeats
from apps.common.domain.units import binary_bytes

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
"""Properties that differ by themselves when the factor does: two hosts never share a disk, and a
tuning changes the queue.
"""
UNEVEN = 0.25
"""Above this difference in shares a property that both sides have is still no longer balanced."""


Counts = tuple[tuple[int, int], ...]
"""Numbers of repeats by their conditions' code."""


@dataclass(frozen=True)
class Difference:
    """A property beyond the factor in which two sides differ, one of LABELS, "time" or "windows";
    `a` and `b` are what they have.
    """

    name: str
    a: str
    b: str

    @property
    def label(self) -> str:
        if self.name == "windows":
            return _("length of the windows")
        if self.name == "time":
            return _("time: one side ran completely before the other")
        return str(LABELS[self.name])

    def __str__(self) -> str:
        if not self.a and not self.b:
            return self.label
        return _("{label} ({a} against {b})").format(label=self.label, a=self.a, b=self.b)


class ConfounderCheck:
    """Looks for differences beyond one factor. Sides with the same conditions as often have the
    same differences, so they are looked for once.
    """

    def __init__(self, repeats: Repeats, factor: str) -> None:
        self._repeats, self._factor = repeats, factor
        implied = IMPLIED[factor.partition(":")[0]]
        self._names = [name for name in LABELS if name not in implied]
        self._known: dict[tuple[bytes, bytes], tuple[Difference, ...]] = {}

    def differences(self, a: bytes, b: bytes, *, separated: bool) -> tuple[Difference, ...]:
        """Every property beyond the factor ("tuning", "host", "target", "disk", "run",
        "param:...") that would explain a difference between these sides as well, of which each is
        the conditions (int64) of its repeats. Nothing known on both sides counts as equal; known
        against unknown as different, but what nobody told of imported results is not counted.
        """
        if (a, b) not in self._known:
            self._known[a, b] = tuple(self._between(_counts(a), _counts(b)))
        found = self._known[a, b]
        if self._factor not in ("run", "host") and separated:
            found += (Difference("time", "", ""),)
        return found

    def _between(self, a: Counts, b: Counts) -> Iterator[Difference]:
        for name in self._names:
            mine, theirs = self._shares(a, name), self._shares(b, name)
            if mine and theirs and _differ(mine, theirs):
                yield Difference(name, _text(name, mine), _text(name, theirs))

    def _shares(self, counts: Counts, name: str) -> dict[str, float]:
        """Shares of each value of a property among the repeats that say it."""
        told: Counter[str] = Counter()
        for code, number in counts:
            here = self._repeats.shared[code]
            if name not in here.unsaid:
                told[here.properties.get(name, "")] += number
        return {value: number / told.total() for value, number in told.items()}


def _counts(conditions: bytes) -> Counts:
    codes = np.frombuffer(conditions, dtype=np.int64).tolist()
    return tuple(sorted(Counter(codes).items()))


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
