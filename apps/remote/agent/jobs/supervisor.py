"""Supervise one job from preflight to its exit file, in a daemon process."""

import contextlib
import os
import signal
import time
import traceback
from typing import Any, Dict, List, Optional

from ..disks.blocks import resolve
from ..disks.smart import smart_by_identity
from ..disturbance.lines import journal_lines
from ..errors import FolderError, RefusalError, TuningUnavailableError
from ..host.locks import DISK_INSPECTION, file_lock
from ..processes.job_folder import Job
from ..processes.start import adopt_orphans
from ..processes.tree import TreeTermination
from ..schema import Command, HeldStart, JournalSetting, RestoreResult, Spec
from ..targets.claimed import (
    ClaimedTarget,
    claim_targets,
    claimed_generic_devices,
    final_identities,
    fingerprints_after,
)
from ..targets.file_systems import reopen_read_only, use_mount_points
from ..targets.placeholders import fill_placeholders, passes_through
from ..tuning.carried import carry_over, hand_over, is_carry_requested, settle_carried
from ..tuning.effective import EffectiveSettings, disks_under_test
from ..tuning.filesystem_settings import FILESYSTEM
from ..tuning.journal import TuningJournal, deferred_lines, open_journal
from ..tuning.kinds import report_setting
from ..tuning.pinning import choose_cpus
from ..tuning.recovery import restore_ended_jobs, start_restorer
from ..tuning.restore import empty_result, restore_settings
from .companions import Companions
from .held_start import wait_for_start, wait_until
from .ports import refuse_used_ports
from .results import empty_tuning
from .runner import CHECK_SECONDS, SIGNALS, Runner


class CancelledError(Exception):
    """A cancel before the tool was started."""


def supervise(job: Job, spec: Spec, lock: int) -> None:
    """Run the supervisor. All processes started from here inherit the lock."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    os.set_inheritable(lock, True)
    supervisor = Supervisor(job, spec)
    supervisor.run()
    supervisor.release_claims()
    job.set_phase("done")


class Supervisor:
    """The steps of a job; each can refuse or be cancelled before the tool starts."""

    def __init__(self, job: Job, spec: Spec) -> None:
        self.job = job
        self.spec = spec
        self.claimed: List[ClaimedTarget] = []
        self.generic: List[str] = []
        self.cpus: List[List[str]] = []
        self.held_start: Optional[HeldStart] = None
        self.formatted = False
        self.journal: Optional[TuningJournal] = None
        # The ended job whose settings this one takes over; whether the next one takes them over.
        self.source: Optional[Job] = None
        self.carries = False
        self.tuning = empty_tuning()
        self.effective: Optional[EffectiveSettings] = None
        self.smart_before: Dict[str, Dict[str, Any]] = {}
        self.companions = Companions(job, spec)
        self.runner = Runner(job, spec, self.companions)

    def run(self) -> None:
        """Run every step; always restores the settings and writes one of the two last files."""
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

    def release_claims(self) -> None:
        """Close the targets before the lock, whose release marks the end of the job.

        The kernel first flushes a closed disk; the next claim must come after that.
        """
        for one in self.claimed:
            with contextlib.suppress(OSError):
                os.close(one.fd)
        self.runner.owner.finish()

    def prepare(self) -> None:
        """Run preflight, tuning and settling."""
        self.job.write("supervisor", os.getpid(), durable=False)
        self.runner.owner.begin()
        refuse_used_ports(self.spec["commands"])
        self.source = settle_carried(self.job, self.spec)
        if any(one["kind"] == FILESYSTEM for one in self.spec["tuning"]):
            # A file system left by a crash would count as a signature.
            restore_ended_jobs(self.job.base)
        self.claimed = self.runner.claimed = claim_targets(self.spec["targets"], self.job.base)
        if passes_through(self.spec["commands"]):
            self.generic = claimed_generic_devices(self.claimed)
        if self.spec["pin"]:
            self.cpus = choose_cpus(self.claimed, self.spec["pin"]["threads"])
        self.check_cancelled()
        if self.spec["tuning"] or self.spec["disturbance"]:
            self.job.set_phase("tuning")
            self.apply_tuning()
        self.effective = EffectiveSettings(self.claimed, self.journal)
        # Before the disks settle: these commands would disturb a measurement.
        self.smart_before = smart_by_identity(disks_under_test(self.claimed))
        self.companions.start(deferred_lines(self.journal), self.sleep)
        # After the restorer and the monitors were started: they must belong to init.
        self.runner.adopts = adopt_orphans()
        idle = self.spec["power"]["idle_seconds"] if self.spec["power"] else 0.0
        settle = max(self.spec["settle"], idle)
        if settle:
            self.job.set_phase("settling")
            self.sleep(settle)

    def apply_tuning(self) -> None:
        """Snapshot, journal, apply, read back.

        Raises: RefusalError or CancelledError, with the journal still open.
        """
        restore_ended_jobs(self.job.base, self.source)
        try:
            lines = journal_lines(self.spec)
            self.journal = open_journal(self.job, self.spec, lines, self.source)
        except TuningUnavailableError as error:
            if not self.spec["allow_untuned"]:
                raise
            self.tuning["unavailable"] = error.reasons
            return
        start_restorer(self.job, self.journal.record)
        if self.source:
            hand_over(self.source)
        for entries in self.journal.groups():
            self.check_cancelled()
            if entries[0]["kind"] == FILESYSTEM:
                self.make_file_systems(self.journal, entries)
            else:
                self.journal.apply(entries)
            self.tuning["applied"] += [report_setting(one, value=one["value"]) for one in entries]
        self.journal.verify()

    def make_file_systems(self, journal: TuningJournal, entries: List[JournalSetting]) -> None:
        """Create file systems on the disks under test, in which the commands work.

        The inspection lock is held until the mount, so that no other job claims a disk in between.
        Raises: RefusalError.
        """
        mine = [one for one in journal.settings if one["kind"] == FILESYSTEM]
        for one in mine:
            one["mount_point"] = self.job.path("files-" + one["uuid"][:8])
        with file_lock(self.job.base, DISK_INSPECTION):
            self.claimed = self.runner.claimed = reopen_read_only(self.claimed, entries)
            self.formatted = True
            journal.apply(entries)
        self.claimed = self.runner.claimed = use_mount_points(
            self.claimed, mine, self.spec["targets"]
        )

    def sleep(self, seconds: float) -> None:
        """Sleep; raises CancelledError on cancel."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            wait = min(CHECK_SECONDS, max(0.0, deadline - time.monotonic()))
            if signal.sigtimedwait({signal.SIGTERM}, wait):
                raise CancelledError
            self.check_cancelled()

    def check_cancelled(self) -> None:
        """Raise CancelledError on a cancel or a shutdown, RefusalError on the owner's stop file."""
        is_terminated = signal.SIGTERM in signal.sigpending()
        if is_terminated or os.path.exists(self.job.path("cancel")):
            raise CancelledError
        self.runner.owner.require_running()

    def measure(self) -> None:
        """Run the commands; then check that the settings kept their values."""
        commands = self.commands()
        self.job.write("argv.json", [item["argv"] for item in commands], durable=False)
        self.runner.sampler.names = self.sampled_disks()
        start_at = self.wait_for_start()
        self.job.set_phase("running")
        self.check_cancelled()
        wait_until(start_at)
        self.runner.run(commands)
        if self.effective:
            self.tuning["effective"] = self.effective.during()
        if self.journal:
            self.tuning["changed"] = self.journal.changed()
            ended = self.runner.result["cancelled"] and not self.tuning["changed"]
            self.carries = ended and is_carry_requested(self.job, self.spec)

    def wait_for_start(self) -> float:
        """Return the monotonic second to start at; 0.0 for a job that is not held."""
        if self.spec["hold"] is None:
            return 0.0
        start_at = wait_for_start(self.job, self.spec["hold"]["seconds"], self.sleep)
        self.held_start = {"start_at": start_at, "started_at": None}
        return start_at

    def commands(self) -> List[Command]:
        """Return the commands with present device paths and directories."""
        paths = [one.path for one in self.claimed]
        commands: List[Command] = [item.copy() for item in self.spec["commands"]]
        for one in commands:
            one["argv"] = fill_placeholders(one["argv"], paths, self.cpus, self.generic)
        return commands

    def sampled_disks(self) -> List[str]:
        """Return the names of the disks to sample: those of the targets and of `watch`."""
        # The block layer does not count commands on generic devices.
        blocks = [one.block for one in self.claimed if one.block and not self.generic]
        blocks += [block for identity in self.spec["watch"] for block in resolve(identity)]
        return list(dict.fromkeys(block.name for block in blocks))

    def restore_settings(self) -> None:
        """Restore the settings before the end of the job is visible, or leave them for the next."""
        outcome: RestoreResult = empty_result()
        if self.journal and self.carries:
            try:
                carry_over(self.journal, self.spec["carry"])
            except FolderError:
                self.carries = False
        if self.journal and not self.carries:
            self.job.set_phase("restoring")
            # From memory: the file may be incomplete.
            outcome = restore_settings(self.job, self.journal.record)
        self.tuning["restored"], self.tuning["failed"] = outcome["restored"], outcome["failed"]
        self.tuning["conflicts"] = outcome["conflicts"]
        self.tuning["unwritten"] = outcome["unwritten"]

    def fail(self, reason: str) -> None:
        """Handle an error of the agent: end all processes."""
        TreeTermination(self.job, 1.0, {os.getpid()}).run()
        self.runner.result["error"], self.carries = reason, False
        if self.runner.result["started"]:
            self.run_always_commands()
            self.finish()
        else:
            self.refuse(["Agent: it failed before anything was started. {}".format(reason)])

    def run_always_commands(self) -> None:
        """Run the `always` commands after an error of the agent."""
        self.runner.stopped = True
        with contextlib.suppress(Exception):
            self.runner.run_pending()

    def refuse(self, reasons: List[str]) -> None:
        """Write refused.json: no command was started."""
        self.companions.end()
        self.restore_settings()
        document = {"reasons": reasons, "tuning": self.tuning, **self.disk_fingerprints()}
        self.job.write_final("refused.json", document)

    def disk_fingerprints(self) -> Dict[str, object]:
        """Return the fingerprints of disks that were written to.

        None if a file system could not be removed yet, since removing it changes the disk again.
        """
        if not (self.formatted or self.runner.result["started"]):
            return {}
        if any(one["kind"] == FILESYSTEM for one in self.tuning["failed"]):
            return {"fingerprints": [None for _one in self.claimed]}
        return {"fingerprints": fingerprints_after(self.claimed, self.spec["targets"])}

    def finish(self) -> None:
        """Restore the settings, then write exit.json."""
        self.companions.end()
        fields = final_identities(self.claimed, not self.spec["has_target_list"])
        if self.held_start and self.runner.result["started"]:
            self.held_start["started_at"] = self.runner.result["started"]["monotonic"]
        self.restore_settings()
        fields.update(self.disk_fingerprints())
        if self.effective and not self.carries:
            self.tuning["effective"] = self.effective.after()
        if self.runner.result["started"]:
            fields["smart_before"] = self.smart_before
            fields["smart"] = smart_by_identity(disks_under_test(self.claimed))
        fields.update(cpus=self.cpus, held_start=self.held_start, tuning=self.tuning)
        result = dict(self.runner.result, **fields)
        self.job.write_final("exit.json", result)
