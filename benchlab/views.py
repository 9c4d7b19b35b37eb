"""Whether benchlab itself is well, and the page one begins on."""

from __future__ import annotations

import logging

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

log = logging.getLogger(__name__)


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "ok"})


@login_not_required
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the database and the broker answer, else 503 with which of them does not."""
    parts = {"database": _database_answers(), "broker": _broker_answers()}
    ready = all(parts.values())
    body = {name: "ok" if fine else "no answer" for name, fine in parts.items()}
    return JsonResponse(
        {"status": "ok" if ready else "not ready", **body}, status=200 if ready else 503
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        log.warning("readyz: the database does not answer", exc_info=True)
        return False
    return True


def _broker_answers() -> bool:
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        return bool(client.ping())
    except (redis.RedisError, OSError):
        log.warning("readyz: the broker does not answer", exc_info=True)
        return False
    finally:
        client.close()


def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {})
