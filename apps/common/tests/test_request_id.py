"""Each request has an ID: in log lines, response, error page, and the tasks that it causes."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator

import pytest
from celery import Celery
from celery.signals import task_postrun, task_prerun
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


@pytest.fixture
def app() -> Celery:
    return Celery("test", broker="memory://", set_as_current=False)


@pytest.mark.parametrize("name", [ID, ""])
def test_a_sent_task_has_the_id_of_its_request(app: Celery, name: str) -> None:
    identify(request=name) if name else identify_nothing()
    app.send_task("test.look", queue=f"of {name}")
    identify_nothing()
    with app.connection_for_read() as connection:
        message = connection.SimpleQueue(f"of {name}").get(timeout=30)
    assert message.headers.get("request_id", "") == name


@pytest.mark.parametrize(("sent", "seen"), [(ID, ID), ("forged\nline", ""), (None, "")])
def test_a_task_runs_with_a_well_formed_id_only(app: Celery, sent: str | None, seen: str) -> None:
    @app.task(name="test.look")
    def look() -> None:
        """Do nothing."""

    look.push_request(request_id=sent)
    task_prerun.send(sender=look, task=look)
    assert current_id("request") == seen
    task_postrun.send(sender=look, task=look)
    assert current_id("request") == ""


def test_a_worker_has_the_signals_without_the_middleware() -> None:
    program = (
        "import django, sys; django.setup(); from celery.signals import task_prerun;"
        "print('apps.common.web.request_id' in sys.modules, bool(task_prerun.receivers))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True"]
