"""One job from preflight to its exit file, in a process that belongs to nobody."""

import contextlib
import os
import signal
import time
import traceback
from typing import Dict, List, Optional

from ..ceph.watch import HealthWatch
from ..disks.blocks import resolve
from ..disks.smart import worn
from ..errors import FolderError, ImpossibleError, RefusalError
from ..host.locks import LOOKING, locked
from ..shapes import Command, JournalSetting, Outcome, Released, Spec, Tuned
from ..targets.files import in_files, set_free
from ..targets.held import Held, left_behind, seen_at_the_end, take
from ..tuning.filesystem_settings import FILESYSTEM
from ..tuning.giving_back import give_back, nothing
from ..tuning.in_force import InForce, disks_of
from ..tuning.kinds import told
from ..tuning.loan import Loan, borrow
from ..tuning.pinning import chosen_cpus
from ..tuning.recovery import recover_all, start_keeper
from .holding import wait_for_release, wait_until
from .host_counters import LOG
from .job import Job
from .listening import refuse_taken
from .processes import adopt_orphans
from .runner import SIGNALS, Runner
from .sampler import Sampler
from .tree import Ending
from .words import filled


class CancelledError(Exception):
    """A cancel came before the tool was started."""


def supervise(job: Job, spec: Spec, lock: int) -> None:
    """The supervisor's whole life. The lock is inherited by everything that is started from here
    on.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    os.set_inheritable(lock, True)
    boss = Supervisor(job, spec)
    boss.run()
    boss.let_go()
    job.set_phase("done")


class Supervisor:
    """The steps; each can refuse or be cancelled before the tool starts."""

    def __init__(self, job: Job, spec: Spec) -> None:
        self.job = job
        self.spec = spec
        self.held: List[Held] = []
        self.cpus: List[List[str]] = []
        self.released: Optional[Released] = None
        self.formatted = False
        self.loan: Optional[Loan] = None
        self.health: Optional[HealthWatch] = None
        self.tuning: Tuned = {
            "applied": [],
            "changed": [],
            "restored": [],
            "conflicts": [],
            "failed": [],
            "left_out": [],
            "in_force": [],
        }
        self.in_force: Optional[InForce] = None
        self.runner = Runner(job, spec, Sampler(job.path("device.log"), [], job.path(LOG)))

    def run(self) -> None:
        """Every step; whatever happens, settings go back and one of the two last files is
        written.
        """
        try:
            self.prepare()
            self.measure()
        except RefusalError as refusal:
            self.refuse(refusal.reasons)
        except CancelledError:
            self.runner.result["cancelled"] = True
            self.finish()
        except FolderError as error:
            self.fail(str(error))
        except Exception:
            self.fail(traceback.format_exc())
        else:
            self.finish()

    def let_go(self) -> None:
        """The targets, before the lock, which goes with the process and says that the job is over:
        the kernel first writes what it holds of a disk, and nobody can claim it meanwhile.
        """
        for one in self.held:
            with contextlib.suppress(OSError):
                os.close(one.fd)

    def prepare(self) -> None:
        """Preflight, tuning and settling."""
        self.job.write("supervisor", os.getpid(), durable=False)
        refuse_taken(self.spec["commands"])
        if any(one["kind"] == FILESYSTEM for one in self.spec["tuning"]):
            recover_all(self.job.base)  # else one that a crash left is a signature on its disk
        self.held = self.runner.held = take(self.spec["targets"], self.job.base)
        if self.spec["pin"]:
            self.cpus = chosen_cpus(self.held, self.spec["pin"]["threads"])
        self.heed_cancel()
        if self.spec["tuning"]:
            self.job.set_phase("tuning")
            self.borrow()
        self.in_force = InForce(self.held, self.loan)
        if self.spec["ceph"]:
            self.health = HealthWatch(self.job)
        # After keeper and watch were started: they must belong to init, not to this process.
        self.runner.adopts = adopt_orphans()
        if self.spec["settle"]:
            self.job.set_phase("settling")
            self.sleep(self.spec["settle"])

    def borrow(self) -> None:
        """Snapshot, journal, apply, read back. Raises RefusalError or CancelledError, with the loan
        still open.
        """
        recover_all(self.job.base)
        try:
            self.loan = borrow(self.job, self.spec)
        except ImpossibleError as impossible:
            if not self.spec["as_found"]:
                raise
            self.tuning["left_out"] = impossible.reasons
            return
        start_keeper(self.job, self.loan.record)
        for entries in self.loan.groups():
            self.heed_cancel()
            if entries[0]["kind"] == FILESYSTEM:
                self.make_files(self.loan, entries)
            else:
                self.loan.apply(entries)
            self.tuning["applied"] += [told(one, value=one["value"]) for one in entries]
        self.loan.settle()

    def make_files(self, loan: Loan, entries: List[JournalSetting]) -> None:
        """File systems on the disks under test, in which the commands work. No other job of the
        agent claims a disk between the claim that ends here and the mount. Raises RefusalError.
        """
        mine = [one for one in loan.settings if one["kind"] == FILESYSTEM]
        for one in mine:
            one["at"] = self.job.path("files-" + one["uuid"][:8])
        with locked(self.job.base, LOOKING):
            self.held = self.runner.held = set_free(self.held, entries)
            self.formatted = True
            loan.apply(entries)
        self.held = self.runner.held = in_files(self.held, mine, self.spec["targets"])

    def sleep(self, seconds: float) -> None:
        """Wait, but not for a cancel."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if signal.sigtimedwait({signal.SIGTERM}, max(0.0, until - time.monotonic())):
                raise CancelledError
            self.heed_cancel()

    def heed_cancel(self) -> None:
        """Raises CancelledError when somebody asked for it, or the host is shutting down."""
        asked = signal.SIGTERM in signal.sigpending()
        if asked or os.path.exists(self.job.path("cancel")):
            raise CancelledError

    def measure(self) -> None:
        """Run the commands; then look whether the conditions held."""
        commands = self.commands()
        self.job.write("argv.json", [item["argv"] for item in commands], durable=False)
        self.runner.sampler.names = self.watched()
        at = self.hold()
        self.job.set_phase("running")
        self.heed_cancel()
        wait_until(at)
        self.runner.run(commands)
        if self.in_force:
            self.tuning["in_force"] = self.in_force.during()
        if self.loan:
            self.tuning["changed"] = self.loan.changed()

    def hold(self) -> float:
        """The monotonic second to start at: the one a held job was released for, or at once."""
        if self.spec["hold"] is None:
            return 0.0
        at = wait_for_release(self.job, self.spec["hold"]["seconds"], self.sleep)
        self.released = {"at": at, "started": None}
        return at

    def commands(self) -> List[Command]:
        """The commands with their exact arguments: today's nodes and directories in them."""
        places = [one.place for one in self.held]
        commands: List[Command] = [item.copy() for item in self.spec["commands"]]
        for one in commands:
            one["argv"] = filled(one["argv"], places, self.cpus)
        return commands

    def watched(self) -> List[str]:
        """Names of the disks to sample: the targets' own, and those asked for."""
        blocks = [one.block for one in self.held if one.block]
        blocks += [block for identity in self.spec["watch"] for block in resolve(identity)]
        return list(dict.fromkeys(block.name for block in blocks))

    def give_back(self) -> None:
        """The loan, before anything says that the job is over."""
        outcome: Outcome = nothing()
        if self.loan:
            self.job.set_phase("restoring")
            # As it is remembered here: its file may not have been written to the end.
            outcome = give_back(self.job, self.loan.record)
        self.tuning["restored"], self.tuning["failed"] = outcome["restored"], outcome["failed"]
        self.tuning["conflicts"] = outcome["conflicts"]
        self.tuning["unwritten"] = outcome["unwritten"]

    def fail(self, why: str) -> None:
        """An error of the agent itself: nothing may go on unwatched."""
        Ending(self.job, 1.0, {os.getpid()}).run()
        self.runner.result["error"] = why
        if self.runner.result["started"]:
            self.tidy()
            self.finish()
        else:
            self.refuse(["Agent: it failed before anything was started. {}".format(why)])

    def tidy(self) -> None:
        """After an error of the agent: what is always run is run even so, if it can be."""
        self.runner.stopped = True
        with contextlib.suppress(Exception):
            self.runner.proceed()

    def end_watch(self) -> None:
        """Nobody writes into the job's folder any more once its last file is there."""
        watch, self.health = self.health, None
        with contextlib.suppress(OSError):  # settings go back whatever became of it
            if watch:
                watch.end()

    def refuse(self, reasons: List[str]) -> None:
        """Nothing was started, and this is why."""
        self.end_watch()
        self.give_back()
        said = {"reasons": reasons, "tuning": self.tuning, **self.left_on_disks()}
        self.job.write_at_last("refused.json", said)

    def left_on_disks(self) -> Dict[str, object]:
        """The content of disks that were written to. Where a file system could not be taken away
        yet nobody knows it: whoever takes it away changes it again.
        """
        if not (self.formatted or self.runner.result["started"]):
            return {}
        if any(one["kind"] == FILESYSTEM for one in self.tuning["failed"]):
            return {"fingerprints": [None for _one in self.held]}
        return {"fingerprints": left_behind(self.held, self.spec["targets"])}

    def finish(self) -> None:
        """Settings first; then the reserve, so that a full file system can hold exit.json."""
        self.end_watch()
        seen = seen_at_the_end(self.held, not self.spec["several"])
        if self.released and self.runner.result["started"]:
            self.released["started"] = self.runner.result["started"]["monotonic"]
        self.give_back()
        seen.update(self.left_on_disks())
        if self.in_force:
            self.tuning["in_force"] = self.in_force.after()
        if self.runner.result["started"]:
            seen["smart"] = worn(disks_of(self.held))
        seen.update(cpus=self.cpus, released=self.released, tuning=self.tuning)
        result = dict(self.runner.result, **seen)
        self.job.write_at_last("exit.json", result)
