"""Wait until runs and imports end; failures of the network in between are survived."""

from __future__ import annotations

import time
from typing import Callable, List, Optional, Sequence, TypeVar

from benchlab_client.calls.runs import ENDED_STATES
from benchlab_client.client import Client
from benchlab_client.errors import NetworkError, ServerError, TimeOverError
from benchlab_client.output import note
from benchlab_client.progress import Progress
from benchlab_client.types import ImportDetail, RunDetail

FIRST_DELAY = 0.5
MAX_DELAY = 10.0
UNREACHABLE_SECONDS = 300.0
"""Time without an answer after which waiting ends: as long as a server is updated."""
Answer = TypeVar("Answer")


class Waiter:
    """Polls the server. `timeout` in seconds counts from the start; None waits without end."""

    def __init__(
        self,
        timeout: Optional[float] = None,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._now, self._sleep = now, sleep
        self._end = None if timeout is None else now() + timeout
        self._timeout = timeout

    def until(
        self,
        read: Callable[[], Answer],
        has_ended: Callable[[Answer], bool],
        changed: Callable[[Answer], None] = lambda _answer: None,
    ) -> Answer:
        """Return the first answer that has ended; call `changed` with each one.

        Raises: TimeOverError; NetworkError and ServerError after UNREACHABLE_SECONDS.
        """
        delay, failing_since = FIRST_DELAY, None
        while True:
            try:
                answer = read()
                changed(answer)
            except (NetworkError, ServerError) as error:
                if isinstance(error, ServerError) and error.status < 500:
                    raise
                if failing_since is None:
                    failing_since = self._now()
                    note(f"{error} Trying again.")
                if self._now() - failing_since > UNREACHABLE_SECONDS:
                    raise
            else:
                failing_since = None
                if has_ended(answer):
                    return answer
            self._pause(delay)
            delay = min(delay * 1.5, MAX_DELAY)

    def _pause(self, delay: float) -> None:
        if self._end is not None:
            left = self._end - self._now()
            if left <= 0:
                raise TimeOverError(f"The time of {self._timeout:g} s is over.")
            delay = min(delay, left)
        self._sleep(delay)


def wait_for_runs(
    client: Client,
    ids: Sequence[int],
    *,
    timeout: Optional[float] = None,
    changed: Callable[[RunDetail], None] = lambda _run: None,
) -> List[RunDetail]:
    """Wait until all runs have ended; show a progress bar if this is a terminal.

    Raises: TimeOverError, KeyboardInterrupt; the runs go on. NetworkError, ServerError.
    """
    waiter, ended = Waiter(timeout), []
    try:
        for number, id in enumerate(ids, 1):
            title = f"run {id}" + (f" ({number} of {len(ids)})" if len(ids) > 1 else "")
            with Progress(title) as progress:

                def show(run: RunDetail, bar: Progress = progress) -> None:
                    bar.update(run)
                    changed(run)

                read = _reader(client, id)
                ended.append(waiter.until(read, lambda run: run["state"] in ENDED_STATES, show))
    except (KeyboardInterrupt, TimeOverError):
        left = " ".join(str(id) for id in ids[len(ended) :])
        note(f"Not waiting any more. What was launched goes on: benchlab wait {left}")
        raise
    return ended


def _reader(client: Client, id: int) -> Callable[[], RunDetail]:
    return lambda: client.run(id)


def wait_for_import(
    client: Client, id: int, states: Sequence[str], *, timeout: Optional[float] = None
) -> ImportDetail:
    """Wait until a worker has read or stored an import. Raises: as `wait_for_runs`."""
    return Waiter(timeout).until(lambda: client.import_(id), lambda one: one["state"] in states)
