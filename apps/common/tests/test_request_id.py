"""Each request has an ID: in log lines, response, error page, and the tasks that it causes."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from apps.common.logs import current_id, identify, identify_nothing
from apps.common.web.request_id import HEADER, WELL_FORMED

log = logging.getLogger(__name__)
handler500 = "apps.common.web.pages.server_error"
ID = "proxy-0123.45_x"


def _fails(request: HttpRequest) -> HttpResponse:
    log.info("begins")
    raise KeyError("a defect")


urlpatterns = [path("fails/", _fails), path("", include("benchlab.urls"))]


class _Lines(logging.Handler):
    """Collects the request's ID and the message of each line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[object, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((current_id("request"), record.getMessage()))


@pytest.fixture
def lines() -> Iterator[list[tuple[object, str]]]:
    handler, root = _Lines(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield handler.lines
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.mark.parametrize(("given", "is_taken"), [
    (ID, True), ("a" * 64, True), ("a" * 65, False), ("short", False), ("", False),
    ("with space 1", False), ("line\nbreak1", False), ("-option-1234", False),
    ("größe-12345", False), ("<script>alert(1)", False),
])  # fmt: skip
def test_a_well_formed_id_is_taken_and_any_other_replaced(
    client: Client, given: str, is_taken: bool
) -> None:
    answer = client.get("/healthz", HTTP_X_REQUEST_ID=given)
    assert (answer[HEADER] == given) is is_taken
    assert WELL_FORMED.fullmatch(answer[HEADER])


def test_each_request_has_an_id_of_its_own(client: Client) -> None:
    assert client.get("/healthz")[HEADER] != client.get("/healthz")[HEADER]
    assert current_id("request") == ""


@pytest.mark.urls(__name__)
def test_the_lines_and_the_page_of_a_defect_have_the_id(
    client: Client, viewer_client: Client, lines: list[tuple[object, str]]
) -> None:
    viewer_client.raise_request_exception = False
    answer = viewer_client.get("/fails/", HTTP_X_REQUEST_ID=ID)
    assert (answer.status_code, answer[HEADER]) == (500, ID)
    assert ID in answer.content.decode()
    seen = [name for name, text in lines if text in ("begins", "Internal Server Error: /fails/")]
    assert seen == [ID, ID]


def test_a_refusal_that_django_logs_after_the_middleware_has_the_id(
    viewer_client: Client, lines: list[tuple[object, str]]
) -> None:
    viewer_client.get("/no-such-page/", HTTP_X_REQUEST_ID=ID)
    assert (ID, "Not Found: /no-such-page/") in lines


def test_a_task_has_the_id_of_the_request_that_caused_it() -> None:
    app = Celery("test", broker="memory://", backend="cache+memory://", set_as_current=False)
    seen: list[object] = []

    @app.task(name="test.look")
    def look() -> None:
        seen.append(current_id("request"))

    with start_worker(app, perform_ping_check=False):
        identify(request=ID)
        first = look.apply_async()
        identify_nothing()
        forged = look.apply_async(headers={"request_id": "forged\nline"})
        for result in (first, forged, look.apply_async()):
            result.get(timeout=20)
    assert seen == [ID, "", ""]


def test_a_worker_has_the_signals_without_the_middleware() -> None:
    program = (
        "import django, sys; django.setup(); from celery.signals import task_prerun;"
        "print('apps.common.web.request_id' in sys.modules, bool(task_prerun.receivers))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True"]
