"""Write device.log and host.log: kernel counters once a second, on the tool's time axis."""

import contextlib
import json
import os
import time
from typing import List, Optional

from ..files import read_text, write_all
from .host_counters import HostCounters

INTERVAL = 1.0


class Sampler:
    """Samples `/sys/block/<name>/stat` (Documentation/block/stat.rst) between `begin` and `end`."""

    def __init__(self, path: str, names: List[str], host_path: str = "") -> None:
        self.path = path
        self.host_path = host_path
        self.host: Optional[HostCounters] = None
        self.host_fd: Optional[int] = None
        self.names = names
        self.fd: Optional[int] = None
        self.zero = 0.0
        self.due = float("inf")

    def begin(self) -> None:
        """Take the first sample immediately before the first command; its time is 0 s."""
        self.zero = time.monotonic()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        if self.names:
            self.fd = os.open(self.path, flags, 0o600)
        if self.host_path:
            self.host, self.host_fd = HostCounters(), os.open(self.host_path, flags, 0o600)
        if self.names or self.host_path:
            self.due = self.zero
            self.tick()

    def tick(self) -> None:
        """Sample if due. The next time is on the same grid, also after a late sample."""
        now = time.monotonic()
        if now < self.due:
            return
        self.sample()
        self.sample_host()
        self.due = self.zero + (int((now - self.zero) / INTERVAL) + 1) * INTERVAL

    def sample(self) -> None:
        """Write one line per disk. A full file system loses samples, not the job."""
        lines = []
        for name in self.names:
            text = read_text("/sys/block/{}/stat".format(name))
            if text is not None:
                seconds = round(time.monotonic() - self.zero, 6)
                entry = {"t": seconds, "name": name, "stat": [int(n) for n in text.split()]}
                lines.append(json.dumps(entry))
        try:
            if self.fd is not None and lines:
                write_all(self.fd, ("\n".join(lines) + "\n").encode())
        except OSError:
            pass

    def sample_host(self) -> None:
        """Write one line; lost if the file system is full."""
        if self.host is None or self.host_fd is None:
            return
        entry = {"t": round(time.monotonic() - self.zero, 6), "host": self.host.sample()}
        with contextlib.suppress(OSError):
            write_all(self.host_fd, (json.dumps(entry, separators=(",", ":")) + "\n").encode())

    def end(self) -> None:
        """Take the last sample after the last command."""
        self.sample()
        self.sample_host()
        for fd in (self.fd, self.host_fd):
            if fd is not None:
                os.close(fd)
        self.fd = self.host_fd = None
        self.due = float("inf")
