"""CPU time of the agent's processes on this machine, read from the kernel while they run."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path

NANOSECONDS = 1e9


@dataclass
class AgentUsage:
    """CPU seconds of every process that runs the agent in `base`; look() as often as you like.

    A process counts from the first look on, or from its start when it began later. The supervisor
    is the tool's parent.
    """

    base: Path
    began: dict[int, float] = field(default_factory=dict)
    last: dict[int, float] = field(default_factory=dict)
    supervisors: set[int] = field(default_factory=set)
    looked: bool = False

    def look(self) -> None:
        """Note what each process has used so far."""
        for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
            with contextlib.suppress(OSError):
                self._look_at(pid)
        self.looked = True

    def _look_at(self, pid: int) -> None:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        if command.startswith(b"fio\0") and self._works_here(pid):
            self.supervisors.add(parent(pid))
        if str(self.base / "agent-").encode() not in command:
            return
        used = cpu_seconds(pid)
        self.began.setdefault(pid, 0.0 if self.looked else used)
        self.last[pid] = used

    def _works_here(self, pid: int) -> bool:
        return Path(os.readlink(f"/proc/{pid}/cwd")).is_relative_to(self.base)

    @property
    def total(self) -> float:
        """CPU seconds of all of them."""
        return sum(self.last[pid] - self.began[pid] for pid in self.last)

    @property
    def supervisor(self) -> float:
        """CPU seconds of the process that watches the tool."""
        known = self.supervisors & self.last.keys()
        return sum(self.last[pid] - self.began[pid] for pid in known)


def cpu_seconds(pid: int) -> float:
    """utime + stime of a process, in the kernel's own nanoseconds where it gives them
    (Documentation/scheduler/sched-stats.rst), else in clock ticks (proc(5))."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / NANOSECONDS
    fields = stat_fields(Path(f"/proc/{pid}/stat").read_text())
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def parent(pid: int) -> int:
    """The parent's pid."""
    return int(stat_fields(Path(f"/proc/{pid}/stat").read_text())[1])


def stat_fields(line: str) -> list[str]:
    """proc(5) stat from the third field on: the second, the name, may itself hold anything."""
    return line.rpartition(")")[2].split()
