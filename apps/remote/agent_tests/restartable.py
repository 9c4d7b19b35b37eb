"""A daemon of the harness's cluster in a loop that starts it again, as systemd does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from apps.remote.agent.ceph.daemons import is_ready, process_of, socket_command
from apps.remote.agent_tests.loops import alive, until
from tests.harness.ceph import TETHER, Cluster

LOOP = 'while :; do "$@"; done'
# Ends the daemon of this cluster alone: other clusters on this machine have one of that name too.
END = """
import os, signal, sys
config, (kind, name) = sys.argv[1], sys.argv[2].split(".")
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        words = open(f"/proc/{pid}/cmdline").read().split("\\0")
        around = open(f"/proc/{pid}/environ").read().split("\\0")
    except OSError:
        continue
    if words[:4] == ["ceph-" + kind, "-f", "-i", name] and "CEPH_CONF=" + config in around:
        try:
            os.kill(int(pid), signal.SIGTERM)
        except ProcessLookupError:
            pass
"""


class Restartable:
    """One daemon, stopped in the harness and started in a loop."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster, self.name = cluster, name
        self.kind = name.partition(".")[0]
        self.original = cluster.config.read_bytes()
        script = cluster.folder / "end.py"
        script.write_text(END)
        self.restart = [sys.executable, str(script), str(cluster.config), f"{self.kind}.{{id}}"]
        cluster.end(name)
        words = ["sh", "-c", LOOP, "sh", *TETHER, *cluster.command(name)]
        self.loop = subprocess.Popen(
            [*TETHER, *words],
            env={**os.environ, "CEPH_CONF": str(cluster.config)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait_until_healthy()

    def wait_until_healthy(self) -> None:
        """Wait until the daemon does its part and the cluster is healthy."""
        until(lambda: is_ready(self.kind, self.pid), 120)
        self.cluster.wait_for(
            lambda: self.cluster.osds_up() == 3 and self.cluster.health() == "HEALTH_OK"
        )

    def stop(self) -> None:
        """End loop and daemon; the harness starts the daemon again, with its file as before."""
        self.end_for_good()
        self.cluster.config.write_bytes(self.original)
        self.cluster.start_again(self.name)

    def end_for_good(self) -> None:
        """End the daemon, which nobody starts again until `stop`."""
        if self.loop.poll() is None:
            self.loop.send_signal(signal.SIGSTOP)
            pid = self.pid
            if pid:
                os.kill(pid, signal.SIGTERM)
                until(lambda: not alive(pid))
            self.loop.kill()
            self.loop.wait(10)

    @property
    def pid(self) -> int | None:
        return process_of(self.name, self.cluster.fsid)

    def option(self, name: str) -> str:
        pid = self.pid
        assert pid, "the daemon does not run"
        return str(socket_command(pid, {"prefix": "config get", "var": name})[name])
