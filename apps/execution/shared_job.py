"""One job of an attempt on several hosts: what was asked of its host, and what that last said."""

from __future__ import annotations

from apps.execution.failures import Failure, failure_of
from apps.execution.job import HostJob
from apps.execution.record import Record
from apps.execution.sentences import GONE, bad_answer_text
from apps.execution.spec import is_tidying, tidying_part
from apps.remote.answers import Status
from apps.remote.client import Client
from apps.results.jobs import DoneJob
from apps.runs.models import AttemptState, Fault
from apps.tools.base import JSON

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


class SharedJob:
    """`entry` is the job in `Attempt.jobs`; `status` what its host last said, None before that."""

    def __init__(self, entry: JSON, client: Client, record: Record) -> None:
        self.entry = entry
        self.on_host = HostJob(entry["job"], client, record)
        self.client = client
        self.status: Status | None = None
        # Whether this worker let it start: from then on only the host can tell what became of it.
        self.let_go = False

    @property
    def id(self) -> str:
        return str(self.entry["job"])

    @property
    def host(self) -> int:
        return int(self.entry["host"])

    @property
    def host_name(self) -> str:
        return str(self.entry["name"])

    @property
    def spec(self) -> JSON:
        spec: JSON = self.entry["spec"]
        return spec

    @property
    def launched(self) -> bool:
        """Whether the database says that it was started."""
        return bool(self.entry["launched"])

    @property
    def held(self) -> bool:
        """Whether it waits for its release when it is ready."""
        return "hold" in self.spec

    @property
    def tidies(self) -> bool:
        """Whether it is run whatever happened before."""
        return is_tidying(self.spec)

    @property
    def ports(self) -> list[str]:
        """What it listens on ("tcp:5201"): a server has such, a client has none."""
        commands = self.spec["commands"]
        return [command["listens"] for command in commands if command["listens"]]

    @property
    def may_have_started(self) -> bool:
        """Whether a tool may run there, so that nothing but the host's word ends the matter."""
        return self.launched or self.let_go

    def shorten(self) -> bool:
        """Leave only its tidying up of it; whether there is any."""
        left = tidying_part(self.spec)
        if left is not None:
            self.entry["spec"] = left
        return left is not None

    async def look(self) -> Status:
        """The host's word, however long that takes."""
        self.status = await self.on_host.seen()
        return self.status

    def raise_unless_good(self, status: Status) -> None:
        """Raises Stopped when the job has ended without a result, or is gone."""
        self.status = status
        if status.state == "absent":
            reason = f"{self.host_name}: {GONE}"
            raise Stopped(AttemptState.LOST, reason, Fault.HOST, host=self.host)
        failure = self.failure(status)
        if failure is not None:
            raise Stopped(failure.state, failure.reason, failure.fault, host=self.host)

    def failure(self, status: Status) -> Failure | None:
        """Why the ended job has no result, from its exit alone."""
        if status.ended and status.bad:
            reason = bad_answer_text(self.host_name, status.bad)
            return Failure(AttemptState.FAILED, reason, Fault.HOST)
        told = DoneJob(
            host=self.host,
            name=self.host_name,
            role=self.entry["role"],
            act=self.entry["act"],
            spec=self.spec,
            exit=dict(status.exit or {}),
            state=status.state,
            refused=status.refused,
        )
        return failure_of(told, {}) if status.ended else None
