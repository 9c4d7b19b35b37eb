"""Rows of bin/bench, and the figures of a measured one."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchlab.bench.figures import Aim, Figures
from benchlab.bench.rounds import Rounds


class CannotMeasure(Exception):
    """This machine or this user cannot run the row; the message says why."""


class NotEqual(Exception):
    """The two sides did not do the same work, so a ratio of them would mean nothing."""


@dataclass(frozen=True)
class Measured:
    """One row's result. `notes` are sentences printed below it; `facts` go into its raw file."""

    figures: Figures
    raw: Rounds
    unit: str
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BenchRow:
    """One benchmark. `measure` gets a scratch folder of its own and the number of rounds."""

    name: str
    title: str
    aim: Aim | None
    rounds: int
    measure: Callable[[Path, int], Coroutine[Any, Any, Measured]]
