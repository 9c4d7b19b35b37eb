"""Running a job's commands in order: until the last process is gone, the deadline, the limit or a
cancel.
"""

import os
import signal
import time
from functools import partial
from typing import Dict, List, Optional, Set, Tuple

from ..ceph import watch as ceph_watch
from ..host.identity import command_environment, now
from ..own_commands.table import OWN_COMMANDS, Around
from ..shapes import Command, Moment, Reason, Spec
from ..targets.held import Held
from .job import Job
from .outcome import clock_step, file_size, folder_size, nothing_run, signal_name
from .processes import spawn
from .sampler import Sampler
from .tree import MARK, TICK, Ending, members

CHECK = 0.5  # seconds between looks at sizes and markers; the tool's end itself wakes us at once
GRACE = 5.0
SIGNALS = {signal.SIGCHLD, signal.SIGTERM}


class Runner:
    """The state of one run; `result` is what exit.json says.

    `stopped`: a command failed or the job was ended, so that only commands that are always run are
    still due. They are bounded by their own `seconds` alone.
    """

    def __init__(self, job: Job, spec: Spec, sampler: Sampler) -> None:
        self.job = job
        self.spec = spec
        self.sampler = sampler
        self.adopts = False
        self.held: List[Held] = []
        self.environment = dict(command_environment(job.base), **{MARK: job.attempt})
        self.left: List[Tuple[int, Command]] = []
        self.current: Command
        self.began: Moment
        self.since = 0.0
        self.size_before = 0
        self.stopped = False
        self.ending: Optional[Ending] = None
        self.statuses: Dict[int, int] = {}
        self.spare: Set[int] = {os.getpid()}
        self.result = nothing_run()

    def run(self, commands: List[Command]) -> None:
        """Every command, until one fails or the job is ended; then those that are always run."""
        self.left = list(enumerate(commands))
        self.sampler.begin()
        self.result["started"] = self.began = now()
        self.proceed()
        self.sampler.end()
        self.result["clock_step"] = clock_step(self.began, self.result["ended"] or self.began)

    def proceed(self) -> None:
        """Run the commands that are left."""
        while self.left:
            number, command = self.left.pop(0)
            if command["always"] or not self.stopped:
                self.one(number, command)

    def one(self, number: int, command: Command) -> None:
        """One command and all it leaves behind: the next must not start beside a writer."""
        self.current, self.ending, self.since = command, None, time.monotonic()
        self.size_before = folder_size(self.job.folder) if command["always"] else 0
        before = self.output_sizes()
        pid = self.start(command["argv"])
        while pid not in self.statuses:
            self.pause()
        self.result["ended"] = ended = now()
        while self.anybody_left():
            self.pause()
        self.result["times"].append((self.since, ended["monotonic"]))
        self.record(number, self.statuses.pop(pid), before)

    def start(self, argv: List[str]) -> int:
        """The process of a program, or of a command of the agent's own."""
        own = OWN_COMMANDS.get(argv[0])
        body = partial(own, argv[1:], Around(self.environment, self.held)) if own else None
        return spawn(argv, self.job.folder, self.environment, body)

    def record(self, number: int, status: int, before: Dict[str, int]) -> None:
        """Note how a command ended, and whether the ones after it are run."""
        signalled = os.WIFSIGNALED(status)
        code = None if signalled else os.WEXITSTATUS(status)
        after = self.output_sizes()
        self.result["ran"].append(number)
        self.result["codes"].append(code)
        self.result["signals"].append(signal_name(os.WTERMSIG(status)) if signalled else None)
        stdout = before["stdout"], after["stdout"]
        stderr = before["stderr"], after["stderr"]
        self.result["parts"].append({"stdout": stdout, "stderr": stderr})
        if self.ending and self.current["always"]:
            self.result["given_up"].append(number)
        self.stopped |= bool(self.ending) or (code != 0 and not self.current["may_fail"])

    def output_sizes(self) -> Dict[str, int]:
        """Offsets in stdout and stderr at which a command's own output begins or ends."""
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
        if os.path.exists(self.job.path("cancel")):
            self.end_because("cancelled")
        if self.overdue():
            self.end_because("timed_out")
        elif self.pool_is_full():
            self.end_because("pool_full")
        elif self.over_limit():
            self.end_because("over_limit")

    def overdue(self) -> bool:
        """Whether the job's deadline has passed, or what a command that is always run may take."""
        moment = time.monotonic()
        if self.current["always"]:
            return moment - self.since > float(self.current["seconds"])
        started, deadline = self.began["monotonic"], self.spec["deadline"]
        return bool(deadline is not None and moment - started > deadline)

    def pool_is_full(self) -> bool:
        """Whether the command writes into a Ceph pool that is full, so that it waits for ever."""
        pool = self.current["fills"]
        return bool(pool) and ceph_watch.is_full(self.job.path(ceph_watch.LOG), pool)

    def over_limit(self) -> bool:
        """Whether the files are too large; for a command that is always run the limit begins anew,
        as it may be there because the limit was reached.
        """
        if self.spec["limit"] is None:
            return False
        allowed = float(self.spec["limit"]) + self.size_before
        return folder_size(self.job.folder) > allowed

    def end_because(self, reason: Reason) -> None:
        """Begin to end the tree; the job's first reason stays. A cancel does not end a command that
        is always run, and what ends that one says nothing about the job.
        """
        always = self.current["always"]
        if not self.stopped and not self.ending and (reason == "cancelled" or not always):
            self.result[reason] = True
        self.stopped = True
        if self.ending is None and not (always and reason == "cancelled"):
            asked = self.job.json("cancel")
            grace = asked.get("grace", GRACE) if isinstance(asked, dict) else GRACE
            self.ending = Ending(self.job, GRACE if always else grace, self.spare)
            self.ending.step()
