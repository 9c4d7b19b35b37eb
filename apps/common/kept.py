"""Answers that are kept in Redis for a while, so that a question is worked out once.

Whether an answer still holds is not asked of Redis: its name holds a stamp of the rows it rests on,
so after a change it is another name that is looked for. What is kept is packed JSON: whoever can
write to Redis can make a page show wrong figures, but nothing that comes from there is run. Without
Redis everything works, slower.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import redis
import zstandard
from django.conf import settings
from django.utils.translation import get_language

from apps.common.preferences import preferences

log = logging.getLogger(__name__)

T = TypeVar("T")
APPS = Path(__file__).resolve().parents[1]
SECONDS = 3600
LARGEST, LARGEST_WHOLE = 2 * 1024**2, 64 * 1024**2
"""Bytes, packed and not; what is larger is worked out each time."""
LEVEL = 1
"""zstd's fastest takes as long as it takes to encode JSON, and leaves a fifth of it or less."""
PATIENCE = 0.5
"""Seconds that Redis may take to answer."""
PAUSE = 5.0
"""Seconds without a further attempt after one in which it did not."""
_away: dict[str, float] = {}
"""When each Redis last did not answer, by its address."""


def name_of(*parts: Any) -> str:
    """The name under which the answer to this question is kept. Sentences have a language, figures
    the reader's units, and other code may answer otherwise.
    """
    reader = (get_language(), *preferences().stamp)
    said = json.dumps([code_stamp(), reader, *parts], sort_keys=True, default=str)
    return f"answer:{hashlib.sha256(said.encode()).hexdigest()}"


@cache
def code_stamp() -> str:
    """Another one after any change of benchlab's own code, also between two releases, so that no
    answer outlives the code that gave it. Reads some 2 MB once in a process.
    """
    found = hashlib.sha256(settings.VERSION.encode())
    for path in sorted(APPS.rglob("*.py")):
        if "tests" not in path.parts:
            found.update(path.read_bytes())
    return found.hexdigest()


def kept(name: str, kind: type[T]) -> T | None:
    """The answer of this name, read as this type; None where there is none, or none that fits."""
    data = _asked(lambda client: client.get(name))
    try:
        return None if data is None else msgspec.json.decode(_whole(data), type=kind)
    except (msgspec.DecodeError, zstandard.ZstdError) as error:
        log.warning("an answer that is kept does not fit: %s", error)
        return None


def keep(name: str, answer: Any) -> None:
    """Keep an answer, unless it is very large."""
    keep_all({name: answer})


def keep_all(answers: Mapping[str, Any]) -> None:
    """Keep answers by their names, but for those that are very large: one errand for all."""
    packed = {name: _packed(msgspec.json.encode(answer)) for name, answer in answers.items()}
    sent = {name: data for name, data in packed.items() if 0 < len(data) <= LARGEST}
    if sent:
        _asked(lambda client: _set(client, sent))


def _set(client: redis.Redis, sent: Mapping[str, bytes]) -> None:
    with client.pipeline(transaction=False) as errand:
        for name, data in sent.items():
            errand.set(name, data, ex=SECONDS)
        errand.execute()


def _packed(whole: bytes) -> bytes:
    """Empty for what is too large."""
    return zstandard.ZstdCompressor(LEVEL).compress(whole) if len(whole) <= LARGEST_WHOLE else b""


def _whole(packed: bytes) -> bytes:
    """Raises ZstdError for what was not packed here, or is too large."""
    if zstandard.frame_content_size(packed) > LARGEST_WHOLE:
        raise zstandard.ZstdError("too large")
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=LARGEST_WHOLE)


def _asked(ask: Callable[[redis.Redis], Any]) -> Any:
    """The answer of Redis; None where it is away."""
    url = settings.REDIS_URL
    if time.monotonic() - _away.get(url, -PAUSE) < PAUSE:
        return None
    try:
        return ask(_client(url))
    except redis.RedisError as error:
        log.info("answers are not kept for %s s: %s", PAUSE, error)
        _away[url] = time.monotonic()
        return None


def answered(name: str, kind: type[T], work_out: Callable[[], T]) -> T:
    """The answer that is kept, else worked out and kept."""
    found = kept(name, kind)
    if found is None:
        found = work_out()
        keep(name, found)
    return found


@lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
