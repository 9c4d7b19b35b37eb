"""Cases that may run now: each host does its cases in their order, hosts side by side.

A case of several hosts waits until it is the next one of all of them. Every lane has the same
order, so the open case with the smallest position is always next in all its lanes: there is no
circle of waiting.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


class HostQueues:
    """The open cases of a run. Ids of cases and hosts; no database, no clock."""

    def __init__(self, cases: Iterable[tuple[int, Sequence[int]]]) -> None:
        """`cases` in the order in which each host does its own."""
        self._hosts: dict[int, tuple[int, ...]] = {}
        self._lanes: dict[int, deque[int]] = {}
        self._running: set[int] = set()
        for case, hosts in cases:
            self._hosts[case] = tuple(hosts)
            for host in hosts:
                self._lanes.setdefault(host, deque()).append(case)

    @property
    def hosts(self) -> list[int]:
        """Every host that has anything to do."""
        return list(self._lanes)

    def start(self) -> list[int]:
        """The cases that may start now; they count as running until they are done."""
        heads = dict.fromkeys(lane[0] for lane in self._lanes.values() if lane)
        ready = [case for case in heads if case not in self._running and self._is_next(case)]
        self._running.update(ready)
        return ready

    def done(self, case: int) -> list[int]:
        """A case has ended; the hosts for which it was the last one."""
        self._running.discard(case)
        hosts = self._hosts.pop(case, ())
        for host in hosts:
            self._lanes[host].remove(case)
        return [host for host in hosts if not self._lanes[host]]

    def give_up(self, host: int) -> list[int]:
        """Drop what a host has still to do, but for what runs; the hosts that have nothing left."""
        dropped = [case for case in self._lanes.get(host, ()) if case not in self._running]
        finished: list[int] = []
        for case in dropped:
            finished += self.done(case)
        return finished

    def _is_next(self, case: int) -> bool:
        return all(self._lanes[host][0] == case for host in self._hosts[case])
