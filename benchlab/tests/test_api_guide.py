"""docs/reference/api.md: its commands run against a real server, one after the other."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, cast

import pytest
from pytest_django.live_server_helper import LiveServer

from apps.accounts.models import User
from apps.accounts.services import token_create
from apps.inventory.models import Host
from apps.inventory.services import host_check_store, host_key_offered
from apps.inventory.tests.factories import public_line, small_facts
from apps.results.tests.factories import create_results
from apps.runs.models import Run
from apps.runs.tests.factories import create_attempt, end_run
from tests.harness.api_contract import document

GUIDE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
BLOCKS = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
END = "--- the block has ended: "


class Shell:
    """One bash, so that a block finds the variables and functions of those before it."""

    def __init__(self, address: str, token: str, folder: Path) -> None:
        environment = {**os.environ, "URL": f"{address}/api/v1", "TOKEN": token}
        self.process = subprocess.Popen(
            ["bash", "-eu", "-o", "pipefail"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, text=True, cwd=folder,
        )  # fmt: skip

    def run(self, block: str) -> str:
        """The output of the block; fails when one of its commands does."""
        stdin, stdout = cast(IO[str], self.process.stdin), cast(IO[str], self.process.stdout)
        stdin.write(f"{block}\necho; echo '{END}'\n")
        stdin.flush()
        printed: list[str] = []
        for line in stdout:
            if line.startswith(END):
                return "".join(printed)
            printed.append(line)
        raise AssertionError(f"{block}\nprinted:\n{''.join(printed)}")

    def close(self) -> None:
        cast(IO[str], self.process.stdin).close()
        cast(IO[str], self.process.stdout).close()
        self.process.wait(timeout=20)


@pytest.fixture
def shell(transactional_db: None, admin: User, tmp_path: Path) -> Iterator[Shell]:
    _token, secret = token_create(user=admin, name="guide", may_wipe=True, days=1)
    server = LiveServer("127.0.0.1")
    opened = Shell(server.url, secret, tmp_path)
    yield opened
    opened.close()
    server.stop()


def worker_sees_the_key() -> None:
    host_key_offered(host=Host.objects.get(name="node7"), line=public_line())


def worker_checks_the_host() -> None:
    host = Host.objects.get(name="node7")
    host_check_store(host=host, facts=small_facts(), round_trip_seconds=0.001, clock_offset=0.0)


def worker_measures() -> None:
    run = Run.objects.get()
    for case in run.cases.all():
        create_results(create_attempt(case))
    end_run(run)


# What a worker would have done by the time a reader comes to the block with this word.
MEANWHILE: dict[str, Callable[[], None]] = {
    "accept-key": worker_sees_the_key,
    "/enrol/": worker_checks_the_host,
    "until ": worker_measures,
}


def test_every_command_of_the_guide_runs(shell: Shell) -> None:
    printed: dict[str, str] = {}
    for block in BLOCKS:
        for word, act in MEANWHILE.items():
            if word in block:
                act()
        printed[block.splitlines()[-1]] = shell.run(block)
    said = "\n".join(printed.values())
    assert "24 cases" in said
    assert '"length":10' in said
    assert "elevator bfq" in said
    assert Run.objects.filter(state="cancelled").count() == 1
    assert Run.objects.filter(origin="imported", state="succeeded").count() == 1
    assert Run.objects.count() == 3


def test_every_address_is_listed_with_its_methods() -> None:
    text = GUIDE.read_text()
    for path, operations in document()["paths"].items():
        methods = [name for name in ("get", "post", "patch", "delete") if name in operations]
        row = f"| `{path.removeprefix('/api/v1/')}` | {', '.join(methods).upper()} |"
        assert row in text, row


def test_every_kind_of_error_is_explained() -> None:
    text = GUIDE.read_text()
    for kind in ("invalid", "not_authenticated", "not_allowed", "not_found", "conflict"):
        assert f"`{kind}`" in text
