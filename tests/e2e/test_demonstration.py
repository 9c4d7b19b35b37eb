"""The demonstration measures, imports, and leaves a report that answers its three questions."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from benchlab.ops.demo.loopdisk import demo_disk_detach
from tests.browser.visual_check.addresses import view_addresses
from tests.browser.visual_check.browser import api_json, check_pages, logged_in_page
from tests.e2e.lab import cases
from tests.e2e.stack import JSON, Stack, kill
from tests.e2e.template import PASSWORD

# Collecting static files takes 7 s of CPU time.
pytestmark = [pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.timeout(600)]


def test_the_demonstration_ends_in_a_report(stack: Stack, tmp_path: Path) -> None:
    try:
        with stack.worker():
            said = stack.manage("demo", "--repeats", "1")
            again = stack.manage("demo", "--repeats", "1")
    finally:
        demo_disk_detach(stack.home, print)
    assert "of an earlier start is there already" in again
    assert _number(r"/reports/(\d+)/", again) == _number(r"/reports/(\d+)/", said)
    asked = dict(re.findall(r"^([A-Z][^:\n]*): http://[^/]+/(\S+)$", said, re.MULTILINE))
    compared, swept, beside = (
        stack.get(f"analysis/{view}/?{asked[title].partition('?')[2]}")
        for view, title in (
            ("compare", "Which tuning matters"),
            ("sweep", "How deep a queue"),
            ("compare", "Beside an earlier result"),
        )
    )
    assert _shown(compared) == {
        "sequential read 1 MiB, QD 8, in 256 MiB",
        "random read 4 KiB, QD 32, in 256 MiB",
    }
    assert len(swept["tables"][0]["rows"]) == 7
    assert _shown(beside) == {"random read 4 KiB, QD 32, in 256 MiB"}
    _imported_beside(stack, asked["Beside an earlier result"])
    _every_view_is_as_it_should_be(stack, tmp_path)


def _every_view_is_as_it_should_be(stack: Stack, folder: Path) -> None:
    """In a browser, on every screen."""
    executable = shutil.which("chromium")
    if executable is None:
        return
    stack.manage("collectstatic", "--noinput", "-v0")
    kill(stack.web)
    stack.start_web()
    with logged_in_page(stack.address, "admin", PASSWORD, executable) as page:
        found = view_addresses(lambda path: api_json(page, path))
        assert {"compare", "sweep", "history", "fleet", "distribution", "config-diff"} <= set(found)
        seen = list(check_pages(page, found, folder))
    assert [(one.view, one.screen.name, one.faults) for one in seen if one.faults] == []
    assert all(one.screenshot.stat().st_size > 10_000 for one in seen)


def _imported_beside(stack: Stack, query: str) -> None:
    """The earlier results are three, of one workload that the demonstration measured as well."""
    measured, earlier = re.findall(r"run=(\d+)", query)
    old = cases(stack, {"id": int(earlier)})
    assert len(old) == 3
    keys = {row["workload"] for row in cases(stack, {"id": int(measured)})}
    assert {row["workload"] for row in old} < keys


def _shown(answer: JSON) -> set[str]:
    """Names of the workloads of an answer's first table."""
    return {str(row[0]) for row in answer["tables"][0]["rows"]}


def _number(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, text
    return found[1]
