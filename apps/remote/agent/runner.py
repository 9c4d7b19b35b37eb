"""Running a job's commands in order: until the last process is gone, the deadline, the limit or a
cancel.
"""

import os
import signal
import time
from typing import Dict, List, Optional, Set

from .files import JSON
from .host import command_environment, now
from .job import Job
from .processes import spawn
from .sampler import Sampler
from .tree import MARK, TICK, Ending, members

CHECK = 0.5  # seconds between looks at sizes and markers; the tool's end itself wakes us at once
GRACE = 5.0
SIGNALS = {signal.SIGCHLD, signal.SIGTERM}


class Runner:
    """The state of one run; `result` is what exit.json says."""

    def __init__(self, job: Job, spec: JSON, sampler: Sampler) -> None:
        self.job = job
        self.spec = spec
        self.sampler = sampler
        self.adopts = False
        self.environment = dict(command_environment(job.base), **{MARK: job.attempt})
        self.ending: Optional[Ending] = None
        self.statuses: Dict[int, int] = {}
        self.spare: Set[int] = {os.getpid()}
        self.result: JSON = {
            "codes": [],
            "signals": [],
            "parts": [],
            "started": None,
            "ended": None,
            "timed_out": False,
            "over_limit": False,
            "cancelled": False,
            "clock_step": 0.0,
        }

    def run(self, commands: List[List[str]]) -> None:
        """Every command, until one fails or the job is ended."""
        self.sampler.begin()
        self.result["started"] = now()
        for argv in commands:
            self.one(argv)
            if self.ending or self.result["codes"][-1] != 0:
                break
        self.sampler.end()
        self.result["clock_step"] = clock_step(self.result["started"], self.result["ended"])

    def one(self, argv: List[str]) -> None:
        """One command and all it leaves behind: the next must not start beside a writer."""
        before = self.output_sizes()
        pid = spawn(argv, self.job.folder, self.environment)
        while pid not in self.statuses:
            self.pause()
        self.result["ended"] = now()
        while self.anybody_left():
            self.pause()
        status = self.statuses[pid]
        signalled = os.WIFSIGNALED(status)
        self.result["codes"].append(None if signalled else os.WEXITSTATUS(status))
        self.result["signals"].append(signal_name(os.WTERMSIG(status)) if signalled else None)
        after = self.output_sizes()
        self.result["parts"].append({name: [before[name], after[name]] for name in before})

    def output_sizes(self) -> Dict[str, int]:
        """Where in stdout and stderr a command's own output begins or ends."""
        return {name: file_size(self.job.path(name)) for name in ("stdout", "stderr")}

    def pause(self) -> None:
        """Sleep until a child ends or something is due; then look after everything."""
        wake = TICK if self.ending else min(CHECK, max(0.0, self.sampler.due - time.monotonic()))
        received = signal.sigtimedwait(SIGNALS, wake)
        if received and received.si_signo == signal.SIGTERM:
            self.end_because("cancelled")
        self.reap()
        self.sampler.tick()
        self.enforce()

    def reap(self) -> None:
        """Collect every child that ended, adopted orphans too."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            self.statuses[pid] = status

    def anybody_left(self) -> bool:
        """Whether a process of the job still runs."""
        self.reap()
        if not self.adopts:
            return bool(members(self.job, self.spare))
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return True
        except ChildProcessError:
            return False

    def enforce(self) -> None:
        """End the tree when it is time, and go on ending it."""
        if self.ending:
            self.ending.step()
            return
        seconds = time.monotonic() - self.result["started"]["monotonic"]
        if os.path.exists(self.job.path("cancel")):
            self.end_because("cancelled")
        elif self.spec["deadline"] is not None and seconds > self.spec["deadline"]:
            self.end_because("timed_out")
        elif self.spec["limit"] is not None and folder_size(self.job.folder) > self.spec["limit"]:
            self.end_because("over_limit")

    def end_because(self, reason: str) -> None:
        """Begin to end the tree; the first reason stays."""
        if self.ending is None:
            self.result[reason] = True
            asked = self.job.json("cancel")
            grace = asked.get("grace", GRACE) if isinstance(asked, dict) else GRACE
            self.ending = Ending(self.job, grace, self.spare)
            self.ending.step()


def clock_step(begin: Dict[str, float], end: Dict[str, float]) -> float:
    """Seconds by which the wall clock was set during the run: what it advanced more than the steady
    one.
    """
    wall = end["realtime"] - begin["realtime"]
    return round(wall - (end["monotonic"] - begin["monotonic"]), 6)


def signal_name(number: int) -> str:
    """SIGKILL rather than 9; the number for a real-time signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def file_size(path: str) -> int:
    """Bytes; 0 for a file that is not there."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def folder_size(path: str) -> int:
    """Bytes of all files directly in a folder."""
    return sum(file_size(os.path.join(path, name)) for name in os.listdir(path))
