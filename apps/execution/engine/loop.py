"""The engine: one thread with one event loop a worker process, holding all connections and driving
all its runs (apps.execution.engine.reconciler).

The thread is supervised: whatever ends a life of it, the next one begins after a pause with an
event loop, connections and sessions of its own, and goes on from what PostgreSQL and the hosts say.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Callable

from apps.execution.engine.reconciler import Reconciler
from apps.execution.runtime.database import close_connections, restart_threads
from apps.runs.selectors.heartbeats import process_name

log = logging.getLogger(__name__)

# Seconds before the next life, doubled each time up to the second; a life that lasted longer than
# that was a good one.
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0


class Engine:
    """Start once a process; `wake` and `stop` may be called from any thread."""

    def __init__(self) -> None:
        self.name = f"{process_name()}:{uuid.uuid4().hex[:6]}"
        self._thread = threading.Thread(target=self._serve, name="engine", daemon=True)
        self._stopping = threading.Event()
        self._life: tuple[asyncio.AbstractEventLoop, Reconciler] | None = None

    def start(self) -> None:
        """Begin to sweep, in a thread of its own."""
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        """Hand over every run and end the thread. What runs on the hosts runs on."""
        self._stopping.set()
        self._tell(lambda sweeping: sweeping.stop())
        if self._thread.is_alive():
            self._thread.join(timeout)
        close_connections()

    def wake(self, run_id: int | None = None) -> None:
        """A hint: look now, at this run in particular. Between two lives it is lost, which costs
        one sweep.
        """
        self._tell(lambda sweeping: sweeping.hinted(run_id))

    def _tell(self, tell: Callable[[Reconciler], None]) -> None:
        if self._life is not None:
            loop, sweeping = self._life
            with contextlib.suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(tell, sweeping)

    def _serve(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._live()
            except BaseException:  # whatever it was, the worker needs an engine
                log.exception("the engine ended; it starts anew in %.0f s at most", pause)
            if time.monotonic() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            if self._stopping.wait(pause):
                break
            pause = min(pause * 2, LONGEST_PAUSE)
            restart_threads()

    def _live(self) -> None:
        with asyncio.Runner() as runner:
            sweeping = Reconciler(self.name)
            self._life = runner.get_loop(), sweeping
            if self._stopping.is_set():
                return
            runner.run(sweeping.main())
