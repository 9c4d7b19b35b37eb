"""What a running attempt says right now, on a Valkey stream per run, for browsers. Losing it loses
no result.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from redis import asyncio as redis
from redis.exceptions import RedisError

from apps.runs.live import LENGTH, stream_key

log = logging.getLogger(__name__)


class Live:
    """Publishes to the live streams; a broker that is away is noted once and otherwise ignored."""

    def __init__(self) -> None:
        self._client = redis.from_url(
            settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
        )
        self._complained = False

    async def publish(self, run_id: int, kind: str, data: Mapping[str, Any]) -> None:
        """Add one entry: `kind` is sample, device, log or state."""
        fields = {"kind": kind, "data": json.dumps(dict(data))}
        try:
            key = stream_key(run_id)
            await self._client.xadd(key, fields, maxlen=LENGTH, approximate=True)  # type: ignore[arg-type] # redis-py's field type is invariant
            await self._client.expire(key, 86_400)
            self._complained = False
        except (RedisError, OSError) as error:
            if not self._complained:
                log.warning("live figures cannot be shown, the broker is away: %s", error)
            self._complained = True

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()
