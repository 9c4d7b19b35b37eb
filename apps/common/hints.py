"""Hints that make the worker look for work sooner. PostgreSQL holds the truth."""

from __future__ import annotations

import logging
import time

from celery import current_app
from kombu import pools
from kombu.exceptions import LimitExceeded, OperationalError
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

# Seconds until a hint expires; the worker has reconciled several times by then.
EXPIRES = {"execution.reconcile_run": 60, "execution.check_host": 60}
# Timeouts of publishing connections; a worker's consuming connections have none.
# Without the last five options the transport retries for many times the timeout.
TRANSPORT = {
    "socket_timeout": 1.0,
    "socket_connect_timeout": 1.0,
    "retry_on_timeout": False,
    "max_retries": 1,
    "connect_retries_timeout": 0.1,
    "interval_start": 0,
    "interval_step": 0,
    "interval_max": 0,
}
# Seconds without another attempt after a failure, so that only one request waits.
PAUSE = 5.0
_paused_until = 0.0


def send(name: str, *args: int) -> None:
    """Send the task `name` with ids. An unavailable broker costs one reconcile interval."""
    global _paused_until  # the delay is per process, like its connections
    if time.monotonic() < _paused_until:
        log.info("no hint %s%s: the broker did not answer a moment ago", name, args)
        return
    try:
        _publish(name, args)
    except (OperationalError, RedisError, LimitExceeded, OSError) as error:
        _paused_until = time.monotonic() + PAUSE
        log.warning("no hint %s%s: %s; the worker finds it at its next sweep", name, args, error)


def _publish(name: str, args: tuple[int, ...]) -> None:
    connection = current_app.connection_for_write(transport_options=TRANSPORT)
    with pools.producers[connection].acquire(block=True, timeout=1) as producer:
        current_app.send_task(
            name,
            args,
            producer=producer,
            ignore_result=True,
            expires=EXPIRES.get(name),
            retry=False,
        )
