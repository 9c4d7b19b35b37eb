"""Hints to the worker: they make it look sooner, nothing more. What is to be done stands in
PostgreSQL."""

from __future__ import annotations

import logging

from celery import current_app
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)

# Seconds after which a hint says nothing new: the engine has looked by itself many times.
EXPIRES = {"execution.advance": 60, "execution.check_host": 60}


def send(name: str, *args: int) -> None:
    """Send the task `name` with ids. A broker that is down costs one sweep of the worker, never the
    request."""
    try:
        current_app.send_task(name, args, ignore_result=True, expires=EXPIRES.get(name))
    except (OperationalError, OSError) as error:
        log.warning("no hint %s%s: %s; the worker finds it at its next sweep", name, args, error)
