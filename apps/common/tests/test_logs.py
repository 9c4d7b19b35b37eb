"""Log lines carry the run and the attempt they are about, as words or as JSON."""

from __future__ import annotations

import json
import logging
import sys

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError

from apps.common.logs import Away, Ids, Json, Plain, Refusals, about


def record(message: str = "It began.", *args: object) -> logging.LogRecord:
    made = logging.LogRecord("apps.x", logging.INFO, "x.py", 1, message, args, None)
    Ids().filter(made)
    return made


def test_ids_stand_in_every_plain_line() -> None:
    formatter = Plain("%(levelname)s %(name)s%(about)s %(message)s")
    with about(run=12), about(attempt="ab"):
        inside = formatter.format(record())
    assert inside == "INFO apps.x run=12 attempt=ab It began."
    assert formatter.format(record()) == "INFO apps.x It began."


def test_a_json_line_holds_ids_and_traceback() -> None:
    with about(run=12):
        line = record("%s began", "It")
    try:
        raise ValueError("odd")
    except ValueError:
        line.exc_info = sys.exc_info()
    told = json.loads(Json().format(line))
    assert (told["run"], told["message"], told["level"]) == (12, "It began", "INFO")
    assert "ValueError: odd" in told["traceback"]
    assert told["time"].endswith("+00:00")


@pytest.mark.parametrize(
    ("error", "kept"), [(OperationalError("gone\nfar"), False), (KeyError("x"), True)]
)
def test_only_a_database_that_is_away_needs_no_traceback(error: Exception, kept: bool) -> None:
    line = record("It failed")
    line.exc_info = (type(error), error, None)
    Away().filter(line)
    assert bool(line.exc_info) is kept
    assert line.getMessage() == ("It failed" if kept else "It failed: gone")


@pytest.mark.parametrize(("status", "traceback"), [(403, False), (404, False), (500, True)])
def test_a_refusal_is_a_line_without_a_traceback(status: int, traceback: bool) -> None:
    try:
        raise PermissionDenied
    except PermissionDenied as error:
        told = (type(error), error, error.__traceback__)
    made = logging.LogRecord("django.request", logging.WARNING, "x", 1, "Forbidden", (), told)
    made.status_code = status
    assert Refusals().filter(made)
    assert ("Traceback" in logging.Formatter().format(made)) is traceback
