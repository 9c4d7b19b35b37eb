"""The ID of a request: in its log lines, its response, its error page and the tasks it causes."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase

from apps.common.logs import current_id, identify, identify_nothing

HEADER = "X-Request-ID"
NAME = "request"
"""Name of the ID in log lines, and of the header of a task's message."""
# Neither spaces nor line breaks, which would forge log lines.
WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}", re.ASCII)


def request_id(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: take the caller's ID if it is well-formed, else a new one.

    The ID holds until the response is closed, because Django logs refusals and streams files after
    the middleware.
    """

    def handle(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        name = given if WELL_FORMED.fullmatch(given) else uuid.uuid4().hex
        identify(**{NAME: name})
        response = get_response(request)
        response.headers[HEADER] = name
        return response

    return handle


def current_request_id() -> str:
    """Return the ID of the present request; "" outside a request and its tasks."""
    return str(current_id(NAME))


@receiver(request_finished)
def _ended(**_: Any) -> None:
    identify_nothing()


@before_task_publish.connect
def _published(headers: dict[str, Any] | None = None, **_: Any) -> None:
    if headers is not None and (name := current_request_id()):
        headers[NAME + "_id"] = name


@task_prerun.connect
def _begun(task: Any = None, **_: Any) -> None:
    name = str(getattr(task.request, NAME + "_id", None) or "")
    if WELL_FORMED.fullmatch(name):
        identify(**{NAME: name})


@task_postrun.connect
def _done(**_: Any) -> None:
    identify_nothing()
