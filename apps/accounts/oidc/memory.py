"""Values in the cache for a while; without Redis nothing is remembered."""

from __future__ import annotations

import hashlib
import logging
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


def _key(name: str) -> str:
    """Return a key of a length and alphabet that every cache takes."""
    return f"oidc.{hashlib.sha256(name.encode()).hexdigest()}"


def recall(name: str) -> Any:
    """Return the value; None without one."""
    try:
        return cache.get(_key(name))
    except RedisError as error:
        log.info("the cache does not answer: %s", error)
        return None


def remember(name: str, value: Any, seconds: int) -> None:
    """Store a value."""
    try:
        cache.set(_key(name), value, seconds)
    except RedisError as error:
        log.info("the cache does not answer: %s", error)


def remember_first(name: str, value: Any, seconds: int) -> bool:
    """Store a value unless there is one. Return True if it is new, also without Redis."""
    try:
        return bool(cache.add(_key(name), value, seconds))
    except RedisError as error:
        log.info("the cache does not answer: %s", error)
        return True


def forget(name: str) -> None:
    """Delete a value."""
    try:
        cache.delete(_key(name))
    except RedisError as error:
        log.info("the cache does not answer: %s", error)
