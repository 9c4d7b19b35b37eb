"""Whole numbers of `$((...))`: + - * / % and brackets, as a shell calculates them."""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST = 200
_TOKEN = re.compile(r"\s*(\d{1,18}|\$?\{?[A-Za-z_]\w{0,60}\}?|\$\{?\d\}?|[-+*/%()])")
_LARGEST = 2**62


class NotCalculated(ValueError):
    """An expression of another form, or without a result."""


def result_of(text: str, value_of: Callable[[str], str]) -> int:
    """The value of an expression; `value_of` gives that of a variable. Raises NotCalculated."""
    if len(text) > LONGEST:
        raise NotCalculated
    calculation = _Calculation(_tokens(text), value_of)
    result = calculation.total()
    if calculation.tokens or abs(result) > _LARGEST:
        raise NotCalculated
    return result


def _tokens(text: str) -> list[str]:
    """The tokens, the last one first."""
    found: list[str] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotCalculated
        found.append(match[1])
        place = match.end()
    return found[::-1]


class _Calculation:
    """One expression from its left to its right."""

    def __init__(self, tokens: list[str], value_of: Callable[[str], str]) -> None:
        self.tokens, self.value_of = tokens, value_of

    def total(self) -> int:
        """Products, added and subtracted."""
        result = self.product()
        while self.tokens and self.tokens[-1] in "+-":
            sign = self.tokens.pop()
            other = self.product()
            result += other if sign == "+" else -other
        return result

    def product(self) -> int:
        """Numbers, multiplied and divided; a shell's division leaves the fraction out."""
        result = self.number()
        while self.tokens and self.tokens[-1] in "*/%":
            sign, other = self.tokens.pop(), self.number()
            if sign == "*":
                result *= other
            elif not other:
                raise NotCalculated
            else:
                whole = abs(result) // abs(other) * (1 if (result < 0) == (other < 0) else -1)
                result = whole if sign == "/" else result - whole * other
            if abs(result) > _LARGEST:
                raise NotCalculated
        return result

    def number(self) -> int:
        """A number, a variable, or an expression in brackets."""
        if not self.tokens:
            raise NotCalculated
        token = self.tokens.pop()
        if token in "+-":
            return self.number() if token == "+" else -self.number()
        if token == "(":
            result = self.total()
            if not self.tokens or self.tokens.pop() != ")":
                raise NotCalculated
            return result
        return _whole(token if token[0].isdigit() else self.value_of(token.strip("${}")))


def _whole(text: str) -> int:
    """A number; one that begins with 0 is octal."""
    if not re.fullmatch(r"-?\d{1,18}", text):
        raise NotCalculated
    octal = len(text.lstrip("-")) > 1 and text.lstrip("-").startswith("0")
    if octal and set(text) & set("89"):
        raise NotCalculated
    return int(text, 8) if octal else int(text)
