"""Publish live metrics of running attempts on a Valkey stream per run.

No result depends on the streams.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from redis import asyncio as redis
from redis.exceptions import RedisError

from apps.runs.domain.live_channel import LENGTH, stream_key

log = logging.getLogger(__name__)

BATCH_SECONDS = 0.1
MAX_PENDING = 200
TTL_SECONDS = 86_400


class LivePublisher:
    """Publishes to the live streams in batches; an unavailable broker is logged once."""

    def __init__(self) -> None:
        self._client = redis.from_url(
            settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
        )
        self._logged = False
        self._waiting: list[tuple[str, dict[str, str]]] = []
        self._expiry_set: dict[str, float] = {}
        self._sending: asyncio.Task[None] | None = None

    async def publish(self, run_id: int, kind: str, data: Mapping[str, Any]) -> None:
        """Add one entry; `kind` is sample, device, log or state.

        Returns at once, unless more than MAX_PENDING entries are pending.
        """
        self._waiting.append((stream_key(run_id), {"kind": kind, "data": json.dumps(dict(data))}))
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send_soon())
        if len(self._waiting) > MAX_PENDING:
            await asyncio.wait([self._sending])

    async def _send_soon(self) -> None:
        while self._waiting:
            await asyncio.sleep(BATCH_SECONDS)
            now, self._waiting = self._waiting, []
            try:
                await self._send(now)
                self._logged = False
            except (RedisError, OSError) as error:
                if not self._logged:
                    log.warning("live figures cannot be shown, the broker is away: %s", error)
                self._logged = True

    async def _send(self, entries: Sequence[tuple[str, dict[str, str]]]) -> None:
        async with self._client.pipeline(transaction=False) as pipe:
            for key, fields in entries:
                pipe.xadd(key, fields, maxlen=LENGTH, approximate=True)  # type: ignore[arg-type] # redis-py's field type is invariant
            for key in {key for key, _fields in entries}:
                if time.monotonic() > self._expiry_set.get(key, 0.0):
                    self._expiry_set[key] = time.monotonic() + TTL_SECONDS / 24
                    pipe.expire(key, TTL_SECONDS)
            await pipe.execute()
        if len(self._expiry_set) > MAX_PENDING:
            self._expiry_set.clear()

    async def close(self) -> None:
        """Send pending entries, and close the connections."""
        if self._sending is not None:
            await asyncio.gather(self._sending, return_exceptions=True)
        await self._client.aclose()
