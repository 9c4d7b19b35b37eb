"""Tests have room for the frames of their functions.

CPython lays frames into pieces of 16 KiB, asks the system for another where one is full, and gives
it back as soon as its first frame is left. Where such a border is crossed in a loop, each pass is
two system calls and a page fault. pytest calls a test from some forty frames, a page is rendered
a hundred deep: a border lay within most tests that ask for pages, and took up to a third of them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar

from _pytest import main

P = ParamSpec("P")
R = TypeVar("R")

WORDS = 70_000
"""Of 8 bytes: a frame that needs them gets a piece of 1 MiB, the next power of two. What it leaves
free, 464 KiB, is for the frames of all that it calls. Of the memory only what is written to is
taken.
"""


def with_room(call: Callable[P, R]) -> Callable[P, R]:
    """The same call; what it calls has its frames in one piece."""

    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        return call(*args, **kwargs)

    wide = called.__code__.replace(co_stacksize=WORDS)
    roomy: Callable[P, R] = FunctionType(wide, globals(), call.__name__, None, called.__closure__)
    return roomy


# Collection and tests, also in a process of xdist. pytest has no hook around both.
main._main = with_room(main._main)
