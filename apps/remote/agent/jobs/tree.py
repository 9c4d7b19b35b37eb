"""A job's processes: found by the lock they inherited, never by name; ended, and proven gone."""

import os
import signal
import time
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

from ..files import read_text
from ..shapes import Survivor
from .job import Job

MARK = "BENCHLAB_ATTEMPT"
PATIENCE = 5.0  # seconds after KILL; what is left then hangs in the kernel
TICK = 0.05
Member = NamedTuple("Member", [("pid", int), ("parent", int), ("state", str), ("name", str)])


def process(pid: int) -> Optional[Member]:
    """A living process (proc(5), /proc/pid/stat); None for one that is gone or only waits to be
    reaped.
    """
    text = read_text("/proc/{}/stat".format(pid))
    if not text:
        return None
    # The name is in parentheses and may itself hold blanks and parentheses.
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    if fields[0] in "ZX":
        return None
    return Member(pid, int(fields[1]), fields[0], head.partition("(")[2])


def processes() -> Dict[int, Member]:
    """Every living process of the host but this one."""
    found = {}
    for name in os.listdir("/proc"):
        member = process(int(name)) if name.isdigit() and int(name) != os.getpid() else None
        if member:
            found[member.pid] = member
    return found


def holds(pid: int, lock: Tuple[int, int]) -> bool:
    """Whether a process has the lock file open for writing. Those who only wait for it opened it to
    read.
    """
    folder = "/proc/{}".format(pid)
    try:
        names = os.listdir(os.path.join(folder, "fd"))
    except OSError:
        return False  # it ended while we looked
    return any(
        is_file(os.path.join(folder, "fd", name), lock) and is_writable(folder, name)
        for name in names
    )


def is_file(path: str, wanted: Tuple[int, int]) -> bool:
    """Whether a path leads to this device and inode. One descriptor that was closed while we looked
    says nothing about the others.
    """
    try:
        found = os.stat(path)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == wanted


def is_writable(process: str, fd: str) -> bool:
    """The access mode of another process's descriptor (proc(5), fdinfo: flags in octal), by the
    process's folder in /proc.
    """
    for line in (read_text("{}/fdinfo/{}".format(process, fd)) or "").splitlines():
        if line.startswith("flags:"):
            return int(line.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY
    return False


def is_marked(pid: int, mark: bytes) -> bool:
    """Whether a process was started with the job's mark: finds those that closed every
    descriptor.
    """
    try:
        with open("/proc/{}/environ".format(pid), "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False


def supervisor(job: Job) -> Optional[int]:
    """The supervisor's process id while it lives: it must also still hold the lock."""
    text = job.text("supervisor") or ""
    lock = lock_file(job)
    if text.isdigit() and lock and int(text) != os.getpid() and holds(int(text), lock):
        return int(text)
    return None


def lock_file(job: Job) -> Optional[Tuple[int, int]]:
    """Device and inode of the lock."""
    try:
        found = os.stat(job.path("lock"))
    except OSError:
        return None
    return found.st_dev, found.st_ino


def members(job: Job, spare: Optional[Set[int]] = None) -> List[Member]:
    """The job's processes and all their descendants, without this process and those to spare."""
    lock, mark = lock_file(job), "{}={}".format(MARK, job.attempt).encode()
    everyone = processes()
    found = {p for p in everyone if (lock and holds(p, lock)) or is_marked(p, mark)}
    if spare and os.getpid() in spare:
        found.add(os.getpid())
    found |= descendants(everyone, found)
    return [everyone[p] for p in sorted(found - (spare or set())) if p in everyone]


def descendants(everyone: Dict[int, Member], roots: Set[int]) -> Set[int]:
    """Everything below some processes."""
    found = set(roots)
    size = -1
    while size != len(found):
        size = len(found)
        found |= {m.pid for m in everyone.values() if m.parent in found}
    return found


class Ending:
    """Sends TERM, INT and KILL to a job's processes, `grace` seconds between two signals.

    The time of a signal counts from its first delivery: a machine that stands still for a while
    skips no signal, and nothing is given up before KILL had `PATIENCE` seconds.
    """

    SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)

    def __init__(self, job: Job, grace: float, spare: Set[int]) -> None:
        self.job = job
        self.grace = grace
        self.spare = spare
        self.sent: Set[Tuple[int, int]] = set()
        self.stage = 0
        self.stage_began: Optional[float] = None

    def next_signal(self) -> signal.Signals:
        """Return the signal to send now, and begin its stage."""
        now = time.monotonic()
        if self.stage_began is None:
            self.stage_began = now
        elif self.stage + 1 < len(self.SIGNALS) and now >= self.stage_began + self.grace:
            self.stage += 1
            self.stage_began = now
        return self.SIGNALS[self.stage]

    def is_given_up(self) -> bool:
        """Return whether KILL was sent `PATIENCE` seconds ago."""
        return (
            self.SIGNALS[self.stage] == signal.SIGKILL
            and self.stage_began is not None
            and time.monotonic() > self.stage_began + PATIENCE
        )

    def step(self) -> List[Member]:
        """Send the present signal to every process that has not had it; return those that live."""
        left = members(self.job, self.spare)
        number = self.next_signal()
        for member in left:
            if (member.pid, number) not in self.sent or number == signal.SIGKILL:
                self.sent.add((member.pid, number))
                deliver(member.pid, number)
        return left

    def run(self) -> List[Survivor]:
        """Return the processes that survived KILL; none is the proof that all are gone."""
        while True:
            left = self.step()
            if not left or self.is_given_up():
                return [{"pid": m.pid, "state": m.state, "name": m.name} for m in left]
            time.sleep(TICK)


def deliver(pid: int, number: signal.Signals) -> None:
    """kill(2); a stopped process is continued, else it could not react to anything but KILL."""
    try:
        os.kill(pid, number)
        if number != signal.SIGKILL:
            os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        pass
