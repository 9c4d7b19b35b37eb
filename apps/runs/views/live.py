"""Live metrics of a running run as JSON, from its Valkey stream."""

from __future__ import annotations

import json
import logging
import re
from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from apps.runs.domain.live_channel import stream_key
from apps.runs.models import Run
from apps.runs.selectors.runs import attempts_open

log = logging.getLogger(__name__)

MOST = 600
"""Entries of one answer; the next request gets those after them."""
_ID = re.compile(r"[0-9]{1,18}-[0-9]{1,18}")


@require_safe
@login_required
def run_live(request: HttpRequest, pk: int) -> JsonResponse:
    """Return the entries after `?after=` (an entry id), else the newest of running attempts.

    503 if the broker is unavailable.
    """
    run = get_object_or_404(Run.objects.only("state"), pk=pk)
    after = request.GET.get("after", "")
    try:
        if _ID.fullmatch(after):
            result = _client(settings.REDIS_URL).xrange(stream_key(pk), f"({after}", count=MOST)
            entries = [_document(entry) for entry in result]
        else:
            result = _client(settings.REDIS_URL).xrevrange(stream_key(pk), count=MOST)[::-1]
            entries = _of_open_attempts(run, [_document(entry) for entry in result])
            after = "0-0"
    except (RedisError, OSError) as error:
        log.warning("no live figures, the broker is away: %s", error)
        return JsonResponse({}, status=503)
    last = result[-1][0].decode() if result else after
    return JsonResponse({"entries": entries, "last": last, "ended": run.is_final})


def _of_open_attempts(run: Run, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    open_now = {str(pk) for pk in attempts_open(run).values_list("pk", flat=True)}
    return [entry for entry in entries if entry["data"].get("attempt") in open_now]


def _document(entry: tuple[bytes, dict[bytes, bytes]]) -> dict[str, Any]:
    _id, fields = entry
    return {"kind": fields[b"kind"].decode(), "data": json.loads(fields[b"data"])}


@cache
def _client(url: str) -> Any:
    """Return a client; its connection pool is shared by the threads of the process."""
    return redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)
