"""A host in a box: a real sshd with its own network, processes, mounts, boot id and host key (root
only).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import asyncssh

from apps.remote.connection import Become, HostSpec
from apps.remote.keys import generate_key

from .net import Network, claim_network, run

SSHD = "/usr/sbin/sshd"
UP_SECONDS = 15.0
# Runs as pid 1 of the box. The passwd, shadow and sudoers files are the box's own: nothing of the
# machine changes.
INIT = """set -e
mount --make-rslave /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/sshd /run/lock
cd "$1"
mount --bind boot_id /proc/sys/kernel/random/boot_id
if [ -e /etc/machine-id ]; then mount --bind machine-id /etc/machine-id; fi
mount --bind home /root
mount --bind passwd /etc/passwd
mount --bind shadow /etc/shadow
if [ -d /etc/sudoers.d ]; then mount --bind sudoers.d /etc/sudoers.d; fi
hostname "$2"
exec /usr/sbin/sshd -D -e -f "$1/sshd_config"
"""
CONFIG = """Port 22
ListenAddress 0.0.0.0
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PidFile none
UseDNS no
SetEnv BENCHLAB_AGENT_DIR={base}
{more}
"""


@dataclass
class NetnsHost:
    """One such host. `config` is added to its sshd_config, `shell` is root's login shell in it.

    `ordinary` is a user without rights, home below the box's folder; `sudo` lets that user run sudo
    without a password. `clock` seconds are what its monotonic clock is ahead of this machine's
    (time_namespaces(7)); 0 leaves it alone.
    """

    folder: Path
    config: str = ""
    shell: str = "/bin/bash"
    sudo: bool = False
    ordinary: str = "bench"
    clock: int = 0
    network: Network = field(default_factory=claim_network)
    private_key: str = field(default="", repr=False)
    boot_id: str = ""
    _outer: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.folder = self.folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        self.private_key, public = generate_key()
        self._write("authorized_keys", public + "\n")
        self._write("machine-id", uuid.uuid4().hex + "\n")
        self._write_accounts()
        self.swap_host_key()

    @property
    def base(self) -> Path:
        """The agent's base folder in the box, seen from here."""
        return self.folder / "base"

    @property
    def home(self) -> Path:
        """Root's home in the box, seen from here."""
        return self.folder / "home"

    def spec(self, user: str = "root", become: Become = "root") -> HostSpec:
        """How benchlab reaches this box, its present host key pinned."""
        line = (self.folder / "host_key.pub").read_text().strip()
        key = self.private_key
        return HostSpec(
            self.network.address, user=user, private_key=key, host_key=line, become=become
        )

    def start(self) -> None:
        """Switch it on (a new boot id each time) and wait until sshd answers."""
        self.network.make()
        self.boot_id = str(uuid.uuid4())
        self._write("boot_id", self.boot_id + "\n")
        self._write("init", INIT)
        self._write_config()
        namespaces = ["--pid", "--fork", "--kill-child", "--mount", "--uts", "--ipc"]
        namespaces += ["--propagation", "slave"]  # a disk unmounted outside is free at once
        if self.clock:
            namespaces += ["--time", f"--monotonic={self.clock}"]
        arguments = ["sh", str(self.folder / "init"), str(self.folder), self.network.namespace]
        enter = ["ip", "netns", "exec", self.network.namespace]
        with (self.folder / "sshd.log").open("ab") as log:
            self._outer = subprocess.Popen(
                [*enter, "unshare", *namespaces, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_for_sshd()

    def power_cut(self) -> None:
        """Kill pid 1: every process of the box is gone at once, and with it its network."""
        outer, self._outer = self._outer, None
        if outer is None:
            return
        for pid in _children(outer.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        outer.kill()
        outer.wait(10)
        self.network.remove_devices()

    def stop(self) -> None:
        """Switch it off for good and give its network back."""
        self.power_cut()
        self.network.release()

    def link(self, up: bool) -> None:
        """Plug the network cable in or pull it."""
        self.network.link(up)

    def drop_packets(self, drop: bool) -> None:
        """Make the network a black hole, or whole again."""
        self.network.drop_packets(drop)

    def restart_sshd(self) -> None:
        """Reload sshd with the present configuration and host key, and end every session's sshd;
        jobs live on.
        """
        self._write_config()
        before = self._listener()
        os.kill(self.init, signal.SIGHUP)
        # Until it opens another socket it accepts with the earlier configuration.
        self._wait_for_sshd(before)
        for pid in self.session_daemons():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def swap_host_key(self, algorithm: str = "ssh-ed25519") -> None:
        """A new host key; a running sshd shows it after `restart_sshd`."""
        key = asyncssh.generate_private_key(algorithm)
        self._write("host_key", key.export_private_key().decode(), 0o600)
        self._write("host_key.pub", key.export_public_key().decode())

    @property
    def init(self) -> int:
        """Pid 1 of the box (its listening sshd), as seen from here."""
        assert self._outer, "the box is off"
        return _children(self._outer.pid)[0]

    def inside(self, *argv: str) -> str:
        """Run a command as root in the box; its output."""
        return run(*self.enter, *argv)

    @property
    def enter(self) -> list[str]:
        """The words before a command that is to run in the box."""
        namespaces = ["--mount", "--uts", "--ipc", "--net", "--pid"]
        time = ["--time"] if self.clock else []
        return ["nsenter", f"--target={self.init}", *namespaces, *time]

    def session_daemons(self) -> list[int]:
        """The sshd processes that serve one connection each."""
        return [pid for pid in _children(self.init) if _command(pid).startswith("sshd:")]

    def processes(self) -> list[str]:
        """The command lines of everything that runs in the box."""
        return [_command(pid) for pid in self._pids()]

    def pids_of(self, program: str) -> list[int]:
        """The processes of one program in the box, as seen from here."""
        return [pid for pid in self._pids() if _command(pid).split(" ")[0].endswith(program)]

    def pids_of_agent(self) -> list[int]:
        """The agent's own processes in the box, sessions and supervisors, as seen from here."""
        return [pid for pid in self._pids() if f"{self.base}/agent-" in _command(pid)]

    def _pids(self) -> list[int]:
        found, todo = [], [self.init]
        while todo:
            pid = todo.pop()
            found.append(pid)
            todo.extend(_children(pid))
        return found

    def _write(self, name: str, text: str, mode: int = 0o644) -> None:
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)

    def _write_config(self) -> None:
        text = CONFIG.format(folder=self.folder, base=self.base, more=self.config)
        self._write("sshd_config", text)

    def _write_accounts(self) -> None:
        """The machine's passwd with another shell for root, and the ordinary user."""
        self.home.mkdir(exist_ok=True)
        ordinary = self.folder / "ordinary"
        ordinary.mkdir(exist_ok=True)
        os.chown(ordinary, 4242, 4242)
        lines = Path("/etc/passwd").read_text().splitlines()
        others = [line for line in lines if not line.startswith("root:")]
        root = f"root:x:0:0:root:/root:{self.shell}"
        user = f"{self.ordinary}:x:4242:4242::{ordinary}:/bin/sh"
        self._write("passwd", "\n".join([root, *others, user, ""]))
        self._write("shadow", f"root:*:19000:0:99999:7:::\n{self.ordinary}:*:19000::::::\n", 0o640)
        (self.folder / "sudoers.d").mkdir(exist_ok=True, mode=0o755)
        if self.sudo:
            self._write("sudoers.d/bench", f"{self.ordinary} ALL=(ALL) NOPASSWD: ALL\n", 0o440)

    def _wait_for_sshd(self, before: str = "") -> None:
        deadline = time.monotonic() + UP_SECONDS
        while time.monotonic() < deadline:
            if self._listener() not in ("", before):
                return
            time.sleep(0.05)
        raise RuntimeError("The box did not start: " + (self.folder / "sshd.log").read_text())

    def _listener(self) -> str:
        """The inodes of the sockets that listen on port 22 in the box, "" without any (asked in
        the kernel: no login slot is used).
        """
        lines = self.network.inside("ss", "-Hltne").splitlines()
        text = "".join(line for line in lines if ":22 " in line)
        return " ".join(sorted(re.findall(r"ino:\d+", text)))


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    with contextlib.suppress(OSError):
        return [int(word) for word in path.read_text().split()]
    return []


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    return ""


def missing() -> str:
    """Why no box can be made here, "" when one can."""
    if os.geteuid() != 0:
        return "needs root"
    tools = ("ip", "unshare", "iptables", "ss", "hostname")
    lacking = [tool for tool in tools if not shutil.which(tool)]
    if not Path(SSHD).exists():
        lacking.append("sshd")
    return f"needs {', '.join(lacking)}" if lacking else ""
