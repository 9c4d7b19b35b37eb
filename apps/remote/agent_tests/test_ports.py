"""A server's job says when it listens, and somebody else's server is never taken for it."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from apps.remote.agent_tests.client import ATTEMPT, Client, Message
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import until

KINDS = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM}
SERVER = """
import os, socket, sys, time
while not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
family = socket.AF_INET6 if sys.argv[4] == "6" else socket.AF_INET
server = socket.socket(family, getattr(socket, sys.argv[2]))
server.bind(("", int(sys.argv[3])))
if sys.argv[2] == "SOCK_STREAM":
    server.listen(1)
time.sleep(60)
"""


def free_port(kind: str) -> int:
    """A port that nobody has, and that the kernel gives to nobody who asks for any (ip(7),
    ip_local_port_range): such a one could be somebody's before the server binds it.
    """
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(10_000, first)
        with suppress(OSError), socket.socket(type=KINDS[kind]) as asking:
            asking.bind(("", port))
            return port


@contextmanager
def taken(kind: str, port: int) -> Iterator[None]:
    """Somebody else listens there."""
    with socket.socket(type=KINDS[kind]) as server:
        server.bind(("127.0.0.1", port))
        if kind == "tcp":
            server.listen(1)
        yield


def answers(port: int) -> bool:
    """Whether a server is there."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def command(gate: Gate, kind: str, port: int, family: str = "4") -> Message:
    """A server that listens when the gate is opened."""
    words = [str(gate.path), KINDS[kind].name, str(port), family]
    argv = [sys.executable, "-c", SERVER, *words]
    return {"role": "server", "argv": argv, "listens": f"{kind}:{port}"}


def launch(client: Client, *commands: Message, **spec: Any) -> None:
    """Start the job and wait until its first command runs."""
    client.good("launch", spec={"attempt": ATTEMPT, "commands": list(commands), **spec})
    until(lambda: client.good("status", attempt=ATTEMPT)["phase"] == "running")


@pytest.mark.parametrize(("kind", "family"), [("tcp", "4"), ("tcp", "6"), ("udp", "4")])
def test_status_says_when_the_server_listens(
    client: Client, gate: Gate, kind: str, family: str
) -> None:
    launch(client, command(gate, kind, free_port(kind), family))
    assert client.good("status", attempt=ATTEMPT)["listening"] is False
    gate.open()
    until(lambda: client.good("status", attempt=ATTEMPT)["listening"])
    assert client.good("cancel", attempt=ATTEMPT, grace=1)["listening"] is False


def test_a_port_that_is_taken_is_named_with_its_user(client: Client, gate: Gate) -> None:
    port = free_port("tcp")
    argv = ["python3", "-c", SERVER, str(gate.path), "SOCK_STREAM", str(port), "4"]
    gate.open()
    with subprocess.Popen(argv) as other:
        until(lambda: answers(port))
        spec = {"attempt": ATTEMPT, "commands": [command(gate, "tcp", port)]}
        client.good("launch", spec=spec)
        done = client.good("wait", attempt=ATTEMPT)
        other.kill()
    (reason,) = done["refused"]["reasons"]
    assert reason.startswith(f"Port: TCP port {port} is taken by python3")
    assert f"(process {other.pid})" in reason
    assert done["argv"] is None


def test_job_with_used_ports_is_refused_with_all_reasons(client: Client) -> None:
    tcp, udp = free_port("tcp"), free_port("udp")
    commands = [{"argv": ["true"], "listens": text} for text in (f"tcp:{tcp}", f"udp:{udp}")]
    with taken("tcp", tcp), taken("udp", udp):
        client.good("launch", spec={"attempt": ATTEMPT, "commands": commands})
        done = client.good("wait", attempt=ATTEMPT)
    assert [reason[:9] for reason in done["refused"]["reasons"]] == ["Port: TCP", "Port: UDP"]


def test_somebody_elses_server_is_not_the_jobs(client: Client, gate: Gate) -> None:
    """It came after the job was started and before the server listened."""
    port = free_port("tcp")
    launch(client, command(gate, "tcp", port))
    with taken("tcp", port):
        assert client.good("status", attempt=ATTEMPT)["listening"] is False
        gate.open()
        done = client.good("wait", attempt=ATTEMPT)
    assert done["exit"]["codes"] == [1]


@pytest.mark.needs_root
def test_the_jobs_own_network_is_looked_at(client: Client, gate: Gate) -> None:
    """A server in another network namespace: its ports are in that one's tables alone."""
    item = command(gate, "tcp", free_port("tcp"))
    launch(client, {**item, "argv": ["unshare", "--net", *item["argv"]]})
    gate.open()
    until(lambda: client.good("status", attempt=ATTEMPT)["listening"])
    client.good("cancel", attempt=ATTEMPT, grace=1)


def test_a_job_without_a_port_never_listens(client: Client, gate: Gate) -> None:
    attempt = client.start(gate.argv)
    assert client.good("status", attempt=attempt)["listening"] is False


@pytest.mark.parametrize("text", ["tcp", "tcp:0", "tcp:65536", "sctp:5201", "tcp:5201 ", 5201])
def test_what_is_no_port_is_not_started(client: Client, text: object) -> None:
    spec = {"attempt": ATTEMPT, "commands": [{"argv": ["true"], "listens": text}]}
    assert client.ask("launch", spec=spec)["error"] == "bad-request"
