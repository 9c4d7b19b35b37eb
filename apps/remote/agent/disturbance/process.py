"""Disturb a cluster or an array during a job, and write disturbance.log.

A separate process acts and looks each second, since `ceph` may hang. It belongs to init and holds
neither the job's lock nor its claims. When the supervisor ends it, the supervisor restores from
the journal; when the supervisor is gone, the process restores by itself.
"""

import contextlib
import json
import os
import select
import signal
import time
from typing import Any, Dict, List, Optional, Union

from ..ceph.ceph_cli import CephError
from ..ceph.mon_connection import MonConnection
from ..errors import AgentError
from ..host.identity import command_environment
from ..host.locks import TUNING, file_lock
from ..processes.job_folder import Job
from ..processes.start import daemonize
from ..schema import Disturbance, JournalSetting
from ..tuning.md_settings import ArraySource, MdKind
from ..tuning.osd_settings import OsdKind, require_cluster, send
from .cluster_state import ClusterSource
from .request import DEEP_SCRUB, MD_FAIL
from .scrub import all_scrubbed_since, scrub_stamps
from .timeline import ABORT, DISTURB, DONE, RESTORE, Timeline

LOG = "disturbance.log"
INTERVAL_SECONDS = 1.0
SCRUB_SECONDS = 5.0  # between two lists of all placement groups of a pool
CONNECT_SECONDS, TIMEOUT_SECONDS = "5", 15.0
# A silent cluster: what a client sees meanwhile is unknown, so nothing more is risked.
SILENT_SECONDS = 30.0
# An act that is under way is finished: until it is killed.
STOP_SECONDS = 90.0
MAX_TEXT_LENGTH = 300
END = b"end"
SILENT = "the cluster has not answered for {:.0f} seconds ({})"
STOPPED_EARLY = "the job ended before the disturbance"


class Disturber:
    """The supervisor's handle of the process."""

    def __init__(self, job: Job, wanted: Disturbance, lines: List[JournalSetting]) -> None:
        self.command = wanted["command"]
        pid_reader, pid_writer = os.pipe()
        order_reader, self.orders = os.pipe()
        body = DisturberProcess(job, wanted, lines, order_reader, pid_writer).run
        daemonize(body, [order_reader, pid_writer], job.path("agent.log"))
        os.close(order_reader)
        os.close(pid_writer)
        self.pid_reader = pid_reader
        text = os.read(pid_reader, 32)
        self.pid: Optional[int] = int(text) if text else None

    def begin(self, monotonic: float) -> None:
        """Start the timeline: the load began at this second."""
        with contextlib.suppress(OSError):
            os.write(self.orders, "{!r}\n".format(monotonic).encode())

    def end(self) -> None:
        """End the process, after an act that is under way; then nothing disturbs any more."""
        with contextlib.suppress(OSError):
            os.write(self.orders, END + b"\n")
        os.close(self.orders)
        ended = select.select([self.pid_reader], [], [], STOP_SECONDS)[0]
        if not ended and self.pid:
            os.killpg(self.pid, signal.SIGKILL)
            select.select([self.pid_reader], [], [], 1.0)
        os.close(self.pid_reader)


class DisturberProcess:
    """The process itself."""

    def __init__(
        self,
        job: Job,
        wanted: Disturbance,
        lines: List[JournalSetting],
        orders: int,
        pid_writer: int,
    ) -> None:
        self.job = job
        self.wanted = wanted
        self.lines = lines
        self.orders = orders
        self.pid_writer = pid_writer
        self.ceph = MonConnection(command_environment(job.base), CONNECT_SECONDS, TIMEOUT_SECONDS)
        self.source: Union[ArraySource, ClusterSource] = ClusterSource(self.ceph)
        # A daemon that starts is watched by the samples; the supervisor waits for it at the end.
        self.kind: Union[MdKind, OsdKind] = OsdKind(waits=False)
        if wanted["kind"] == MD_FAIL:
            self.source, self.kind = ArraySource(lines[0]), MdKind()
        self.zero = 0.0
        self.answered = 0.0
        self.stamps: Dict[str, str] = {}
        self.scrubs_due = 0.0
        self.is_disturbed = False
        self.timeline = Timeline(wanted, self.is_scrubbed)

    def run(self) -> None:
        """Wait for the begin of the load; run the timeline until it ends or the job does."""
        os.write(self.pid_writer, str(os.getpid()).encode())
        order = self.read_order(None)
        if not order or order == END:
            return
        self.zero = float(order)
        self.answered = time.monotonic()
        order = b""
        try:
            order = self.watch()
        finally:
            if order != END and self.is_disturbed:
                self.restore_quietly()
            self.ceph.close()

    def read_order(self, seconds: Optional[float]) -> Optional[bytes]:
        """Return the supervisor's next line; b"" if it is gone, None after so many seconds."""
        if not select.select([self.orders], [], [], seconds)[0]:
            return None
        lines = os.read(self.orders, 200).split(b"\n")
        return END if END in lines else lines[0]

    def watch(self) -> bytes:
        """Sample and act each second; return the order that ended it, END after the timeline."""
        due = self.zero
        is_over = False
        while True:
            order = self.read_order(max(0.0, due - time.monotonic()))
            if order is not None:
                return order
            due = max(due + INTERVAL_SECONDS, time.monotonic() - INTERVAL_SECONDS)
            act = self.sample(is_over)
            if act in (DONE, ABORT) and not is_over:
                is_over = True
                if act == ABORT:
                    self.restore_quietly()
                self.write({"mark": "aborted" if act == ABORT else "done"})
            elif act and not is_over:
                is_over = not self.act(act)

    def sample(self, is_over: bool) -> str:
        """Write a sample; return the act that is due."""
        try:
            sample, moved = self.source.look()
        except CephError as error:
            silent = time.monotonic() - self.answered
            self.write({"error": str(error)[:MAX_TEXT_LENGTH]})
            if silent > SILENT_SECONDS and self.is_disturbed:
                self.timeline.reason = SILENT.format(silent, str(error)[:MAX_TEXT_LENGTH])
                return ABORT
            return ""
        self.answered = time.monotonic()
        t = self.seconds()
        before = set(self.timeline.marks)
        act = "" if is_over else self.timeline.step(t, sample)
        self.write(dict(sample, moved=moved))
        for name in set(self.timeline.marks) - before:
            self.write({"mark": name, "t": self.timeline.marks[name]})
        return act

    def act(self, act: str) -> bool:
        """Disturb or restore; return False if that failed, which ends the disturbance."""
        try:
            if act == RESTORE:
                self.restore()
            elif act == DISTURB:
                self.disturb()
        except (OSError, AgentError) as error:
            self.timeline.reason = str(getattr(error, "strerror", None) or error)
            self.restore_quietly()
            self.write({"mark": "aborted"})
            return False
        self.timeline.done(act, self.seconds())
        self.write({"mark": "disturbed" if act == DISTURB else "restored"})
        return True

    def disturb(self) -> None:
        """Carry out the disturbance. Raises: OSError."""
        with file_lock(self.job.base, TUNING):
            # The supervisor may have ended the job while this process waited for the lock.
            if self.read_order(0.0) is not None:
                raise OSError(0, STOPPED_EARLY)
            if self.wanted["kind"] != MD_FAIL:
                require_cluster(self.ceph, self.wanted["fsid"])
            self.is_disturbed = True
            if self.wanted["kind"] == DEEP_SCRUB:
                self.stamps = scrub_stamps(self.ceph, self.wanted["pool"])
                scrub: Dict[str, Any] = {
                    "prefix": "osd pool deep-scrub",
                    "who": [self.wanted["pool"]],
                }
                send(self.ceph, scrub)
            for line in self.lines:
                self.kind.write(line, str(line["value"]))

    def restore(self) -> None:
        """Bring the OSD back. Raises: OSError."""
        with file_lock(self.job.base, TUNING):
            for line in self.lines:
                self.kind.write(line, line["original"])
        self.is_disturbed = False

    def restore_quietly(self) -> None:
        """Bring the OSD back; on an error the job's journal brings it back later."""
        with contextlib.suppress(OSError, AgentError):
            self.restore()

    def is_scrubbed(self) -> bool:
        """Return True once all placement groups of the pool are scrubbed; asks now and then."""
        if time.monotonic() < self.scrubs_due:
            return False
        self.scrubs_due = time.monotonic() + SCRUB_SECONDS
        try:
            return all_scrubbed_since(self.stamps, scrub_stamps(self.ceph, self.wanted["pool"]))
        except CephError:
            return False

    def seconds(self) -> float:
        """Return the seconds since the load began."""
        return round(time.monotonic() - self.zero, 3)

    def write(self, entry: Dict[str, Any]) -> None:
        """Append a line; ignored if the file system is full."""
        if "mark" in entry:
            entry["reason"] = self.timeline.reason
            entry["unseen"] = self.timeline.unseen
            entry["re_added"] = self.kind.is_readded
        line: Dict[str, Any] = dict({"t": self.seconds()}, **entry)
        with contextlib.suppress(OSError), open(self.job.path(LOG), "a") as file:
            file.write(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n")
