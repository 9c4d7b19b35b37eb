"""Integer arithmetic of `$((...))`: + - * / % and brackets, with a shell's results."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

MAX_LENGTH = 200
_VARIABLE = re.compile(r"\$?\{?\b([A-Za-z_]\w{0,60})\b\}?|\$\{?(\d)\}?")
_WHOLE = re.compile(r"-?\d{1,18}")
_LARGEST = 2**62


class NotCalculated(ValueError):
    """Unsupported expression, or one without a result."""


def result_of(text: str, value_of: Callable[[str], str]) -> int:
    """Return the value of an expression; `value_of` returns the value of a variable.

    Raises: NotCalculated.
    """

    def value(match: re.Match[str]) -> str:
        number = value_of(match[1] or match[2])
        if not _WHOLE.fullmatch(number):
            raise NotCalculated
        return f"({number})"

    plain = " ".join(_VARIABLE.sub(value, text).split())
    if len(text) > MAX_LENGTH or "//" in plain or "**" in plain:
        raise NotCalculated
    try:
        return _value(ast.parse(plain, mode="eval").body)
    except (SyntaxError, ZeroDivisionError) as error:
        # Numbers with a leading 0, octal in a shell, are a SyntaxError in Python.
        raise NotCalculated from error


def _value(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=operation, right=right):
            return _bounded(_calculated(_value(left), operation, _value(right)))
    raise NotCalculated


def _calculated(left: int, operation: ast.operator, right: int) -> int:
    match operation:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
    # A shell's division truncates; Python's rounds down.
    whole = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    match operation:
        case ast.Div():
            return whole
        case ast.Mod():
            return left - whole * right
    raise NotCalculated


def _bounded(number: int) -> int:
    if abs(number) > _LARGEST:
        raise NotCalculated
    return number
