"""Commands that tidy up are run whatever became of the others; some may fail without harm."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent_tests.client import ATTEMPT, Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import alive, until
from apps.remote.agent_tests.processes import named, supervisor
from apps.remote.agent_tests.test_cancel import STUBBORN


def sh(script: str, **more: Any) -> Message:
    """One command of a spec."""
    return {"role": "main", "argv": ["sh", "-c", script], **more}


def launch(client: Client, *commands: Message, attempt: str = ATTEMPT, **spec: Any) -> str:
    """Start these commands."""
    client.good("launch", spec={"attempt": attempt, "commands": list(commands), **spec})
    return attempt


def run(client: Client, *commands: Message, **spec: Any) -> Message:
    """Start these commands and wait."""
    return client.good("wait", attempt=launch(client, *commands, **spec))


def test_tidying_runs_after_a_failure_and_says_what_ran(client: Client) -> None:
    done = run(
        client,
        sh("echo make"),
        sh("exit 3"),
        sh("echo not run"),
        sh("echo delete", always=True),
        sh("exit 5", always=True),
    )["exit"]
    assert (done["ran"], done["codes"]) == ([0, 1, 3, 4], [0, 3, 0, 5])
    assert len(done["signals"]) == len(done["parts"]) == len(done["times"]) == 4
    assert client.read(ATTEMPT, "stdout") == b"make\ndelete\n"
    assert done["times"] == sorted(done["times"])
    assert done["times"][-1][1] == done["ended"]["monotonic"]


def test_tidying_is_an_ordinary_command_when_all_goes_well(client: Client) -> None:
    done = run(client, sh("echo one"), sh("exit 4", always=True), sh("echo two"))["exit"]
    assert (done["ran"], done["codes"]) == ([0, 1], [0, 4])
    assert done["overdue"] == []


def test_what_may_fail_stops_nothing(client: Client) -> None:
    done = run(
        client,
        sh("exit 7", may_fail=True),
        sh("kill -KILL $$", may_fail=True),
        {"role": "main", "argv": ["no-such-program"], "may_fail": True},
        sh("echo on"),
    )["exit"]
    assert (done["ran"], done["codes"]) == ([0, 1, 2, 3], [7, None, 127, 0])
    assert client.read(ATTEMPT, "stdout") == b"on\n"


def test_a_cancelled_job_tidies_up_and_then_nothing_is_left(client: Client) -> None:
    launch(client, sh(STUBBORN), sh("echo not run"), sh("sleep 0.3; echo gone", always=True))
    tree = until(lambda: len(named(ATTEMPT)) >= 4 and named(ATTEMPT))
    answer = client.good("cancel", attempt=ATTEMPT, grace=0.2)
    assert (answer["survivors"], answer["state"]) == ([], "done")
    assert not any(alive(pid) for pid in tree)
    assert answer["exit"]["cancelled"] is True
    assert (answer["exit"]["ran"], answer["exit"]["codes"]) == ([0, 2], [None, 0])
    assert client.read(ATTEMPT, "stdout") == b"gone\n"


def test_the_hosts_shutdown_tidies_up_too(client: Client) -> None:
    """SIGTERM to the supervisor, without a word of ours before it."""
    launch(client, sh("sleep 60"), sh("echo gone", always=True))
    until(lambda: named(ATTEMPT))
    os.kill(supervisor(client, ATTEMPT), signal.SIGTERM)
    done = client.good("wait", attempt=ATTEMPT)["exit"]
    assert (done["cancelled"], done["ran"]) == (True, [0, 1])
    assert client.read(ATTEMPT, "stdout") == b"gone\n"


def test_a_deadline_ends_the_test_and_not_the_tidying(client: Client) -> None:
    tidying = sh("sleep 0.3; echo gone", always=True)
    done = run(client, sh("sleep 60"), tidying, deadline=0.2)["exit"]
    assert (done["timed_out"], done["ran"], done["codes"]) == (True, [0, 1], [None, 0])
    assert client.read(ATTEMPT, "stdout") == b"gone\n"


def test_the_limit_ends_the_test_and_not_the_tidying(client: Client) -> None:
    test = sh("head -c 3000000 /dev/zero; sleep 60")
    done = run(client, test, sh("sleep 1; echo gone", always=True), limit=2000000)["exit"]
    assert (done["over_limit"], done["ran"], done["codes"]) == (True, [0, 1], [None, 0])


def test_tidying_that_takes_too_long_is_given_up_with_all_its_processes(client: Client) -> None:
    hanging = sh("sleep 60 & sleep 61", always=True, seconds=0.3)
    done = run(client, sh("exit 2"), hanging, sh("echo last", always=True))["exit"]
    assert (done["ran"], done["codes"]) == ([0, 1, 2], [2, None, 0])
    assert (done["overdue"], done["timed_out"]) == ([1], False)
    assert client.read(ATTEMPT, "stdout") == b"last\n"
    assert not named(ATTEMPT)


def test_a_cancel_waits_for_tidying_that_hangs_and_no_longer(client: Client) -> None:
    stubborn = "trap '' TERM INT; sleep 60; sleep 61"
    launch(client, sh("sleep 60"), sh(stubborn, always=True, seconds=0.3))
    until(lambda: named(ATTEMPT))
    answer = client.good("cancel", attempt=ATTEMPT, grace=0.2)
    assert (answer["survivors"], answer["state"]) == ([], "done")
    assert answer["exit"]["signals"] == ["SIGTERM", "SIGKILL"]
    assert answer["exit"]["overdue"] == [1]
    assert not named(ATTEMPT)


def test_a_cancel_during_tidying_lets_it_end(client: Client, gate: Gate) -> None:
    launch(
        client,
        sh("echo one"),
        {"role": "main", "argv": gate.argv, "always": True},
        sh("echo not run"),
        sh("echo last", always=True),
    )
    until(lambda: client.read(ATTEMPT, "stdout") and named(ATTEMPT))
    asked = client.send("cancel", attempt=ATTEMPT, grace=0.2)
    until(lambda: (client.base / "jobs" / ATTEMPT / "cancel").exists())
    gate.open()
    answer, _ = client.receive()
    assert (answer["id"], answer["survivors"]) == (asked, [])
    assert (answer["exit"]["ran"], answer["exit"]["cancelled"]) == ([0, 1, 3], True)
    assert client.read(ATTEMPT, "stdout") == b"one\nlast\n"


def test_nothing_started_leaves_nothing_to_tidy(client: Client) -> None:
    launch(client, sh("echo one"), sh("echo gone", always=True), settle=600)
    until(lambda: client.good("status", attempt=ATTEMPT)["phase"] == "settling")
    answer = client.good("cancel", attempt=ATTEMPT, grace=1)
    assert (answer["state"], answer["exit"]["ran"]) == ("done", [])
    assert client.read(ATTEMPT, "stdout") == b""


FAILING = """#!{python}
import sys
sys.path.insert(0, {project!r})
from apps.remote.agent.jobs import runner
from apps.remote.agent.__main__ import main
record = runner.Runner.record
def fail(self, number, *rest):
    if number == 0:
        raise RuntimeError("an error of the agent")
    record(self, number, *rest)
runner.Runner.record = fail
sys.exit(main(sys.argv[3:]))
"""


def test_an_error_of_the_agent_itself_does_not_keep_it_from_tidying(
    base: Path, tmp_path: Path
) -> None:
    python = tmp_path / "failing-python"
    project = str(Path(__file__).parents[3])
    python.write_text(FAILING.format(python=sys.executable, project=project))
    python.chmod(0o755)
    with Client(base, python=str(python)) as client:
        done = run(client, sh("echo one"), sh("echo not run"), sh("echo gone", always=True))
        assert client.read(ATTEMPT, "stdout") == b"one\ngone\n"
    assert (done["state"], done["exit"]["ran"]) == ("done", [2])
    assert "an error of the agent" in done["exit"]["error"]


@pytest.mark.parametrize(
    "wrong", [{"always": "yes"}, {"may_fail": 1}, {"seconds": 0}, {"seconds": "60"}]
)
def test_what_cannot_be_meant_is_not_started(client: Client, wrong: Message) -> None:
    spec = {"attempt": ATTEMPT, "commands": [sh("true", **wrong)]}
    assert client.ask("launch", spec=spec)["error"] == "bad-request"
