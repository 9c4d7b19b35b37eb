"""Loop disks for tests: made by us, told apart by their backing file, and never anything else."""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Loop:
    """A loop device over a file of ours."""

    file: Path
    node: str

    @property
    def name(self) -> str:
        """The kernel's name."""
        return Path(self.node).name

    @property
    def identity(self) -> str:
        """As the agent makes it."""
        return f"loop:{Path('/etc/machine-id').read_text().strip()}:{self.file}"

    def target(self, **changes: Any) -> dict[str, object]:
        """The spec's target for this disk, written to."""
        size = self.file.stat().st_size
        return {
            "kind": "disk",
            "identity": self.identity,
            "size": size,
            "write": True,
            "allow_signatures": False,
            **changes,
        }

    def digest(self, size: int | None = None) -> str:
        """SHA-256 of its first `size` bytes, by default of everything on it, past every cache."""
        subprocess.run(["sync", str(self.file)], check=True)
        return hashlib.sha256(self.file.read_bytes()[:size]).hexdigest()

    def setting(self, name: str) -> str:
        """A queue setting as the kernel shows it; of the schedulers the chosen one."""
        text = Path(f"/sys/block/{self.name}/queue/{name}").read_text().strip()
        return text.split("[")[1].split("]")[0] if "[" in text else text

    def settings(self) -> dict[str, str]:
        """Every setting that can be lent."""
        names = ("scheduler", "nr_requests", "read_ahead_kb", "max_sectors_kb", "rq_affinity")
        return {name: self.setting(name) for name in names}

    def set(self, name: str, value: str) -> None:
        """Change a setting behind the agent's back."""
        Path(f"/sys/block/{self.name}/queue/{name}").write_text(value)

    def want(self, name: str, value: str | int) -> dict[str, object]:
        """A setting of a spec."""
        return {"kind": "queue", "identity": self.identity, "name": name, "value": value}

    def detach(self) -> None:
        """Free the device, if it still carries our file."""
        backing = Path(f"/sys/block/{self.name}/loop/backing_file")
        if backing.exists() and backing.read_text().strip().startswith(str(self.file)):
            until(lambda: subprocess.run(["losetup", "-d", self.node]).returncode == 0)
            until(lambda: not backing.exists())


def attach(file: Path, mebibytes: int, content: bytes = b"") -> Loop:
    """Make the file, with these first bytes, and a loop device with partitions over it."""
    with file.open("wb") as image:
        image.write(content)
        image.truncate(mebibytes << 20)
    loop = Loop(file, losetup(file))
    loop.set("scheduler", "none")  # A device keeps what whoever had it before set.
    loop.set("rq_affinity", "1")
    return loop


def losetup(file: Path) -> str:
    """The node of a fresh loop device; several tests may race for the first free one."""
    for _attempt in range(10):
        argv = ["losetup", "-P", "-f", "--show", str(file)]
        done = subprocess.run(argv, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.strip()
        time.sleep(0.1)
    raise AssertionError(done.stderr)


def partition_table(start: int = 2048, sectors: int = 32768) -> bytes:
    """A DOS partition table with one Linux partition; places count sectors of 512 bytes."""
    entry = bytes([0, 0, 0, 0, 0x83, 0, 0, 0])
    entry += start.to_bytes(4, "little") + sectors.to_bytes(4, "little")
    return bytes(446) + entry + bytes(48) + b"\x55\xaa"


def until(condition: Callable[[], Any], seconds: float = 60.0) -> Any:
    """Wait for something to become true, long enough for a busy machine; what it gave."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < seconds:
        value = condition()
        if value:
            return value
        time.sleep(min(0.01 + waited / 30, 0.1))
    raise AssertionError("it did not happen in time")


def alive(pid: int | str) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"
