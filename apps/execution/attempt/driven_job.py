"""One job of an attempt: its row, its host, and its last reported status."""

from __future__ import annotations

from apps.common.schemas.storable import cleaned
from apps.execution.attempt.hosted_job import HostJob
from apps.execution.attempt.lost_job_settings import settings_from_journal
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.cleanup_jobs import cleanup_part, is_cleanup
from apps.execution.domain.failures import Failure, failure_of
from apps.execution.domain.messages import GONE
from apps.remote.client import Client
from apps.remote.errors import AgentCommandError
from apps.remote.job_spec import JobSpec
from apps.remote.status import Status
from apps.results.selectors.jobs import DoneJob
from apps.runs.models import AttemptJob, AttemptState, FailureCause, JobState

# The agent's phases of a released job.
RELEASED = ("running", "restoring", "done")


class Stopped(Exception):
    """The attempt cannot continue.

    `host`: the host at fault; `unusable`: its other cases are not tried either; `of_load`: the
    background load failed. The reason may be empty if the ends of the jobs contain it.
    """

    def __init__(
        self,
        state: AttemptState,
        reason: str = "",
        failure_cause: str = "",
        *,
        host: int = 0,
        unusable: bool = False,
        of_load: bool = False,
    ) -> None:
        super().__init__(reason)
        self.state, self.reason, self.failure_cause = state, reason, failure_cause
        self.host, self.unusable, self.of_load = host, unusable, of_load


class DrivenJob:
    """Drives one job.

    `status`: the last one its host reported; None before the first, and during a launch.
    """

    def __init__(
        self, row: AttemptJob, client: Client, writer: AttemptWriter, *, is_new: bool = False
    ) -> None:
        self.row = row
        self.on_host = HostJob(str(row.pk), client, writer)
        self.client = client
        self.status: Status | None = None
        # True once a worker allowed its start: then only the host knows its state.
        self.let_go = False
        # True once this worker sent the launch.
        self.is_launch_sent = False
        self._is_new = is_new

    @property
    def is_new(self) -> bool:
        """Return True if no host knows the job: its row is new and no launch was sent."""
        return self._is_new and not self.is_launch_sent

    @property
    def id(self) -> str:
        return str(self.row.pk)

    @property
    def host(self) -> int:
        return self.row.host_id

    @property
    def host_name(self) -> str:
        return self.row.host.name

    @property
    def spec(self) -> JobSpec:
        return self.row.spec

    @property
    def launched(self) -> bool:
        """Return True if it is stored as started."""
        return self.row.launched

    @property
    def held(self) -> bool:
        """Return True if it waits for its release."""
        return self.row.is_held

    @property
    def is_cleanup(self) -> bool:
        """Return True if the job only cleans up, so that it always runs."""
        return is_cleanup(self.spec)

    @property
    def ports(self) -> list[str]:
        """Return the ports it listens on, as "tcp:5201"; a client has none."""
        ports = [command.get("listens") for command in self.spec["commands"]]
        return [port for port in ports if port]

    @property
    def serves(self) -> bool:
        """Return True if it is ended after the measuring jobs: a server, or settings only."""
        return self.row.listens

    @property
    def may_have_started(self) -> bool:
        """Return True if a tool may run, so that only its host can confirm the end."""
        return self.launched or self.let_go

    @property
    def is_absent(self) -> bool:
        """Return True if its host reported that the job does not exist."""
        return self.status is not None and self.status.state == "absent"

    @property
    def has_ended(self) -> bool:
        """Return True if its host reported that no process of it is left."""
        return self.status is not None and self.status.ended

    @property
    def carries_settings(self) -> bool:
        """Return True if it has ended and left its settings for the next attempt."""
        journal = self.status.journal if self.status is not None else None
        return self.has_ended and bool(journal) and (journal or {}).get("state") == "open"

    def named(self, text: str) -> str:
        """Return the text with the host's name before it, if there are several hosts."""
        return f"{self.row.name}: {text}" if self.row.name else text

    def shorten(self) -> bool:
        """Reduce the job to its cleanup commands; return False if it has none."""
        left = cleanup_part(self.spec)
        if left is not None:
            self.row.spec = left
        return left is not None

    async def launch(self) -> None:
        """Launch the job.

        Raises:
            AgentCommandError: the agent refused; the job was not started.
            HostError: contact was lost; the job may have been started.
        """
        before, self.status = self.status, None
        self.let_go, self.is_launch_sent = not self.held, True
        try:
            self.status = await self.client.launch(self.spec)
        except AgentCommandError:
            self.status, self.let_go = before, False
            raise

    async def look(self) -> Status:
        """Return the job's status; waits without limit for its host."""
        self.status = await self.on_host.seen()
        return self.status

    def raise_unless_good(self, status: Status) -> None:
        """Check the status of the job.

        Raises:
            Stopped: the job ended without a result, or no longer exists.
        """
        self.status = status
        if status.state == "absent":
            raise Stopped(AttemptState.LOST, self.named(GONE), FailureCause.HOST, host=self.host)
        failure = self.failure()
        if failure is not None:
            raise Stopped(failure.state, failure.reason, failure.failure_cause, host=self.host)

    def failure(self) -> Failure | None:
        """Return why the ended job has no result, from its exit alone."""
        if not self.has_ended:
            return None
        self.note_end()
        return failure_of(DoneJob.of(self.row), {})

    async def delete(self, *, resumed: bool) -> bool:
        """Delete the job on its host; return True if it is deleted, or never existed there.

        False if a launch may still be in flight: the host's check deletes it later. `resumed`: the
        attempt goes on after an earlier driver of it.
        """
        if self.has_ended:
            return await self.on_host.forget()
        forgotten = self.status is not None and self.status.deleted
        return forgotten or not (resumed or self.is_launch_sent)

    def note_end(self) -> None:
        """Copy the last status into the row, without saving it."""
        if self.status is None:
            return
        row, status = self.row, self.status
        row.state, row.error = _state_of(status), cleaned(status.invalid or status.reason or "")
        row.exit = cleaned(status.exit or {}) if row.state == JobState.DONE else {}
        lost = settings_from_journal(status.journal) if row.state == JobState.LOST else None
        row.refusal = cleaned(status.refused or lost)


def _state_of(status: Status) -> JobState:
    if status.state == "absent":
        return JobState.NOT_FOUND
    if not status.ended:
        return JobState.OPEN
    return JobState.INVALID_RESPONSE if status.invalid else JobState(status.state)
