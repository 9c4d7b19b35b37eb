"""A session: noise before the token, frames after it, a process a request, nothing lost at its
end.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from apps.remote.agent_tests.client import HEADER, TOKEN, Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import alive, until
from apps.remote.build import agent


def test_hello_names_agent_host_and_boot(client: Client, base: Path) -> None:
    hello = client.hello
    assert hello["hello"] == 1
    program = (client.base / agent().name).read_bytes()
    assert hello["agent"] == hashlib.sha256(program).hexdigest()
    assert hello["python"].startswith("3.")
    assert hello["uid"] == os.geteuid()
    assert hello["boot_id"] == Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    assert hello["machine_id"] == Path("/etc/machine-id").read_text().strip()
    assert hello["base"] == str(base)


def test_the_base_folder_is_private(client: Client, tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    with Client(base=tmp_path / "b", env={"BENCHLAB_AGENT_DIR": str(deep / "er")}):
        assert (deep / "er").stat().st_mode & 0o777 == 0o700


def test_ping_gives_both_clocks_and_the_boot(client: Client) -> None:
    first, second = client.good("ping"), client.good("ping")
    assert second["monotonic"] > first["monotonic"]
    assert first["boot_id"] == client.hello["boot_id"]
    assert first["realtime"] > 1_600_000_000
    assert first["free"] > 0


def test_the_token_stands_on_a_line_of_its_own_after_unfinished_noise(base: Path) -> None:
    base.mkdir()
    program = base / "agent.pyz"
    program.write_bytes(agent().data)
    script = f'printf "welcome without newline"; exec {sys.executable} -I {program} serve {TOKEN}'
    env = {**os.environ, "BENCHLAB_AGENT_DIR": str(base)}
    done = subprocess.run(["sh", "-c", script], input=b"", capture_output=True, env=env, check=True)
    lines = done.stdout.split(b"\n", 2)
    assert lines[:2] == [b"welcome without newline", TOKEN.encode()]
    assert len(lines[2]) == HEADER.size + HEADER.unpack(lines[2][: HEADER.size])[0]


def test_a_wrong_command_line_is_explained(base: Path) -> None:
    base.mkdir()
    program = base / "agent.pyz"
    program.write_bytes(agent().data)
    for arguments in (["serve"], ["serve", "a b"], ["run", TOKEN], []):
        argv = [sys.executable, "-I", str(program), *arguments]
        done = subprocess.run(argv, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert "usage" in done.stderr


def test_an_unknown_verb_is_a_bad_request_and_the_session_goes_on(client: Client) -> None:
    answer = client.ask("explode")
    assert answer["ok"] is False
    assert answer["error"] == "bad-request"
    assert "explode" in answer["message"]
    assert client.ask("status")["error"] == "bad-request"
    assert client.ask("status", attempt="../../etc")["error"] == "bad-request"
    client.good("ping")


def test_what_is_no_frame_ends_the_session(client: Client) -> None:
    client.stdin.write(HEADER.pack(5, 0) + b"[1,2]")
    client.stdin.flush()
    assert client.process.wait(60) == 0


def test_a_frame_too_large_to_be_meant_ends_the_session(client: Client) -> None:
    client.stdin.write(HEADER.pack(1 << 31, 0))
    client.stdin.flush()
    assert client.process.wait(60) == 0


def test_a_killed_request_ends_the_session_and_no_job(client: Client, base: Path) -> None:
    """Its answer would never come: whoever asked must learn that, and ask again."""
    attempt = client.start(["sleep", "30"])
    client.send("follow", attempt=attempt, offsets={"stdout": 0})
    requests = Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children")
    client.send("wait", attempt=attempt)
    client.good("ping")  # so the launch's own process is gone, or is the third
    until(lambda: len(requests.read_text().split()) == 2)
    os.kill(int(requests.read_text().split()[0]), signal.SIGKILL)
    assert client.process.wait(60) == 0
    with Client(base) as again:
        assert again.good("status", attempt=attempt)["state"] == "running"
        again.good("cancel", attempt=attempt, grace=1)


def test_a_blocking_request_holds_up_nobody(client: Client) -> None:
    attempt = client.start(["sleep", "1"])
    waiting = client.send("wait", attempt=attempt)
    ping = client.send("ping")
    order = [client.receive()[0]["id"] for _ in range(2)]
    assert order == [ping, waiting]


def test_many_requests_at_once_never_mix_their_frames(client: Client) -> None:
    attempt = client.run(["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"])["attempt"]
    asked = {client.send("read", attempt=attempt, file="stdout") for _ in range(8)}
    answered = set()
    for _ in asked:
        message, payload = client.receive()
        answered.add(message["id"])
        assert payload == b"x" * 3_000_000
    assert answered == asked


def test_end_of_input_ends_requests_but_not_jobs(base: Path, gate: Gate) -> None:
    with Client(base) as first:
        attempt = first.start(["sh", "-c", gate.script + "; echo finished"])
        first.send("wait", attempt=attempt)
        first.send("follow", attempt=attempt, offsets={"stdout": 0})
        until(lambda: len(children(first.process.pid)) == 2)
        requests = children(first.process.pid)
    until(lambda: not any(alive(pid) for pid in requests))
    with Client(base) as second:
        assert second.good("status", attempt=attempt)["state"] == "running"
        gate.open()
        assert second.good("wait", attempt=attempt)["state"] == "done"
        assert second.read(attempt, "stdout") == b"finished\n"


def test_requests_do_not_outlive_a_killed_session(base: Path) -> None:
    session = Client(base)
    attempt = session.start(["sleep", "1"])
    session.send("wait", attempt=attempt)
    requests = until(lambda: children(session.process.pid))
    os.kill(session.process.pid, signal.SIGKILL)
    session.close()
    until(lambda: not any(alive(pid) for pid in requests))
    with Client(base) as second:
        assert second.good("wait", attempt=attempt)["exit"]["codes"] == [0]


def children(pid: int) -> list[str]:
    """Process ids of a process's children."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
