"""A worker's writes about one run: those that wait at the same time are one transaction, under one
lock of the run's row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from django.db import transaction

from apps.execution.engine.database import is_away, patiently
from apps.execution.engine.hold import Hold
from apps.execution.engine.together import Together
from apps.runs.claims.leases import fenced

T = TypeVar("T")
MOST = 50
Write = Callable[[], Any]


class Writes:
    """Of one run. Each write enters through the fence by itself (`fenced`); together they enter
    once.
    """

    def __init__(self, hold: Hold) -> None:
        self._hold = hold
        self._together: Together[Write, Any] = Together(self._do, most=MOST)

    async def do(self, write: Callable[[], T]) -> T:
        """Its result, when it is stored. One that fails keeps no other from being stored."""
        return cast(T, await self._together.do(write))

    async def _do(self, writes: Sequence[Write]) -> Sequence[Any]:
        if len(writes) == 1:
            return [await patiently(writes[0])]
        return await patiently(_stored, self._hold, writes)


def _stored(hold: Hold, writes: Sequence[Write]) -> list[Any]:
    with fenced(hold.run_id, hold.fence):
        return [_one(write) for write in writes]


def _one(write: Write) -> Any:
    try:
        with transaction.atomic():
            return write()
    except Exception as error:
        if is_away(error):
            raise  # nothing of the transaction is stored: all of it is tried again
        return error
