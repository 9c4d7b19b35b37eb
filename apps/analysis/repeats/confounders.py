"""Confounders: properties besides the factor in which two sides differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from apps.analysis.repeats.repeats import LABELS, UNKNOWN, Repeats
from apps.common.domain.units import binary_bytes

_WHOLE = re.compile(r"[0-9]{1,18}")
_MACHINE = {"host", "target", "cpu", "cpus", "memory", "architecture"}
_DISK = {"target", "model", "firmware", "size", "queue", "fabric", "mount"}
IMPLIED: Mapping[str, frozenset[str]] = {
    "tuning": frozenset({"tuning", "queue"}),
    "host": frozenset(_MACHINE),
    "target": frozenset(_MACHINE | _DISK),
    "disk": frozenset(_DISK),
    "run": frozenset(),
    "param": frozenset(),
}
"""Properties that differ with the factor.

Two hosts never share a disk; a tuning changes the queue.
"""
MAX_SHARE_DIFFERENCE = 0.25
"""Limit of the difference in shares up to which a mixed property is balanced."""


Counts = tuple[tuple[int, int], ...]
"""Numbers of repeats by code of their conditions."""


@dataclass(frozen=True)
class Difference:
    """Property besides the factor in which two sides differ, with both values.

    `name`: a key of LABELS, "time" or "windows".
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
    """Finder of differences besides one factor, cached by the conditions of both sides."""

    def __init__(self, repeats: Repeats, factor: str) -> None:
        self._repeats, self._factor = repeats, factor
        implied = IMPLIED[factor.partition(":")[0]]
        self._names = [name for name in LABELS if name not in implied]
        self._cache: dict[tuple[bytes, bytes], tuple[Difference, ...]] = {}

    def differences(self, a: bytes, b: bytes, *, separated: bool) -> tuple[Difference, ...]:
        """Return every property besides the factor that may explain a difference between two sides.

        `a`, `b`: the conditions (int64) of each side's repeats. Unknown on both sides counts as
        equal, unknown on one side as different. Unknown properties of imports are ignored.
        """
        if (a, b) not in self._cache:
            self._cache[a, b] = tuple(self._find_differences(_counts(a), _counts(b)))
        result = self._cache[a, b]
        if self._factor not in ("run", "host") and separated:
            result += (Difference("time", "", ""),)
        return result

    def _find_differences(self, a: Counts, b: Counts) -> Iterator[Difference]:
        for name in self._names:
            mine, theirs = self._shares(a, name), self._shares(b, name)
            if mine and theirs and _are_unbalanced(mine, theirs):
                yield Difference(name, _values_text(name, mine), _values_text(name, theirs))

    def _shares(self, counts: Counts, name: str) -> dict[str, float]:
        """Return the share of each value of a property among the repeats that have it."""
        counts_by_value: Counter[str] = Counter()
        for code, number in counts:
            here = self._repeats.shared[code]
            if name not in here.unknown_properties:
                counts_by_value[here.properties.get(name, "")] += number
        return {
            value: number / counts_by_value.total() for value, number in counts_by_value.items()
        }


def _counts(conditions: bytes) -> Counts:
    codes = np.frombuffer(conditions, dtype=np.int64).tolist()
    return tuple(sorted(Counter(codes).items()))


def _are_unbalanced(a: Mapping[str, float], b: Mapping[str, float]) -> bool:
    """Return True for values of one side only, or shares too unequal for two similar mixtures."""
    if a.keys() != b.keys():
        return True
    return sum(abs(a[value] - b[value]) for value in a) / 2 > MAX_SHARE_DIFFERENCE


def _values_text(name: str, shares: Mapping[str, float]) -> str:
    """Return the values of one side; byte counts in display units."""
    values = sorted(shares)
    if name in ("memory", "size"):
        values = [binary_bytes(int(v)) if _WHOLE.fullmatch(v) else v for v in values]
    return " / ".join(value or UNKNOWN for value in values)
