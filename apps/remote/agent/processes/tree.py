"""Find and end a job's processes: by the inherited lock, never by name."""

import os
import signal
import time
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

from ..files import read_text
from ..schema import Survivor
from .job_folder import Job

ATTEMPT_VARIABLE = "BENCHLAB_ATTEMPT"
KILL_TIMEOUT_SECONDS = 5.0  # after KILL; remaining processes hang in the kernel
POLL_SECONDS = 0.05
Member = NamedTuple("Member", [("pid", int), ("parent", int), ("state", str), ("name", str)])


def read_process(pid: int) -> Optional[Member]:
    """Return a living process (proc(5), /proc/pid/stat); None if it is gone or a zombie."""
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
    """Return every living process of the host except this one."""
    result = {}
    for name in os.listdir("/proc"):
        member = read_process(int(name)) if name.isdigit() and int(name) != os.getpid() else None
        if member:
            result[member.pid] = member
    return result


def holds_lock(pid: int, lock: Tuple[int, int]) -> bool:
    """Return True if a process has the lock file open for writing; waiters open it read-only."""
    folder = "/proc/{}".format(pid)
    try:
        names = os.listdir(os.path.join(folder, "fd"))
    except OSError:
        return False  # the process ended meanwhile
    return any(
        is_file(os.path.join(folder, "fd", name), lock) and is_writable(folder, name)
        for name in names
    )


def is_file(path: str, wanted: Tuple[int, int]) -> bool:
    """Return True if a path leads to this device and inode.

    A descriptor closed meanwhile says nothing about others.
    """
    try:
        state = os.stat(path)
    except OSError:
        return False
    return (state.st_dev, state.st_ino) == wanted


def is_writable(process: str, fd: str) -> bool:
    """Return True if a process has a descriptor open for writing (proc(5), fdinfo)."""
    for line in (read_text("{}/fdinfo/{}".format(process, fd)) or "").splitlines():
        if line.startswith("flags:"):
            return int(line.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY
    return False


def is_marked(pid: int, mark: bytes) -> bool:
    """Return True if a process has the job's variable; finds those that closed every descriptor."""
    try:
        with open("/proc/{}/environ".format(pid), "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False


def supervisor(job: Job) -> Optional[int]:
    """Return the supervisor's PID while it holds the lock."""
    text = job.text("supervisor") or ""
    lock = lock_identity(job)
    if text.isdigit() and lock and int(text) != os.getpid() and holds_lock(int(text), lock):
        return int(text)
    return None


def lock_identity(job: Job) -> Optional[Tuple[int, int]]:
    """Return device and inode of the lock."""
    try:
        state = os.stat(job.path("lock"))
    except OSError:
        return None
    return state.st_dev, state.st_ino


def members(job: Job, excluded: Optional[Set[int]] = None) -> List[Member]:
    """Return the job's processes and their descendants, without this one and `excluded`."""
    lock, mark = lock_identity(job), "{}={}".format(ATTEMPT_VARIABLE, job.attempt).encode()
    everyone = processes()
    result = {p for p in everyone if (lock and holds_lock(p, lock)) or is_marked(p, mark)}
    if excluded and os.getpid() in excluded:
        result.add(os.getpid())
    result |= descendants(everyone, result)
    return [everyone[p] for p in sorted(result - (excluded or set())) if p in everyone]


def descendants(everyone: Dict[int, Member], roots: Set[int]) -> Set[int]:
    """Return all descendants of some processes, including them."""
    result = set(roots)
    size = -1
    while size != len(result):
        size = len(result)
        result |= {m.pid for m in everyone.values() if m.parent in result}
    return result


class TreeTermination:
    """Send TERM, INT and KILL to a job's processes, `grace` seconds apart.

    Each signal's time counts from its first delivery, so a stalled machine skips no signal and KILL
    always has KILL_TIMEOUT_SECONDS.
    """

    SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)

    def __init__(self, job: Job, grace: float, excluded: Set[int]) -> None:
        self.job = job
        self.grace = grace
        self.excluded = excluded
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

    def has_kill_timed_out(self) -> bool:
        """Return True if KILL was sent KILL_TIMEOUT_SECONDS ago."""
        return (
            self.SIGNALS[self.stage] == signal.SIGKILL
            and self.stage_began is not None
            and time.monotonic() > self.stage_began + KILL_TIMEOUT_SECONDS
        )

    def step(self) -> List[Member]:
        """Send the present signal to processes that have not had it; return the living ones."""
        left = members(self.job, self.excluded)
        number = self.next_signal()
        for member in left:
            if (member.pid, number) not in self.sent or number == signal.SIGKILL:
                self.sent.add((member.pid, number))
                send_signal(member.pid, number)
        return left

    def run(self) -> List[Survivor]:
        """Return the processes that survived KILL; an empty list proves that all are gone."""
        while True:
            left = self.step()
            if not left or self.has_kill_timed_out():
                return [{"pid": m.pid, "state": m.state, "name": m.name} for m in left]
            time.sleep(POLL_SECONDS)


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal; continue a stopped process, which otherwise reacts only to KILL."""
    try:
        os.kill(pid, number)
        if number != signal.SIGKILL:
            os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        pass
