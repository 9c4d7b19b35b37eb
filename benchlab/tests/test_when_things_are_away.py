"""A log that cannot be written stops no request; a database that is away is told quickly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.harness.documents import Document

ROOT = Path(__file__).parents[2]
# One process of its own that answers some requests, its log going where the test says.
ASK = """
import json, os, sys, time, django
django.setup()
from tests.harness.documents import Document
from django.test import Client
client = Client(raise_request_exception=False)
client.cookies["sessionid"] = sys.argv[2]
told = {}
for path in sys.argv[3:]:
    began = time.monotonic()
    answer = client.get(path)
    told[path] = {"status": answer.status_code, "seconds": time.monotonic() - began,
                  "retry": answer.headers.get("Retry-After"), "body": answer.content.decode()}
with open(sys.argv[1], "w") as out:
    json.dump(told, out)
os._exit(0)  # Python's own last flush of stderr would fail on a full disk
"""


def asked(answers: Path, *paths: str, log: str, session: str = "", **more: str) -> Document:
    """The answers of the addresses in a process whose stdout and stderr are the file `log`."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "benchlab.settings"} | more
    with open(log, "wb") as output:
        subprocess.run(
            [sys.executable, "-c", ASK, str(answers), session, *paths],
            cwd=ROOT, env=environment, stdout=output, stderr=output, check=True,
        )  # fmt: skip
    told: Document = json.loads(answers.read_text())
    return told


def test_a_full_disk_under_the_log_stops_no_request(tmp_path: Path) -> None:
    told = asked(
        tmp_path / "told",
        "/healthz",
        "/",
        log="/dev/full",
        BENCHLAB_LOG_LEVEL="DEBUG",
    )
    assert told["/healthz"]["status"] == 200
    assert told["/"]["status"] == 302


def test_a_database_that_is_away_is_503_with_a_sentence(tmp_path: Path) -> None:
    told = asked(
        tmp_path / "told", "/", "/api/v1/hosts/", "/healthz", "/readyz",
        DATABASE_URL=f"postgresql://nobody@/none?host={tmp_path}",
        log=str(tmp_path / "log"), session="a" * 32,
    )  # fmt: skip
    page, api = told["/"], told["/api/v1/hosts/"]
    assert (page["status"], page["retry"]) == (503, "5"), page["body"][:500]
    assert "database does not answer" in page["body"]
    assert (api["status"], api["retry"]) == (503, "5"), api["body"][:500]
    assert json.loads(api["body"])["error"]["kind"] == "unavailable"
    assert told["/healthz"]["status"] == 200, told["/healthz"]["body"][:500]
    assert json.loads(told["/readyz"]["body"])["database"] == "no answer"
    assert "Traceback" not in (tmp_path / "log").read_text()
