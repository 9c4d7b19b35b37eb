"""The engine: one thread with one event loop per worker process, which drives all its runs.

The thread is supervised: after any error it restarts after a delay with a new event loop, new
connections and sessions, and continues from the state in PostgreSQL and on the hosts.
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

# Exponential backoff of restarts, in seconds; a longer life resets it.
MIN_BACKOFF = 1.0
MAX_BACKOFF = 30.0


class Engine:
    """Started once per process; `wake` and `stop` are thread-safe."""

    def __init__(self) -> None:
        self.name = f"{process_name()}:{uuid.uuid4().hex[:6]}"
        self._thread = threading.Thread(target=self._serve, name="engine", daemon=True)
        self._stopping = threading.Event()
        self._life: tuple[asyncio.AbstractEventLoop, Reconciler] | None = None

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        """Release every run and end the thread. Jobs on the hosts continue."""
        self._stopping.set()
        self._call(lambda reconciler: reconciler.stop())
        if self._thread.is_alive():
            self._thread.join(timeout)
        close_connections()

    def wake(self, run_id: int | None = None) -> None:
        """Reconcile now, this run first. A hint during a restart is lost until the next sweep."""
        self._call(lambda reconciler: reconciler.hinted(run_id))

    def _call(self, call: Callable[[Reconciler], None]) -> None:
        if self._life is not None:
            loop, reconciler = self._life
            with contextlib.suppress(RuntimeError):  # that loop has ended
                loop.call_soon_threadsafe(call, reconciler)

    def _serve(self) -> None:
        backoff = MIN_BACKOFF
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._live()
            except BaseException:  # the worker needs an engine after any error
                log.exception("the engine ended; it starts anew in %.0f s at most", backoff)
            if time.monotonic() - began > MAX_BACKOFF:
                backoff = MIN_BACKOFF
            if self._stopping.wait(backoff):
                break
            backoff = min(backoff * 2, MAX_BACKOFF)
            restart_threads()

    def _live(self) -> None:
        with asyncio.Runner() as runner:
            reconciler = Reconciler(self.name)
            self._life = runner.get_loop(), reconciler
            if self._stopping.is_set():
                return
            runner.run(reconciler.main())
