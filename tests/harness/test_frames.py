"""A loop of calls at any depth asks the system for no memory, where the frames have room."""

from __future__ import annotations

import resource
import threading
from collections.abc import Callable

import pytest

from tests.harness.frames import with_room

PASSES = 300
DEPTHS = range(300)
"""A piece of 16 KiB holds some 150 such frames, so that a border is among these."""


def leaf() -> None:
    """The frame that comes and goes."""


def at(depth: int, call: Callable[[], None]) -> None:
    """Call it below so many frames."""
    if depth:
        at(depth - 1, call)
    else:
        call()


def loop() -> None:
    for _pass in range(PASSES):
        leaf()


def faults_at_each_depth() -> list[int]:
    """Page faults of the thread during the loop, by depth."""
    found = []
    for depth in DEPTHS:
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
        at(depth, loop)
        found.append(resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before)
    return found


def in_a_thread(call: Callable[[], list[int]]) -> list[int]:
    """Its answer from a thread, whose first piece is a small one."""
    answers: list[list[int]] = []
    thread = threading.Thread(target=lambda: answers.append(call()))
    thread.start()
    thread.join()
    return answers[0]


def test_no_pass_of_a_loop_asks_for_memory() -> None:
    assert max(in_a_thread(with_room(faults_at_each_depth))) < PASSES


def test_without_room_each_pass_does_somewhere() -> None:
    assert max(in_a_thread(faults_at_each_depth)) >= PASSES


def test_the_call_is_the_same() -> None:
    def told(*args: int, name: str = "") -> str:
        return f"{name}{args}"

    assert with_room(told)(1, 2, name="x") == "x(1, 2)"
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)()
