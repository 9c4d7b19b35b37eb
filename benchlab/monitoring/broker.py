"""State of the broker."""

from __future__ import annotations

import logging

import redis
from celery import current_app
from django.conf import settings

TIMEOUT_SECONDS = 1

log = logging.getLogger(__name__)


def queue_length() -> int | None:
    """Return the number of hints that wait for a worker; None if the broker does not answer."""
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=TIMEOUT_SECONDS, socket_timeout=TIMEOUT_SECONDS
    )
    try:
        length = client.llen(current_app.conf.task_default_queue)
    except (redis.RedisError, OSError) as error:
        log.warning("the broker does not answer: %s", error)
        return None
    finally:
        client.close()
    assert isinstance(length, int)  # redis-py types both its clients at once
    return length
