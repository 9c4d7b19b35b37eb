"""Run a plugin's procedure between two network namespaces, the server in the box's."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from apps.tools.iperf import TOOL
from apps.tools.iperf.params import IperfParams
from apps.tools.parse_result import Output, Parsed
from apps.tools.procedure import Command
from apps.tools.targets import ToolTarget
from tests.harness.net import Network

PROGRAMS = ("iperf", "iperf3", "tc", "timeout")
LISTENING = 5.0
ENDING = 10.0


def lacking() -> str:
    """Why there can be no test here, "" when there can."""
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    return f"needs {', '.join(missing)}" if missing else ""


def measure(network: Network, address: str = "", **raw: Any) -> Parsed:
    """One test over the network's cable, both ends read. Raises ToolError or OutputError."""
    return TOOL.parse(run(network, address, **raw))


def run(network: Network, address: str = "", **raw: Any) -> Output:
    """The output of both ends."""
    params = IperfParams.from_raw(raw)
    commands = TOOL.build_procedure(params, ToolTarget("pair", address or network.address)).commands
    server = next(command for command in commands if command.on == "server")
    files: dict[str, bytes] = {}
    with _serving(network, server, files):
        roles, code = _client([command for command in commands if command.on == "lead"])
    mine = {"stdout": b"".join(out for out, _ in roles), "stderr": b"".join(e for _, e in roles)}
    return Output({**files, **mine}, code, params.canonical())


def _client(commands: list[Command]) -> tuple[list[tuple[bytes, bytes]], int]:
    """Every command until one fails."""
    said, code = [], 0
    for command in commands:
        done = subprocess.run(command.argv, capture_output=True, timeout=120, check=False)
        said.append((done.stdout, done.stderr))
        code = done.returncode
        if code:
            break
    return said, code


@contextmanager
def _serving(network: Network, command: Command, files: dict[str, bytes]) -> Iterator[None]:
    """The server while it is needed; `files` gets what it said."""
    inside = ("ip", "netns", "exec", network.namespace, *command.argv)
    process = subprocess.Popen(inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        protocol, _, port = command.listens.partition(":")
        with suppress(RuntimeError):  # It ended instead, and says why.
            network.await_listening(int(port), protocol, LISTENING)
        yield
        _await_end(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        files["server.stdout"], files["server.stderr"] = process.communicate(timeout=ENDING)


def _await_end(process: subprocess.Popen[bytes]) -> None:
    """iperf3's server ends after its client; iperf 2's last report comes within a moment."""
    deadline = time.monotonic() + 1.0
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
