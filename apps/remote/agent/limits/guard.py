"""Obey the owner's limits during one job."""

import time
from contextlib import suppress
from typing import List, Optional

from ..disks.blocks import Block
from ..errors import RefusalError
from ..processes.job_folder import Job
from ..schema import Spec
from .document import Limits, is_stopped, limits_or_refusal
from .rules import hours_reason, is_open, spec_reasons, stop_reason, target_disks, with_note
from .written import WrittenBytes

# Between TERM, INT and KILL: with the check interval all is gone within two seconds.
GRACE_SECONDS = 0.4
COUNT_SECONDS = 1.0  # between two looks at the written bytes, each of which writes a small file


class OwnerGuard:
    """The limits that were in force when the job began, and the stop file at every moment."""

    def __init__(self, job: Job, spec: Spec) -> None:
        self.spec = spec
        self.limits = Limits()
        self.written = WrittenBytes(job.base, job.attempt)
        self.count_at = 0.0

    def begin(self) -> None:
        """Check the job before it claims anything. Raises: RefusalError."""
        try:
            self.limits = limits_or_refusal()
        except RefusalError:
            self.require_running()
            raise
        self.require_running()
        reasons = spec_reasons(self.spec, self.limits)
        if reasons:
            raise RefusalError(reasons)
        if self.limits.bytes_a_day is not None:
            self.written.begin(self.written_disks())
        reason = self.bytes_reason()
        if reason:
            raise RefusalError([reason])

    def require_running(self) -> None:
        """Raise RefusalError while the stop file exists."""
        if is_stopped():
            raise RefusalError([stop_reason(self.limits)])

    def end_reason(self, started: Optional[float]) -> str:
        """Return why a running job has to end now, or "". `started`: monotonic seconds."""
        if is_stopped():
            return stop_reason(self.limits)
        limits = self.limits
        if limits.seconds and started is not None and time.monotonic() - started > limits.seconds:
            sentence = "Owner: a test may run for {:g} s at most.".format(limits.seconds)
            return with_note(sentence, limits)
        if limits.hours and not is_open(limits.hours, time.time()):
            return with_note(hours_reason(limits.hours), limits)
        return self.bytes_reason()

    def bytes_reason(self) -> str:
        """Return why nothing more may be written today, or ""."""
        limit, monotonic = self.limits.bytes_a_day, time.monotonic()
        if limit is None or not self.written.blocks or monotonic < self.count_at:
            return ""
        self.count_at = monotonic + COUNT_SECONDS
        try:
            count = self.written.add()
        except OSError:
            # Without the count the limit cannot be obeyed.
            count = limit
        if count < limit:
            return ""
        sentence = "Owner: tests may write {} bytes a day, and {} are written today (UTC)."
        return with_note(sentence.format(limit, count), self.limits)

    def finish(self) -> None:
        """Count what was written until the end."""
        if self.written.blocks:
            with suppress(OSError):
                self.written.add()

    def written_disks(self) -> List[Block]:
        """Return the disks that the job may write to, each once."""
        blocks = [b for one in self.spec["targets"] if one["write"] for b in target_disks(one)]
        return list({block.name: block for block in blocks}.values())
