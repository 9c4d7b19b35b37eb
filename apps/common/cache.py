"""Expensive results in Django's cache for ten minutes."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.utils.translation import get_language
from redis.exceptions import RedisError

from apps.common.domain.preferences import preferences
from apps.common.selectors import versions

log = logging.getLogger(__name__)
T = TypeVar("T")


class JsonSerializer:
    """JSON instead of pickle, which would execute code of anyone who can write to Redis."""

    def dumps(self, value: Any) -> bytes:
        return msgspec.json.encode(value)

    def loads(self, data: bytes) -> Any:
        return msgspec.json.decode(data)


def cached(view: str, question: Hashable, kind: type[T], work_out: Callable[[], T]) -> T:
    """Return a cached result about all results, or compute and cache it.

    The key contains the results version, which is read before the rows. Without Redis nothing is
    cached.
    """
    reader = (get_language(), preferences().cache_key)
    parts = json.dumps([view, question, reader, settings.VERSION, versions()], default=str)
    return _cached(hashlib.sha256(parts.encode()).hexdigest(), DEFAULT_TIMEOUT, kind, work_out)


def cached_for(key: str, seconds: int, kind: type[T], work_out: Callable[[], T]) -> T:
    """Return a result that is the same for all users and at most `seconds` old."""
    return _cached(f"{settings.VERSION}:{key}", seconds, kind, work_out)


def _cached(key: str, seconds: Any, kind: type[T], work_out: Callable[[], T]) -> T:
    try:
        result = cache.get(key)
        if result is not None:
            return msgspec.convert(result, kind)
    except RedisError as error:
        log.info("the cache does not answer: %s", error)
        return work_out()
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        log.warning("a cached answer does not fit: %s", error)
    answer = work_out()
    try:
        cache.set(key, answer, seconds)
    except RedisError as error:
        log.info("the cache does not answer: %s", error)
    return answer
