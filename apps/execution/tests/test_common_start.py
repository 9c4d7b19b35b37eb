"""A client and a server as jobs of one attempt, both on this machine: a real agent, no sshd, and a
tool of the test's own.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import asyncssh
import pytest

from apps.accounts.models import User
from apps.execution.attempt import barrier, stage
from apps.execution.engine.loop import Engine
from apps.execution.jobs import spec as spec_module
from apps.execution.tests.several import create_case, member
from apps.execution.tests.test_jobs_of_a_case import FakePlugin
from apps.execution.tests.test_outcome import DOCUMENT
from apps.runs.models import Case, Run
from apps.runs.services.artifacts import attempt_files
from apps.runs.services.runs import run_cancel
from apps.runs.tests.factories import create_host
from apps.tools.procedure import Command

pytestmark = pytest.mark.django_db(transaction=True)

SERVE = """
import socket, sys
s = socket.create_server(("127.0.0.1", int(sys.argv[1])))
s.accept()[0].sendall(b"hello")
print("served", flush=True)
s.accept()
"""
ASK = """
import socket, sys
print(socket.create_connection(("127.0.0.1", int(sys.argv[1]))).recv(5).decode())
open("result.json", "w").write(sys.argv[2])
"""
SLEEP = "import time; print('deaf', flush=True); time.sleep(60)"


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


@pytest.fixture
def pair(owner: User, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Case]:
    """A queued case of two entries of this machine, client first, with these commands."""

    def make(*commands: Command) -> Case:
        plugin = FakePlugin(commands)
        plugin.params = plugin
        monkeypatch.setattr(spec_module, "tool", lambda _name: plugin)
        hosts = [create_host(), create_host()]
        rows = [
            member(host, kind="pair", role=role, identity="127.0.0.1", size=None)
            for host, role in zip(hosts, ("client", "server"), strict=True)
        ]
        return create_case(owner=owner, members=rows)

    return make


def python(code: str, *words: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-c", code, *words)


def ended(engine: Engine, case: Case) -> Run:
    engine.start()
    run, deadline = case.run, time.monotonic() + 60
    while not run.is_final:
        assert time.monotonic() < deadline, run.state
        time.sleep(0.1)
        run.refresh_from_db()
    case.refresh_from_db()
    return run


def asking(port: int) -> Command:
    words = python(ASK, str(port), json.dumps(DOCUMENT, indent=2))
    return Command("main", words, files=("result.json",), on="lead")


def test_the_client_finds_its_server_which_is_ended_after_it(
    engine: Engine, pair: Callable[..., Case], port: int
) -> None:
    serving = Command("server", python(SERVE, str(port)), on="server", listens=f"tcp:{port}")
    tidying = Command("tidy", ("echo", "tidied"), on="lead", stage=1, always=True)
    case = pair(serving, asking(port), tidying)
    run = ended(engine, case)
    assert run.state == "succeeded", case.reason
    attempt = case.attempts.get()
    client, server = (row.host_name for row in case.members)
    files = attempt_files(attempt)
    assert files[f"{client}/stdout"] == b"hello\ntidied\n"
    assert files[f"{server}/stdout"] == b"served\n"
    told = {(job.name, job.stage): job for job in attempt.jobs.all()}
    assert told[server, 0].exit["cancelled"] is True
    assert told[client, 1].output_ranges["stdout"] == (6, 13)
    assert attempt.measurements.get().iops == 100.0
    assert attempt.host_files_removed_at is not None


def test_a_server_that_listens_nowhere_is_a_sentence(
    engine: Engine, pair: Callable[..., Case], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(barrier, "LISTEN_SECONDS", 1.0)
    serving = Command("server", python(SLEEP), on="server", listens=f"tcp:{port}")
    case = pair(serving, asking(port))
    assert ended(engine, case).state == "failed"
    server = case.members[1].host_name
    assert case.reason == f"nothing listens on TCP port {port} of {server} after 1 s"
    assert case.failure_cause == "host"
    told = {job.role: job.exit for job in case.attempts.get().jobs.all()}
    assert told["client"]["codes"] == []


def test_a_server_that_dies_ends_the_client_and_is_to_blame(
    engine: Engine, pair: Callable[..., Case], port: int
) -> None:
    dying = python("import sys; sys.exit('no such device')")
    serving = Command("server", dying, on="server", listens=f"tcp:{port}")
    case = pair(serving, asking(port))
    assert ended(engine, case).state == "failed"
    server = case.members[1].host_name
    said = "the tool ended with exit code 1; its output: no such device"
    assert case.reason == f"{server}: {said}"


def test_a_host_out_of_reach_is_named_and_nothing_starts(
    engine: Engine, pair: Callable[..., Case], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is ready by then: it is ended without having started anything."""
    monkeypatch.setattr(stage, "REACH_TIMEOUT_SECONDS", 2.0)
    case = pair(asking(port), Command("server", ("true",), on="server"))
    key = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    away = {"kind": "ssh", "address": "127.0.0.1", "port": 1, "host_key": key}
    host = case.members[1].host_id
    type(case.host).objects.filter(pk=host).update(key_source="agent", **away)
    assert ended(engine, case).state == "failed"
    assert case.reason.startswith(f"{case.members[1].host_name}: ")
    assert case.failure_cause == "host"
    told = case.attempts.get().jobs.all()
    assert [(job.state, job.exit.get("codes")) for job in told] == [("done", []), ("open", None)]


def test_a_disabled_host_is_a_sentence_before_anything_starts(
    engine: Engine, pair: Callable[..., Case], port: int
) -> None:
    case = pair(asking(port), Command("server", ("true",), on="server"))
    host = case.run.cases.get().members[1].host_id
    type(case.host).objects.filter(pk=host).update(enabled=False)
    assert ended(engine, case).state == "failed"
    assert "is disabled in benchlab" in case.reason


@pytest.mark.timeout(120)
def test_what_a_killed_worker_launched_is_tidied_up_after_a_cancel(
    engine: Engine,
    pair: Callable[..., Case],
    port: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker dies after the launch, before it could write down that there was one."""
    made = tmp_path / "made"
    case = pair(
        Command("make", ("touch", str(made)), on="lead"),
        Command("main", ("sleep", "30"), on="each", stage=1),
        Command("tidy", ("rm", str(made)), on="lead", stage=2, always=True),
    )

    async def never(_act: stage.StageDriver) -> None:
        await asyncio.sleep(3600)

    with monkeypatch.context() as killed:
        killed.setattr(stage.StageDriver, "_note_launched", never)
        engine.start()
        deadline = time.monotonic() + 30
        while not made.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        engine.stop()
    run_cancel(run=case.run, user=case.run.owner)
    later = Engine()
    try:
        assert ended(later, case).state == "cancelled"
    finally:
        later.stop()
    assert not made.exists()
    assert case.attempts.get().host_files_removed_at is not None


@pytest.mark.timeout(120)
def test_what_a_host_lost_is_tidied_up_as_well(
    engine: Engine, pair: Callable[..., Case], tmp_path: Path
) -> None:
    """The host forgets how the first job ended, as in a restart: it may have made something."""
    made = tmp_path / "made"
    killing = "import os, signal, pathlib; pathlib.Path('MADE').touch(); me = os.getppid()"
    killing = killing.replace("MADE", str(made)) + "; os.kill(me, signal.SIGKILL)"
    case = pair(
        Command("make", python(killing), on="lead"),
        Command("main", ("true",), on="each", stage=1),
        Command("tidy", ("rm", str(made)), on="lead", stage=2, always=True),
    )
    assert ended(engine, case).state in ("failed", "lost")
    assert case.state == "lost"
    assert not made.exists()
