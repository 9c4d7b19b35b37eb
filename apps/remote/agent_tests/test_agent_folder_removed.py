"""Somebody removes the agent's folder while a session lasts: the next test runs all the same."""

from __future__ import annotations

import shutil
from pathlib import Path

from apps.remote.agent_tests.client import Client


def test_job_after_the_folder_was_removed_runs(client: Client, base: Path) -> None:
    assert client.run(["true"])["exit"]["codes"] == [0]
    shutil.rmtree(base)
    assert client.run(["true"])["exit"]["codes"] == [0]


def test_check_reports_a_folder_that_cannot_be_made(client: Client, base: Path) -> None:
    client.good("ping")
    shutil.rmtree(base)
    base.write_text("a file stands where the folder was")
    answer = client.ask("ping")
    assert not answer["ok"]
    assert str(base) in answer["message"]
