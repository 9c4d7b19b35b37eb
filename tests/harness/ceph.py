"""A small real Ceph: one monitor, one manager and three OSDs that keep everything in memory."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchlab.local.locks import BusyError, FileLock

from .ceph_commands import Commands
from .ceph_modules import write_modules
from .net import free_port, run
from .netns_host import NetnsHost

PROGRAMS = ("ceph", "ceph-mon", "ceph-mgr", "ceph-osd", "ceph-authtool", "monmaptool", "rados")
PREFIX = "benchlab-ceph-"
OSDS = 3
UP_SECONDS = 60.0
# Ceph's own limits on its folder: a UNIX socket's name has at most 107 bytes.
CONFIG = """[global]
fsid = {fsid}
mon host = [v2:{address}:{port}]
public addr = {address}
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
keyring = {folder}/keyring
run dir = {folder}
crash dir = {folder}/crash
log file = {folder}/$name.log
admin socket = {folder}/$name.$pid.asok
mon data = {folder}/$name
mgr data = {folder}/$name
osd data = {folder}/$name
mon data avail warn = 1
mon data avail crit = 0
mon allow pool delete = true
mgr initial modules =
mgr module path = {folder}/modules
# Answers in tenths of a second where a large cluster takes its time.
mgr stats period = 1
mgr tick period = 1
osd mon report interval = 1
paxos propose interval = 0.05
paxos min wait = 0.01
osd objectstore = memstore
memstore device bytes = 1073741824
# An OSD that stops ends at once, as in production, and begins empty: the others have its data. In
# an orderly stop it hangs at times, for minutes (https://github.com/ceph/ceph/pull/31677).
osd fast shutdown = true
osd fast shutdown notify mon = true
osd recovery sleep hdd = 0
osd recovery max active hdd = 32
osd delete sleep hdd = 0
osd crush chooseleaf type = 0
osd pool default size = 3
osd pool default pg autoscale mode = off
"""
# What a client needs, and no more: as on a machine that is no part of the cluster.
CLIENT = """[global]
mon host = [v2:{address}:{port}]
keyring = {folder}/keyring
"""
# A client of this machine hears an answer of an OSD up to so many seconds late: rados bench and rbd
# know no rate, and as fast as they go they and the OSDs take every processor from other tests.
FAR = """ms inject delay type = osd
ms inject delay probability = 1
ms inject delay max = 0.05
"""
# An OSD that keeps its data on a disk, small enough for a test's. What it would check of its own
# files at each start takes most of a second of a processor.
ON_DISK = """
public addr = {address}
osd objectstore = bluestore
bluestore block db create = false
bluestore block wal create = false
bluefs alloc size = 65536
bluefs log replay check allocations = false
bluestore cache size = 67108864
osd memory target = 939524096
osd max object name len = 256
"""
OSD_RIGHTS = ("mon", "allow profile osd", "osd", "allow *", "mgr", "allow profile osd")
MDS_RIGHTS = ("mon", "allow profile mds", "osd", "allow rwx", "mds", "allow *")
FS_POOLS = ("fs_metadata", "fs_data")
TETHER = ("setpriv", "--pdeathsig", "KILL", "--")
LOOP = ("sh", "-c", 'while :; do "$@"; sleep 0.2; done', "sh")
CAPABILITIES: Mapping[str, Mapping[str, str]] = {
    "mon.": {"mon": "allow *"},
    "client.admin": {"mon": "allow *", "osd": "allow *", "mgr": "allow *"},
    "mgr.x": {"mon": "allow profile mgr", "osd": "allow *"},
} | {
    f"osd.{number}": {"mon": "allow profile osd", "osd": "allow *", "mgr": "allow profile osd"}
    for number in range(OSDS)
}


@dataclass
class Cluster:
    """A cluster that listens on one address of this machine; everything of it is in a temporary
    folder and gone after `stop`, or with this process."""

    address: str = "127.0.0.1"
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix=PREFIX)))
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    commands: Commands | None = None
    port: int = 0
    fsid: str = field(default_factory=lambda: str(uuid.uuid4()))
    _lock: FileLock = field(init=False)

    def start(self) -> None:
        """Make it, anew after `stop`, and wait until it is healthy."""
        remove_abandoned()
        self.folder.mkdir(exist_ok=True)
        self._lock = FileLock(self.folder / "lock").acquire()
        # Clients in a host in a box are root there, too; they read the keyring.
        self.folder.chmod(0o755)
        self.port = free_port(self.address)
        text = CONFIG.format(**self._words())
        self.config.write_text(text)
        for home in (self.home, self.folder / "crash"):
            home.mkdir()
        self.write_client_config(self.home, FAR)
        write_modules(self.folder / "modules")
        self._make_monitor()
        for number in range(OSDS):
            self._make_osd(number)
        self.wait_for(lambda: self._is("HEALTH_OK", OSDS))

    def stop(self) -> None:
        """End every daemon and remove the folder; does nothing the second time."""
        if not self.folder.exists():
            return
        if self.commands:
            self.commands.end()
        self.commands = None
        for process in self.daemons.values():
            process.kill()
        for process in self.daemons.values():
            process.wait(10)
        self.daemons.clear()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.release()

    @property
    def config(self) -> Path:
        """The daemons' ceph.conf."""
        return self.folder / "ceph.conf"

    @property
    def home(self) -> Path:
        """A home folder from which every Ceph program finds this cluster."""
        return self.folder / "home"

    def write_client_config(self, home: Path, more: str = "") -> None:
        """Make this cluster the one that Ceph programs find from this home (ceph-conf(8): after
        /etc/ceph/ceph.conf they look in ~/.ceph), with these options."""
        (home / ".ceph").mkdir(exist_ok=True)
        (home / ".ceph" / "ceph.conf").write_text(CLIENT.format(**self._words()) + more)

    def run(self, *argv: str) -> str:
        """What a Ceph program says. Raises RuntimeError with its error."""
        return run("env", f"CEPH_CONF={self.config}", *argv)

    def ceph(self, *words: str) -> Any:
        """The JSON answer of a `ceph` command. Raises RuntimeError with its error."""
        if words[0] == "tell":
            said = self.run("ceph", "--connect-timeout", "20", *words, "--format", "json")
        else:
            self.commands = self.commands or Commands(self.config)
            said = self.commands.ask(*words)
        return json.loads(said) if said.strip() else None

    def health(self) -> str:
        """HEALTH_OK, HEALTH_WARN or HEALTH_ERR."""
        return str(self.ceph("health")["status"])

    def osds_up(self) -> int:
        """How many OSDs are up."""
        return int(self.ceph("osd", "stat")["num_up_osds"])

    def pools(self) -> list[str]:
        """The names of all pools but the manager's own."""
        names = [pool["poolname"] for pool in self.ceph("osd", "lspools")]
        return [name for name in names if name != "device_health_metrics"]

    def delete_pools(self) -> None:
        """Delete what a failed test left, with the objects in it."""
        for pool in self.pools():
            self.ceph("osd", "pool", "delete", pool, pool, "--yes-i-really-really-mean-it")

    def objects(self, pool: str) -> list[str]:
        """Every object of a pool as "namespace<tab>name"."""
        return self.run("rados", "-p", pool, "ls", "--all").splitlines()

    def command(self, name: str) -> list[str]:
        """The command that runs a daemon in the foreground."""
        kind, _dot, identity = name.partition(".")
        more = ["--keyring", str(self.folder / name / "keyring")] if kind == "mds" else []
        return [f"ceph-{kind}", "-f", "-i", identity, *more]

    def end(self, name: str) -> None:
        """End a daemon in order."""
        process = self.daemons.pop(name)
        process.send_signal(signal.SIGTERM)
        process.wait(20)

    def start_again(self, name: str) -> None:
        """Start an ended daemon and wait until the cluster is healthy."""
        self._spawn(name)
        self.wait_for(lambda: self._is("HEALTH_OK", OSDS))

    def stop_osd(self, number: int) -> None:
        """End an OSD in order and wait until the cluster says that it is down."""
        self.end(f"osd.{number}")
        self.wait_for(lambda: self.osds_up() < OSDS and self.health() != "HEALTH_OK")

    def start_osd(self, number: int) -> None:
        """Start it again and wait until the cluster is healthy."""
        self.start_again(f"osd.{number}")

    def add_mds(self, name: str) -> None:
        """One MDS with a file system of its own, and wait until it is active."""
        self._make_file_system(name, size=OSDS)
        self.start_again(f"mds.{name}")

    def add_mds_in(self, box: NetnsHost, name: str, *, size: int) -> None:
        """One MDS in a host in a box; one that is killed is started again, as by systemd."""
        self._make_file_system(name, size=size)
        config = self.folder / f"mds.{name}.conf"
        config.write_text(f"{self.config.read_text()}\npublic addr = {box.network.address}\n")
        words = [*box.enter, *LOOP, "env", f"CEPH_CONF={config}", *self.command(f"mds.{name}")]
        self._start(f"mds.{name}", words)
        self.wait_for(lambda: self.health() == "HEALTH_OK" and self._has_active_mds())

    def _has_active_mds(self) -> bool:
        (row,) = self.ceph("fs", "dump")["filesystems"]
        return any(one["state"] == "up:active" for one in row["mdsmap"]["info"].values())

    def _make_file_system(self, name: str, *, size: int) -> None:
        """The keyring of an MDS, and a file system."""
        folder = self.folder / f"mds.{name}"
        folder.mkdir()
        key = self.ceph("auth", "get-or-create", f"mds.{name}", *MDS_RIGHTS)[0]["key"]
        (folder / "keyring").write_text(f"[mds.{name}]\n\tkey = {key}\n")
        for pool in FS_POOLS:
            self.ceph("osd", "pool", "create", pool, "8", "8")
            self.ceph("osd", "pool", "set", pool, "size", str(size))
        self.ceph("fs", "new", "fs", *FS_POOLS)

    def remove_mds(self, name: str) -> None:
        """End the MDS and delete its file system, keys and pools."""
        self.ceph("fs", "fail", "fs")
        self.ceph("fs", "rm", "fs", "--yes-i-really-mean-it")
        process = self.daemons.pop(f"mds.{name}")
        process.kill()
        process.wait(20)
        self.ceph("auth", "rm", f"mds.{name}")
        for pool in FS_POOLS:
            self.ceph("osd", "pool", "delete", pool, pool, "--yes-i-really-really-mean-it")
        shutil.rmtree(self.folder / f"mds.{name}")

    def _is(self, health: str, osds: int) -> bool:
        """Both in one question: starting `ceph` is what costs."""
        status = self.ceph("status")
        return (status["health"]["status"], status["osdmap"]["num_up_osds"]) == (health, osds)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until the condition holds. Raises RuntimeError with what the cluster says."""
        until = time.monotonic() + UP_SECONDS
        while not condition():
            if time.monotonic() > until:
                raise RuntimeError("The cluster: " + self.run("ceph", "status"))
            time.sleep(0.2)

    def add_osd(self, number: int, box: NetnsHost, device: str) -> None:
        """One more OSD, on a disk of a host in a box that is a client already, and wait for it. It
        ends with its box; one that is killed is started again, as by systemd.
        """
        before = self.osds_up()
        name, folder = str(uuid.uuid4()), self.folder / f"osd.{number}"
        made = self.ceph("osd", "new", name)["osdid"]
        assert made == number, made
        folder.mkdir()
        (folder / "block").symlink_to(device)
        config = self.folder / f"osd.{number}.conf"
        config.write_text(self.config.read_text() + ON_DISK.format(address=box.network.address))
        key = self.ceph("auth", "get-or-create", f"osd.{number}", *OSD_RIGHTS)[0]["key"]
        (folder / "keyring").write_text(f"[osd.{number}]\n\tkey = {key}\n")
        box.inside("env", f"CEPH_CONF={config}", "ceph-osd", "--mkfs", "-i", str(number),
                   "--osd-uuid", name, "--keyring", str(folder / "keyring"))  # fmt: skip
        words = ["ceph-osd", "-f", "-i", str(number), "--keyring", str(folder / "keyring")]
        self._start(f"osd.{number}", [*box.enter, *LOOP, "env", f"CEPH_CONF={config}", *words])
        self.wait_for(lambda: self.osds_up() > before)

    def _words(self) -> dict[str, Any]:
        names = ("address", "port", "folder", "fsid")
        return {name: getattr(self, name) for name in names}

    def _make_monitor(self) -> None:
        keyring, monmap = str(self.folder / "keyring"), str(self.folder / "monmap")
        self.run("ceph-authtool", "--create-keyring", keyring)
        for name, capabilities in CAPABILITIES.items():
            words = [word for pair in capabilities.items() for word in ("--cap", *pair)]
            self.run("ceph-authtool", keyring, "--gen-key", "-n", name, *words)
        place = f"[v2:{self.address}:{self.port}]"
        self.run("monmaptool", "--create", "--fsid", self.fsid, "--addv", "a", place, monmap)
        for name in ("mon.a", "mgr.x"):
            (self.folder / name).mkdir()
        self.run("ceph-mon", "--mkfs", "-i", "a", "--monmap", monmap, "--keyring", keyring)
        self._spawn("mon.a")
        self._spawn("mgr.x")

    def _make_osd(self, number: int) -> None:
        """The number is the cluster's choice: the lowest that is free."""
        name = str(uuid.uuid4())
        assert self.ceph("osd", "new", name)["osdid"] == number
        (self.folder / f"osd.{number}").mkdir()
        self.run("ceph-osd", "--mkfs", "-i", str(number), "--osd-uuid", name)
        self._spawn(f"osd.{number}")

    def _spawn(self, name: str) -> None:
        """A daemon that ends with this process, also when that is killed (setpriv(1))."""
        self._start(name, self.command(name))

    def _start(self, name: str, argv: list[str]) -> None:
        with (self.folder / f"{name}.out").open("ab") as output:
            self.daemons[name] = subprocess.Popen(
                [*TETHER, *argv],
                env={**os.environ, "CEPH_CONF": str(self.config)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )


def remove_abandoned() -> None:
    """Remove the folders of sessions that were killed: nobody holds their lock any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        # A folder without a lock may be one that is being made this moment.
        if not (folder / "lock").exists() or folder.stat().st_uid != os.geteuid():
            continue
        with contextlib.suppress(BusyError, OSError), FileLock(folder / "lock"):
            shutil.rmtree(folder, ignore_errors=True)


def missing() -> str:
    """Why no cluster can be made here, "" when one can."""
    lacking = [program for program in PROGRAMS if not shutil.which(program)]
    if not lacking:
        return ""
    packages = "ceph-mon, ceph-mgr, ceph-osd, ceph-common"
    return f"needs {', '.join(lacking)} (packages {packages})"
