"""Split an iozone command line into options (iozone.c, getopt)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

WITH_VALUE = frozenset("JjkVrtsfFdluUSLHPibXYgnyq")
_PLUS_WITH_VALUE = frozenset("aAbcCehHimOpPqQRSwWxy")


def options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value, such as "-I" or "-+n".

    Options may share a dash ("-Rb out.xls"), a value may follow without a space ("-i0"), and -F
    takes every name up to the next option.
    """
    rest = deque(words)
    while rest:
        word = rest.popleft()
        if word.startswith("-+"):
            yield _plus_option(word, rest)
        elif word.startswith("-"):
            yield from _letters(word[1:], rest)


def _plus_option(word: str, rest: deque[str]) -> tuple[str, str]:
    name, value = word[:3], word[3:]
    if name[2:] in _PLUS_WITH_VALUE and not value and rest and not rest[0].startswith("-"):
        value = rest.popleft()
    return name, value


def _letters(letters: str, rest: deque[str]) -> Iterator[tuple[str, str]]:
    for index, letter in enumerate(letters):
        if letter not in WITH_VALUE:
            yield f"-{letter}", ""
            continue
        yield f"-{letter}", letters[index + 1 :] or (rest.popleft() if rest else "")
        while letter == "F" and rest and not rest[0].startswith("-"):
            yield "-F", rest.popleft()
        return
