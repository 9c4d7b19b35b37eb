"""Add repeats to a run until its gate is decided, as far as a limit permits."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Callable, Optional

from benchlab_client.client import Client
from benchlab_client.errors import TimeOverError
from benchlab_client.gate.decisions import UNDECIDED, Gate
from benchlab_client.output import note
from benchlab_client.waiting import wait_for_runs

DEFAULT_MAX_REPEATS = 24


@dataclass(frozen=True)
class Deadline:
    """Time limit of a whole command; `seconds`: None for none."""

    seconds: Optional[float]
    started: float
    now: Callable[[], float] = time.monotonic

    @staticmethod
    def of(seconds: Optional[float]) -> Deadline:
        return Deadline(seconds, time.monotonic())

    def left(self) -> Optional[float]:
        """Return the seconds left. Raises: TimeOverError."""
        if self.seconds is None:
            return None
        left = self.started + self.seconds - self.now()
        if left <= 0:
            raise TimeOverError(f"The time of {self.seconds:g} s is over.")
        return left


def decide_ended_run(
    client: Client, run: int, read: Callable[[], Gate], deadline: Deadline, max_repeats: int
) -> Gate:
    """Wait for the end of a run, and return its gate; add up to `max_repeats` if it is undecided.

    The server computes how many repeats may decide it, so that few looks share the error.
    Raises: TimeOverError, NetworkError, ServerError; the run goes on.
    """
    added = 0
    while True:
        wait_for_runs(client, [run], timeout=deadline.left())
        gate = read()
        if gate.state != UNDECIDED or not max_repeats:
            return gate
        if gate.more_repeats is None:
            note("No number of repeats is likely to decide this gate.")
            return gate
        number = min(gate.more_repeats, max_repeats - added)
        if number <= 0:
            note(f"{added} repeats were added, which is the limit. {gate.text}")
            return gate
        note(f"{gate.text} Adding {number} repeats to run {run}.")
        deadline.left()
        client.run_add_repeats(run, number)
        added += number
