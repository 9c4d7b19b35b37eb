"""Queues of cases per host: each host runs its cases in order, hosts run concurrently.

A case of several hosts starts when it is the next one of all of them. Deadlock-free: all queues
share one order, so the open case with the smallest sequence is next in all its queues.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


class HostQueues:
    """The open cases of a run, by the ids of cases and hosts."""

    def __init__(self, cases: Iterable[tuple[int, Sequence[int]]]) -> None:
        """Queue `cases` in the order in which each host runs its own."""
        self._hosts: dict[int, tuple[int, ...]] = {}
        self._queues: dict[int, deque[int]] = {}
        self._running: set[int] = set()
        for case, hosts in cases:
            self._hosts[case] = tuple(hosts)
            for host in hosts:
                self._queues.setdefault(host, deque()).append(case)

    @property
    def hosts(self) -> list[int]:
        """Return all hosts with cases."""
        return list(self._queues)

    def start(self) -> list[int]:
        """Return the cases that start now; they count as running until `done`."""
        heads = dict.fromkeys(queue[0] for queue in self._queues.values() if queue)
        ready = [case for case in heads if case not in self._running and self._is_next(case)]
        self._running.update(ready)
        return ready

    def done(self, case: int) -> list[int]:
        """Remove an ended case; return the hosts without further cases."""
        self._running.discard(case)
        hosts = self._hosts.pop(case, ())
        for host in hosts:
            self._queues[host].remove(case)
        return [host for host in hosts if not self._queues[host]]

    def again(self, case: int) -> None:
        """Let a started case start once more, before the later ones of its hosts."""
        self._running.discard(case)

    def drop_host(self, host: int) -> list[int]:
        """Remove the pending cases of a host; return the hosts without further cases."""
        dropped = [case for case in self._queues.get(host, ()) if case not in self._running]
        finished: list[int] = []
        for case in dropped:
            finished += self.done(case)
        return finished

    def _is_next(self, case: int) -> bool:
        return all(self._queues[host][0] == case for host in self._hosts[case])
