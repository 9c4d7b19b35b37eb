"""People who click: each asks for one address after the other, as soon as the last answer is
there, over a connection that stays open.
"""

from __future__ import annotations

import http.client
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from statistics import quantiles

TIMEOUT = 60.0


@dataclass(frozen=True)
class Ask:
    """An address and the headers it is asked for with."""

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Clicked:
    """Answers that a crowd got in so many seconds: each one's seconds, and those that were not 200
    by what they were.
    """

    seconds: float
    taken: list[float]
    errors: Mapping[str, int]
    slowest: tuple[float, str]

    @property
    def rate(self) -> float:
        """Good answers a second."""
        return len(self.taken) / self.seconds

    def percentile(self, of: int) -> float:
        """Seconds below which so many of 100 answers came."""
        return quantiles(self.taken, n=100)[of - 1] if len(self.taken) > 1 else float("nan")

    @property
    def words(self) -> str:
        """Rate, percentiles and errors in one line."""
        bad = sum(self.errors.values())
        told = f" {dict(self.errors)}" if bad else ""
        p50, p99 = self.percentile(50) * 1000, self.percentile(99) * 1000
        return (
            f"{self.rate:.0f} requests/s, p50 {p50:.0f} ms, p99 {p99:.0f} ms, {bad} errors{told}, "
            f"slowest {self.slowest[0]:.2f} s {self.slowest[1]}"
        )


def crowd(
    port: int, people: int, seconds: float, choose: Callable[[int, random.Random], Ask]
) -> Clicked:
    """`choose` says what a person (by number) asks for next, with dice of their own."""
    ends = time.monotonic() + seconds
    with ThreadPoolExecutor(people) as threads:
        found = list(threads.map(lambda one: _person(port, one, ends, choose), range(people)))
    return _together(seconds, found)


Answers = list[tuple[float, str, str]]


def _person(
    port: int, number: int, ends: float, choose: Callable[[int, random.Random], Ask]
) -> Answers:
    """(seconds, "" or what was wrong, address) of each answer."""
    dice, answers = random.Random(number), []
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    while time.monotonic() < ends:
        asked = choose(number, dice)
        began = time.monotonic()
        wrong = _ask(connection, asked)
        answers.append((time.monotonic() - began, wrong, asked.path))
    connection.close()
    return answers


def _ask(connection: http.client.HTTPConnection, asked: Ask) -> str:
    """The fault of an answer, or "". A redirect is followed once, as a browser does."""
    try:
        status, place = _answer(connection, asked, asked.path)
        if status == 302 and place:
            status, place = _answer(connection, asked, place)
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        return type(error).__name__
    return "" if status == 200 else str(status)


def _answer(
    connection: http.client.HTTPConnection, asked: Ask, path: str
) -> tuple[int, str | None]:
    """The status, and where a redirect leads to."""
    headers = {"Accept-Encoding": "gzip", **asked.headers}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status, answer.getheader("Location")


def _together(seconds: float, found: Sequence[Answers]) -> Clicked:
    errors: dict[str, int] = {}
    taken, slowest = [], (0.0, "")
    for answers in found:
        for took, wrong, path in answers:
            slowest = max(slowest, (took, path))
            if wrong:
                errors[wrong] = errors.get(wrong, 0) + 1
            else:
                taken.append(took)
    return Clicked(seconds, taken, errors, slowest)
