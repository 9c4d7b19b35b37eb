"""The jobs of an attempt as its row keeps them: one for each host and act, or a single one.

Both kinds of attempts read alike here: what was asked (`spec`), how it ended (`exit`), and which
stored bytes are a job's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.runs.models import Attempt
from apps.tools.base import JSON

Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Ended:
    """One command that was started. `stdout` is its own part of the output; `code` is None where a
    signal ended it.
    """

    role: str
    code: int | None
    signal: str | int | None
    always: bool
    may_fail: bool
    stdout: bytes

    @property
    def failed(self) -> bool:
        """Whether that says that there is no result."""
        return not self.may_fail and (self.signal is not None or self.code != 0)


@dataclass(frozen=True)
class DoneJob:
    """One job. `host` is its host's id and `name` its name ("" where there is only one host).

    `state` is the agent's: done, refused, lost (with `why`), or absent for a job that was never
    started.
    `prefix` is what the names of its files begin with, `places` where in the stored stdout and
    stderr its own bytes are.
    """

    host: int
    name: str
    role: str
    act: int
    spec: JSON
    exit: JSON
    state: str = "done"
    refused: Any = None
    why: str = ""
    places: Mapping[str, list[int]] = field(default_factory=dict)

    @property
    def prefix(self) -> str:
        return f"{self.name}/" if self.name else ""

    @property
    def listens(self) -> bool:
        """Whether it is a server, which is ended after those that talk to it."""
        return any(command.get("listens") for command in self.spec.get("commands") or ())

    def text(self, files: Files, name: str) -> bytes:
        """Its own bytes of "stdout" or "stderr"."""
        whole = files.get(self.prefix + name, b"")
        place = self.places.get(name)
        return whole[place[0] : place[1]] if place else whole

    def commands(self, files: Files) -> list[Ended]:
        """Every command that was started, in order."""
        return list(_ended(self, self.text(files, "stdout")))


def jobs_of(attempt: Attempt) -> list[DoneJob]:
    """The attempt's jobs, act by act, the lead's first."""
    if not attempt.jobs:
        return [DoneJob(attempt.case.host_id, "", "client", 0, attempt.spec, attempt.exit)]
    asked = {entry["job"]: entry for entry in attempt.jobs}
    return [
        DoneJob(
            host=told["host"],
            name=told["name"],
            role=told["role"],
            act=told["act"],
            spec=asked[told["job"]]["spec"],
            exit=told.get("exit") or {},
            state=told["state"],
            refused=told.get("refused"),
            why=told.get("why") or "",
            places=told.get("places") or {},
        )
        for told in attempt.exit.get("jobs") or ()
    ]


def _ended(job: DoneJob, stdout: bytes) -> Iterator[Ended]:
    asked: list[JSON] = list(job.spec.get("commands") or ())
    codes, signals = job.exit.get("codes") or [], job.exit.get("signals") or []
    # An agent of before did not say which commands it ran: they were all, in order.
    ran = job.exit.get("ran") or list(range(len(codes)))
    parts = job.exit.get("parts") or []
    for place, index in enumerate(ran[: len(codes)]):
        command = asked[index] if index < len(asked) else {}
        begin, end = (parts[place]["stdout"] if place < len(parts) else (0, len(stdout)))[:2]
        yield Ended(
            role=str(command.get("role", "main")),
            code=codes[place],
            signal=signals[place] if place < len(signals) else None,
            always=bool(command.get("always")),
            may_fail=bool(command.get("may_fail")),
            stdout=stdout[begin:end],
        )
