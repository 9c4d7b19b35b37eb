"""Loops of the form `for ((i=1; i<=64; i*=2))`, with numbers or variables of the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.tools.messages import message

from .expansion import MAX_WORDS, Scope, Unresolved, calculated

_HEAD = re.compile(r"(\w{1,60})=([^;]{1,80});(\w{1,60})(<=?|>=?)([^;]{1,80});([^;]{1,80})")
_CHANGES = (
    (re.compile(r"(\w+)(\+\+|--)|(\+\+|--)(\w+)"), ""),
    (re.compile(r"(\w+)([-+*])=(\d{1,9})"), "short"),
    (re.compile(r"(\w+)=\1([-+*])(\d{1,9})"), "long"),
)


@dataclass(frozen=True)
class Counting:
    """Head of a counting loop.

    `sign` compares with the last number; `operator` and `step` compute the next number.
    """

    name: str
    first: str
    sign: str
    last: str
    operator: str
    step: int

    def values(self, scope: Scope) -> list[str]:
        """Return the numbers, as text.

        Raises: Unresolved for unknown values and loops with too many iterations.
        """
        number, last = (calculated(text, scope) for text in (self.first, self.last))
        numbers: list[str] = []
        while _continues(number, self.sign, last):
            if len(numbers) >= MAX_WORDS:
                raise Unresolved(message("the loop has too many rounds"))
            numbers.append(str(number))
            number = {
                "+": number + self.step,
                "-": number - self.step,
                "*": number * self.step,
            }[self.operator]
        return numbers


def counting_of(text: str) -> Counting | None:
    """Return the loop between its brackets; None for another form."""
    match = _HEAD.fullmatch(re.sub(r"\s+", "", text))
    if match is None or match[1] != match[3]:
        return None
    for pattern, form in _CHANGES:
        change = pattern.fullmatch(match[6])
        if change and match[1] in change.groups():
            sign = change[2] or change[3]
            step = int(change[3]) if form else 1
            return Counting(match[1], match[2], match[4], match[5], sign[0], step)
    return None


def _continues(number: int, sign: str, last: int) -> bool:
    return {
        "<": number < last,
        "<=": number <= last,
        ">": number > last,
        ">=": number >= last,
    }[sign]
