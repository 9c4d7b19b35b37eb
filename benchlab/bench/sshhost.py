"""A real sshd on this machine to measure against, and the stock OpenSSH client that reaches it."""

from __future__ import annotations

import getpass
import os
import shlex
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from apps.remote.connection import HostSpec
from apps.remote.keys import generate_key
from benchlab.bench.row import CannotMeasure
from tests.harness import box as boxes

UP_SECONDS = 10.0
# The home is empty: a login that runs somebody's .bashrc is slower, and the peer pays for it alone.
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
SetEnv BENCHLAB_AGENT_BASE={folder}/base HOME={folder}
"""


@dataclass(frozen=True)
class SshHost:
    """A host both ways: benchlab's `spec`, and the argv of a plain `ssh` with the same keys.

    `folder` is seen under the same path on the host.
    """

    spec: HostSpec
    folder: Path
    kind: str

    def ssh(self, command: Sequence[str]) -> list[str]:
        """One new connection that runs the command: stock client, no shared connection, no user
        configuration."""
        options = {
            "BatchMode": "yes",
            "StrictHostKeyChecking": "yes",
            "UserKnownHostsFile": str(self.folder / "known_hosts"),
            "GlobalKnownHostsFile": "/dev/null",
            "IdentitiesOnly": "yes",
            "ControlPath": "none",
        }
        words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        key, where = str(self.folder / "id"), f"{self.spec.user}@{self.spec.address}"
        program = ["ssh", "-F", "none", "-T", "-i", key, "-p", str(self.spec.port)]
        return [*program, *words, where, "--", shlex.join(command)]


@contextmanager
def ssh_host(scratch: Path) -> Iterator[SshHost]:
    """A host in a box as root (its own network, processes and boot id), else a private sshd on
    loopback. Raises CannotMeasure when there is neither."""
    if not shutil.which("ssh") or not Path(boxes.SSHD).exists():
        raise CannotMeasure("it needs ssh and sshd (openssh-client and openssh-server).")
    if boxes.missing():
        with _private_sshd(scratch) as host:
            yield host
        return
    box = boxes.Box(scratch / "box")
    try:
        try:
            box.start()
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            raise CannotMeasure(f"the host in a box did not start: {error}") from error
        yield _known(box.spec(), box.folder, "a host in a box: own network, processes, sshd")
    finally:
        box.stop()


def _known(spec: HostSpec, folder: Path, kind: str) -> SshHost:
    """Give the stock client the key and the host key that benchlab uses."""
    identity = folder / "id"
    identity.touch(mode=0o600)
    identity.write_text(spec.private_key or "")
    name = spec.address if spec.port == 22 else f"[{spec.address}]:{spec.port}"
    (folder / "known_hosts").write_text(f"{name} {spec.host_key}\n")
    return SshHost(spec, folder, kind)


@contextmanager
def _private_sshd(scratch: Path) -> Iterator[SshHost]:
    """An sshd of our own on 127.0.0.1, with its own keys and configuration."""
    folder = scratch / "sshd"
    folder.mkdir()
    port = _free_port()
    spec = _write_keys(folder, port)
    (folder / "sshd_config").write_text(CONFIG.format(port=port, folder=folder))
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # sshd(8): root's sshd wants its empty folder
    with (folder / "sshd.log").open("wb") as log:
        command = [boxes.SSHD, "-D", "-e", "-f", str(folder / "sshd_config")]
        daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        _wait_for(daemon, port, folder / "sshd.log")
        yield _known(spec, folder, "a private sshd on 127.0.0.1")
    finally:
        daemon.terminate()
        daemon.wait(10)


def _write_keys(folder: Path, port: int) -> HostSpec:
    private, public = generate_key()
    (folder / "authorized_keys").write_text(public + "\n")
    key = asyncssh.generate_private_key("ssh-ed25519")
    host_key = folder / "host_key"
    host_key.touch(mode=0o600)
    host_key.write_bytes(key.export_private_key())
    line = key.export_public_key().decode().strip()
    return HostSpec(
        "127.0.0.1",
        port=port,
        user=getpass.getuser(),
        private_key=private,
        host_key=line,
        become="root" if os.geteuid() == 0 else "user",
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(daemon: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + UP_SECONDS
    while time.monotonic() < deadline and daemon.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise CannotMeasure(f"sshd did not start: {log.read_text().strip()}")
