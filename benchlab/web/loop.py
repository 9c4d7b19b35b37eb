"""The event loop of a web process (`uvicorn --loop benchlab.web.loop:Loop`)."""

from __future__ import annotations

import asyncio
from typing import Any

STEP, LONGEST = 0.0005, 0.01
"""Seconds that a process waits for each connection that it has, and at most, before it takes one
more.
"""


class Loop(asyncio.SelectorEventLoop):
    """Lets processes with fewer people go first.

    All web processes listen at one socket, and asyncio's own loop takes every connection that waits
    there. Of fifty people who come at once one process got thirty-eight, for as long as their
    connections stay open, and they waited twice as long as the others.
    """

    def _start_serving(
        self, protocol_factory: Any, sock: Any, sslcontext: Any = None, server: Any = None,
        backlog: int = 100, *others: Any,
    ) -> None:  # fmt: skip
        own: Any = self

        def somebody_came() -> None:
            own._remove_reader(sock.fileno())
            self.call_later(min(LONGEST, STEP * len(own._transports)), take_one)

        def take_one() -> None:
            if sock.fileno() >= 0:
                own._add_reader(sock.fileno(), somebody_came)
                own._accept_connection(protocol_factory, sock, sslcontext, server, 1, *others)

        own._add_reader(sock.fileno(), somebody_came)
