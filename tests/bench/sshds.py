"""Many hosts on this machine: each an sshd of its own on 127.0.0.1, with its own host key and agent
folder, and a stand-in for fio that costs nothing.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from apps.remote.keys import generate_key
from benchlab.local.paths import PROJECT
from tests.bench.figure import CannotMeasure
from tests.bench.servers import free_port
from tests.harness.netns_host import SSHD

UP_SECONDS = 60.0
SAMPLE = PROJECT / "apps/tools/fio/tests/samples/3.33--json-fsync/result.json"
# The home is empty: a login that reads somebody's .bashrc takes longer.
CONFIG = """Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
UsePAM no
StrictModes no
PidFile none
UseDNS no
SetEnv BENCHLAB_AGENT_DIR={folder}/base HOME={folder}
"""
# Says its version; else appends a status document a second, as fio does, and ends.
STAND_IN = """#!/bin/sh
[ $# -gt 1 ] || exec echo fio-3.33
for second in $(seq {seconds}); do
    sleep 1
    cat {sample} >> result.json
done
"""


@dataclass(frozen=True)
class Sshd:
    """One host: its port, pinned key and folder."""

    port: int
    host_key: str
    folder: Path

    def told(self) -> dict[str, object]:
        """Facts that benchlab has to know of it."""
        directory = str(self.folder / "scratch")
        return {"port": self.port, "host_key": self.host_key, "directory": directory}


@dataclass(frozen=True)
class Sshds:
    """Hosts with one login for all of them."""

    hosts: list[Sshd]
    private_key: str
    folder: Path

    @property
    def user(self) -> str:
        return getpass.getuser()

    @property
    def become(self) -> str:
        return "root" if os.geteuid() == 0 else "user"

    def tell_tool(self, seconds: int) -> None:
        """Sets the seconds that the tool runs from now on."""
        text = STAND_IN.format(sample=SAMPLE, seconds=seconds)
        for host in self.hosts:
            fio = host.folder / "base" / "tools" / "bin" / "fio"
            fio.parent.mkdir(parents=True, exist_ok=True)
            fio.write_text(text)
            fio.chmod(0o755)

    def ssh(self, host: Sshd, *command: str) -> list[str]:
        """A new connection of the stock client."""
        known, key = self.folder / "known_hosts", self.folder / "id"
        options = [
            *("BatchMode=yes", "StrictHostKeyChecking=yes", f"UserKnownHostsFile={known}"),
            *("GlobalKnownHostsFile=/dev/null", "IdentitiesOnly=yes", "ControlPath=none"),
        ]
        words = [word for option in options for word in ("-o", option)]
        program = ["ssh", "-F", "none", "-T", "-i", str(key), "-p", str(host.port)]
        return [*program, *words, f"{self.user}@127.0.0.1", "--", *command]


@contextmanager
def sshds(folder: Path, number: int) -> Iterator[Sshds]:
    """So many hosts, running. Raises CannotMeasure."""
    if not shutil.which("ssh") or not Path(SSHD).exists():
        raise CannotMeasure("it needs ssh and sshd (openssh-client and openssh-server).")
    folder.mkdir()
    private, public = generate_key()
    (folder / "id").touch(mode=0o600)
    (folder / "id").write_text(private)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # sshd(8): root's sshd wants its empty folder
    with ExitStack() as ending:
        hosts = [_started(folder / str(n), public, ending) for n in range(1, number + 1)]
        lines = [f"[127.0.0.1]:{host.port} {host.host_key}\n" for host in hosts]
        (folder / "known_hosts").write_text("".join(lines))
        for host in hosts:
            _wait_for(host.port)
        yield Sshds(hosts, private, folder)


def _started(folder: Path, public: str, ending: ExitStack) -> Sshd:
    (folder / "scratch").mkdir(parents=True)
    port = free_port()
    (folder / "authorized_keys").write_text(public + "\n")
    key = asyncssh.generate_private_key("ssh-ed25519")
    (folder / "host_key").touch(mode=0o600)
    (folder / "host_key").write_bytes(key.export_private_key())
    (folder / "sshd_config").write_text(CONFIG.format(port=port, folder=folder))
    log = ending.enter_context((folder / "sshd.log").open("wb"))
    command = [SSHD, "-D", "-e", "-f", str(folder / "sshd_config")]
    daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    ending.callback(daemon.wait, 10)
    ending.callback(daemon.terminate)
    return Sshd(port, key.export_public_key().decode().strip(), folder)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + UP_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise CannotMeasure(f"the sshd on port {port} did not start")
