"""Run a job's commands in order, with deadline, size limit and cancel."""

import contextlib
import os
import signal
import time
from functools import partial
from typing import Dict, List, Optional, Set, Tuple

from ..builtin_commands.table import BUILTIN_COMMANDS, CommandContext
from ..ceph import health_monitor
from ..errors import FolderError
from ..host.identity import command_environment, now
from ..limits.guard import GRACE_SECONDS as OWNER_GRACE_SECONDS
from ..limits.guard import OwnerGuard
from ..processes.job_folder import Job
from ..processes.start import spawn
from ..processes.tree import ATTEMPT_VARIABLE, POLL_SECONDS, TreeTermination, members
from ..schema import Command, EndReason, HostTimestamp, Spec
from ..targets.claimed import ClaimedTarget
from .companions import Companions
from .host_conditions import ConditionsReader
from .host_counters import LOG
from .results import clock_step, empty_exit, file_size, folder_size, signal_name
from .sampler import Sampler

CHECK_SECONDS = 0.5  # between checks of sizes and markers; the tool's end wakes at once
GRACE_SECONDS = 5.0
SIGNALS = {signal.SIGCHLD, signal.SIGTERM}


class Runner:
    """State of one run; `result` is the content of exit.json.

    `stopped`: a command failed or the job was ended, so that only `always` commands are left. These
    are limited only by their own `seconds`.
    """

    def __init__(self, job: Job, spec: Spec, companions: Companions) -> None:
        self.job = job
        self.spec = spec
        self.sampler = Sampler(job.path("device.log"), [], job.path(LOG))
        self.owner = OwnerGuard(job, spec)
        self.companions = companions
        self.adopts = False
        self.claimed: List[ClaimedTarget] = []
        self.environment = dict(command_environment(job.base), **{ATTEMPT_VARIABLE: job.attempt})
        self.pending: List[Tuple[int, Command]] = []
        self.current: Command
        self.started: HostTimestamp
        self.command_started = 0.0
        self.size_before = 0
        self.stopped = False
        self.ending: Optional[TreeTermination] = None
        self.statuses: Dict[int, int] = {}
        self.excluded: Set[int] = {os.getpid()}
        self.result = empty_exit()

    def run(self, commands: List[Command]) -> None:
        """Run every command until one fails or the job is ended; then the `always` commands."""
        self.pending = list(enumerate(commands))
        conditions = ConditionsReader()
        conditions.begin(self.sampler.names)
        self.sampler.begin()
        self.result["started"] = self.started = now()
        self.run_pending()
        self.sampler.end()
        self.result["conditions"] = conditions.end()
        self.result["clock_step"] = clock_step(self.started, self.result["ended"] or self.started)

    def run_pending(self) -> None:
        """Run the remaining commands."""
        while self.pending:
            number, command = self.pending.pop(0)
            if command["always"] or not self.stopped:
                self.run_command(number, command)
            if command["repeat"] and not self.stopped:
                self.pending.insert(0, (number, command))

    def run_command(self, number: int, command: Command) -> None:
        """Run one command and wait for all its processes, so that the next runs alone."""
        self.current, self.ending, self.command_started = command, None, time.monotonic()
        self.size_before = folder_size(self.job.folder) if command["always"] else 0
        before = self.output_sizes()
        pid = self.start(command["argv"])
        with contextlib.suppress(FolderError):  # a full folder ends no test
            self.job.write("command", number, durable=False)
        self.companions.begin(number, self.command_started)
        while pid not in self.statuses:
            self.pause()
        self.result["ended"] = ended = now()
        while self.has_processes():
            self.pause()
        if self.result["ran"][-1:] == [number]:
            self.forget_repeat(before)
        self.result["times"].append((self.command_started, ended["monotonic"]))
        self.record(number, self.statuses.pop(pid), before)

    def forget_repeat(self, before: Dict[str, int]) -> None:
        """Remove the record of the repeat before this one, whose start and output are now its own.

        A fast command repeats thousands of times, and exit.json is small.
        """
        for name in ("ran", "codes", "signals"):
            self.result[name].pop()
        self.command_started = self.result["times"].pop()[0]
        parts = self.result["parts"].pop()
        before.update(stdout=parts["stdout"][0], stderr=parts["stderr"][0])

    def start(self, argv: List[str]) -> int:
        """Start a program or a built-in command."""
        function = BUILTIN_COMMANDS.get(argv[0])
        body = (
            partial(function, argv[1:], CommandContext(self.environment, self.claimed))
            if function
            else None
        )
        return spawn(argv, self.job.folder, self.environment, body)

    def record(self, number: int, status: int, before: Dict[str, int]) -> None:
        """Store how a command ended, and whether the next ones run."""
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
            self.result["overdue"].append(number)
        self.stopped |= bool(self.ending) or (code != 0 and not self.current["may_fail"])

    def output_sizes(self) -> Dict[str, int]:
        """Return the sizes of stdout and stderr, which delimit a command's output."""
        return {name: file_size(self.job.path(name)) for name in ("stdout", "stderr")}

    def pause(self) -> None:
        """Sleep until a child ends or a check is due; then run all checks."""
        wake = (
            POLL_SECONDS
            if self.ending
            else min(CHECK_SECONDS, max(0.0, self.sampler.due - time.monotonic()))
        )
        received = signal.sigtimedwait(SIGNALS, wake)
        if received and received.si_signo == signal.SIGTERM:
            self.end_tree("cancelled")
        self.reap()
        self.sampler.tick()
        self.enforce()

    def reap(self) -> None:
        """Collect all ended children, including adopted orphans."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            self.statuses[pid] = status

    def has_processes(self) -> bool:
        """Return True if a process of the job still runs."""
        self.reap()
        if not self.adopts:
            return bool(members(self.job, self.excluded))
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return True
        except ChildProcessError:
            return False

    def enforce(self) -> None:
        """End the tree if a limit is reached; continue to end it."""
        if self.ending:
            self.ending.step()
            return
        if self.ended_by_owner():
            return
        if os.path.exists(self.job.path("cancel")):
            self.end_tree("cancelled")
        if self.overdue():
            self.end_tree("timed_out")
        elif self.pool_is_full():
            self.end_tree("pool_full")
        elif self.over_limit():
            self.end_tree("over_limit")

    def ended_by_owner(self) -> bool:
        """End the tree if the host's owner demands it.

        An `always` command, which removes what the job made, still runs within its own `seconds`.
        """
        if self.current["always"]:
            return False
        reason = self.owner.end_reason(self.started["monotonic"])
        if reason:
            self.result["owner_limit"] = reason
            self.stopped = True
            self.ending = TreeTermination(self.job, OWNER_GRACE_SECONDS, self.excluded)
            self.ending.step()
        return bool(reason)

    def overdue(self) -> bool:
        """Return True if the job's deadline, or the time of an `always` command, has passed."""
        monotonic = time.monotonic()
        if self.current["always"]:
            return monotonic - self.command_started > float(self.current["seconds"])
        started, deadline = self.started["monotonic"], self.spec["deadline"]
        return bool(deadline is not None and monotonic - started > deadline)

    def pool_is_full(self) -> bool:
        """Return True if the command writes to a full Ceph pool, where it would block forever."""
        pool = self.current["fills"]
        return bool(pool) and health_monitor.is_full(self.job.path(health_monitor.LOG), pool)

    def over_limit(self) -> bool:
        """Return True if the files are too large.

        For an `always` command the limit starts anew, since it may run because the limit was
        reached.
        """
        if self.spec["limit"] is None:
            return False
        allowed = float(self.spec["limit"]) + self.size_before
        return folder_size(self.job.folder) > allowed

    def end_tree(self, reason: EndReason) -> None:
        """Start to end the tree; the first reason is stored.

        A cancel does not end an `always` command, and its own timeout is no reason of the job.
        """
        always = self.current["always"]
        if not self.stopped and not self.ending and (reason == "cancelled" or not always):
            self.result[reason] = True
        self.stopped = True
        if self.ending is None and not (always and reason == "cancelled"):
            cancel = self.job.json("cancel")
            grace = (
                cancel.get("grace", GRACE_SECONDS) if isinstance(cancel, dict) else GRACE_SECONDS
            )
            self.ending = TreeTermination(
                self.job, GRACE_SECONDS if always else grace, self.excluded
            )
            self.ending.step()
