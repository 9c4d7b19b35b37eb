"""A figure of a benchmark beside its limit, and how it is printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles


class CannotMeasure(Exception):
    """The benchmark cannot run here; the message has the reason."""


@dataclass(frozen=True)
class Figure:
    """What was measured. `limit` is the largest good value, or the least one (`at_least`).
    `beside` is what a user would do instead, with its time.
    """

    what: str
    value: float
    limit: float | None = None
    beside: str = ""
    unit: str = " s"
    at_least: bool = False

    @property
    def is_missed(self) -> bool:
        if self.limit is None:
            return False
        return self.value < self.limit if self.at_least else self.value > self.limit

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        limit = "" if self.limit is None else f"{sign} {self.limit:g}{self.unit}"
        missed = "MISSED" if self.is_missed else ""
        value = f"{self.value:.3f}{self.unit}"
        return f"{self.what:44} {value:>10}  {limit:9} {missed:6} {self.beside}".rstrip()


@dataclass(frozen=True)
class Options:
    """A scratch folder, and an archive of `cases` in `archive` (a folder that is kept)."""

    scratch: Path
    cases: int | None = None
    archive: Path | None = None


Row = Callable[[Options], Iterator[Figure]]


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def percentile95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1]
