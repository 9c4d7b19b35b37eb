"""One job of an attempt in the hands of a worker: its row, its host, and what that last said."""

from __future__ import annotations

from apps.common.database.storable import cleaned
from apps.execution.attempt.hosted_job import HostJob
from apps.execution.attempt.lost_job_settings import settings_from_journal
from apps.execution.attempt.writer import AttemptWriter
from apps.execution.domain.cleanup_jobs import cleanup_part, is_cleanup
from apps.execution.domain.failures import Failure, failure_of
from apps.execution.domain.messages import GONE
from apps.remote.client import Client
from apps.remote.errors import AgentRefusal
from apps.remote.job_spec import JobSpec
from apps.remote.status import Status
from apps.results.selectors.jobs import DoneJob
from apps.runs.models import AttemptJob, AttemptState, Fault, JobState

# Phases of a job that was released, as the agent names them.
RELEASED = ("running", "restoring", "done")


class Stopped(Exception):
    """The attempt cannot go on: what it is now, why, and whose fault that is. `host` is the host it
    is about; `unusable` says that it need not be tried for other cases either.

    The reason may be empty where the jobs' own ends say it.
    """

    def __init__(
        self,
        state: AttemptState,
        reason: str = "",
        fault: str = "",
        *,
        host: int = 0,
        unusable: bool = False,
    ) -> None:
        super().__init__(reason)
        self.state, self.reason, self.fault = state, reason, fault
        self.host, self.unusable = host, unusable


class DrivenJob:
    """`status` is what its host last said; None before that, and while an answer is awaited that
    may have changed it.
    """

    def __init__(
        self, row: AttemptJob, client: Client, record: AttemptWriter, *, is_new: bool = False
    ) -> None:
        self.row = row
        self.on_host = HostJob(str(row.pk), client, record)
        self.client = client
        self.status: Status | None = None
        # Whether a worker let it start: from then on only the host can tell what became of it.
        self.let_go = False
        # Whether this worker asked the host to start it.
        self.asked = False
        self._is_new = is_new

    @property
    def is_new(self) -> bool:
        """Whether no host can know of it: its row was just made, and nobody has asked yet."""
        return self._is_new and not self.asked

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
        """Whether the database says that it was started."""
        return self.row.launched

    @property
    def held(self) -> bool:
        """Whether it waits for its release when it is ready."""
        return self.row.is_held

    @property
    def tidies(self) -> bool:
        """Whether it is run whatever happened before."""
        return is_cleanup(self.spec)

    @property
    def ports(self) -> list[str]:
        """Ports it listens on ("tcp:5201"): a server has such, a client has none."""
        said = [command.get("listens") for command in self.spec["commands"]]
        return [port for port in said if port]

    @property
    def serves(self) -> bool:
        """Whether it is ended when those that measure have: a server, or a host that only lends."""
        return self.row.listens

    @property
    def may_have_started(self) -> bool:
        """Whether a tool may run there, so that nothing but the host's word ends the matter."""
        return self.launched or self.let_go

    @property
    def is_absent(self) -> bool:
        """Whether its host said that it has no such job."""
        return self.status is not None and self.status.state == "absent"

    @property
    def has_ended(self) -> bool:
        """Whether its host said that nothing of it runs any more."""
        return self.status is not None and self.status.ended

    def named(self, text: str) -> str:
        """The sentence with its host's name before it, where several hosts take part."""
        return f"{self.row.name}: {text}" if self.row.name else text

    def shorten(self) -> bool:
        """Leave only its tidying up of it; whether there is any."""
        left = cleanup_part(self.spec)
        if left is not None:
            self.row.spec = left
        return left is not None

    async def launch(self) -> None:
        """Ask the host to start it. Raises HostError; an agent that says no starts nothing."""
        before, self.status = self.status, None
        self.let_go, self.asked = not self.held, True
        try:
            self.status = await self.client.launch(self.spec)
        except AgentRefusal:
            self.status, self.let_go = before, False
            raise

    async def look(self) -> Status:
        """The host's word, however long that takes."""
        self.status = await self.on_host.seen()
        return self.status

    def raise_unless_good(self, status: Status) -> None:
        """Raises Stopped when the job has ended without a result, or is gone."""
        self.status = status
        if status.state == "absent":
            raise Stopped(AttemptState.LOST, self.named(GONE), Fault.HOST, host=self.host)
        failure = self.failure()
        if failure is not None:
            raise Stopped(failure.state, failure.reason, failure.fault, host=self.host)

    def failure(self) -> Failure | None:
        """Why the ended job has no result, from its exit alone."""
        if not self.has_ended:
            return None
        self.note_end()
        return failure_of(DoneJob.of(self.row), {})

    def note_end(self) -> None:
        """Put the host's last word into the row (which is not saved here)."""
        if self.status is None:
            return
        row, status = self.row, self.status
        row.state, row.why = _state_of(status), cleaned(status.bad or status.why or "")
        row.exit = cleaned(status.exit or {}) if row.state == JobState.DONE else {}
        lost = settings_from_journal(status.loan) if row.state == JobState.LOST else None
        row.refused = cleaned(status.refused or lost)


def _state_of(status: Status) -> JobState:
    if status.state == "absent":
        return JobState.ABSENT
    if not status.ended:
        return JobState.OPEN
    return JobState.BAD if status.bad else JobState(status.state)
