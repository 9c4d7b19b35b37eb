"""Hints to the worker: they make it look sooner, nothing more. What is to be done stands in
PostgreSQL.
"""

from __future__ import annotations

import logging
import time

from celery import current_app
from kombu import pools
from kombu.exceptions import LimitExceeded, OperationalError
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

# Seconds after which a hint says nothing new: the engine has looked by itself many times.
EXPIRES = {"execution.reconcile_run": 60, "execution.check_host": 60}
# Of the connections that publish; those on which a worker waits for messages have no limit.
# Without the last five the transport tries again for many times the timeout.
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
# Seconds without another attempt after a failure, so that a silent broker holds up one request.
PAUSE = 5.0
_paused_until = 0.0


def send(name: str, *args: int) -> None:
    """Send the task `name` with ids. A broker that is down or silent costs one sweep of the worker,
    never the request.
    """
    global _paused_until  # the pause belongs to the process, like its connections
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
