"""Commands of a job: their codes, their surroundings, their order, and how soon their end is
known.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client


def test_exit_with_codes_and_signals_reports_both(client: Client) -> None:
    assert client.run(["true"])["exit"]["codes"] == [0]
    failed = client.run(["sh", "-c", "exit 3"])["exit"]
    assert (failed["codes"], failed["signals"]) == ([3], [None])
    killed = client.run(["sh", "-c", "kill -KILL $$"])["exit"]
    assert (killed["codes"], killed["signals"]) == ([None], ["SIGKILL"])


def test_a_program_that_is_not_there_says_so(client: Client) -> None:
    done = client.run(["no-such-program", "x"])
    assert done["exit"]["codes"] == [127]
    assert b"no-such-program: " in client.read(done["attempt"], "stderr")


def test_commands_run_in_order_and_stop_at_the_first_failure(client: Client) -> None:
    done = client.run(
        ["sh", "-c", "echo one"], ["sh", "-c", "echo two; exit 4"], ["sh", "-c", "echo three"]
    )
    assert done["exit"]["codes"] == [0, 4]
    assert client.read(done["attempt"], "stdout") == b"one\ntwo\n"
    parts = [part["stdout"] for part in done["exit"]["parts"]]
    assert parts == [[0, 4], [4, 8]]


def test_next_command_with_background_process_waits_for_it(client: Client) -> None:
    script = "(sleep 0.5; echo orphan) & exit 0"
    done = client.run(["sh", "-c", script], ["echo", "next"])
    assert client.read(done["attempt"], "stdout") == b"orphan\nnext\n"


def test_arguments_are_data_and_never_reach_a_shell(client: Client) -> None:
    words = ["$(id)", "`id`", "; id", "a\nb", "~", "*", "ä", "'", '"', "", "{target}"]
    done = client.run(["printf", "%s|", *words])
    assert client.read(done["attempt"], "stdout").decode() == "".join(f"{w}|" for w in words)
    assert done["argv"] == [["printf", "%s|", *words]]


def test_the_surroundings_are_the_same_for_every_login(base: Path, tmp_path: Path) -> None:
    tools = tmp_path / "my tools"
    env = {"LC_ALL": "de_DE.UTF-8", "SECRET": "canary", "BENCHLAB_TOOLS_PATH": str(tools)}
    with Client(base, env) as client:
        script = "env; pwd; readlink /proc/self/fd/0; ps -o sid=,pid= -p $$"
        done = client.run(["sh", "-c", script])
        text = client.read(done["attempt"], "stdout").decode()
    lines = text.splitlines()
    assert "LC_ALL=C" in lines
    assert "canary" not in text
    assert f"PATH={base}/tools/bin:{tools}:/usr/local/sbin:" in text
    assert str(base / "jobs" / done["attempt"]) in lines
    assert "/dev/null" in lines
    session, process = lines[-1].split()
    assert session == process


def test_the_tool_does_not_inherit_the_sessions_streams(client: Client) -> None:
    """A tool that held the ssh channel open would keep the connection from ending."""
    done = client.run(["sh", "-c", "ls -l /proc/self/fd"])
    text = client.read(done["attempt"], "stdout").decode()
    assert "pipe:" not in text
    assert "socket:" not in text


def test_the_tool_starts_with_no_signal_blocked(client: Client) -> None:
    done = client.run(["grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"])
    text = client.read(done["attempt"], "stdout").decode()
    assert "SigBlk:\t0000000000000000" in text
    assert "SigIgn:\t0000000000000000" in text


def test_times_are_of_both_clocks_and_the_wall_clock_was_not_set(client: Client) -> None:
    before = time.monotonic()
    done = client.run(["sleep", "0.3"])["exit"]
    started, ended = done["started"]["monotonic"], done["ended"]["monotonic"]
    assert before < started <= ended - 0.3
    assert ended < time.monotonic()
    assert abs(done["clock_step"]) < 1
    assert abs(done["started"]["realtime"] - time.time()) < 60


PATIENT = """#!{python}
import sys
sys.path.insert(0, {project!r})
from apps.remote.agent.jobs import runner
from apps.remote.agent.__main__ import main
runner.CHECK = 3600.0
sys.exit(main(sys.argv[3:]))
"""


@pytest.mark.timeout(60)  # a guard against hanging: whoever missed the end would look in an hour
def test_the_end_is_known_without_looking_for_it(base: Path, tmp_path: Path) -> None:
    """The agent with an hour between its looks: the kernel's word alone ends tool and orphan."""
    python = tmp_path / "patient-python"
    project = str(Path(__file__).parents[3])
    python.write_text(PATIENT.format(python=sys.executable, project=project))
    python.chmod(0o755)
    with Client(base, python=str(python)) as client:
        done = client.run(["sleep", "0.3"], ["sh", "-c", "sleep 0.3 & exit 0"], ["true"])
    assert done["exit"]["codes"] == [0, 0, 0]
