"""Commands that a plugin runs on hosts for one case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Command:
    """One process on one host.

    - `argv`: data that never passes through a shell. `{attempt}` becomes 12 hexadecimal digits of
      the attempt's id, `{client}` the number of the host from 0.
    - `files`: output files in the job directory, which is the working directory.
    - `on`: every host, only the first host, or the server of a host pair.
    - `stage`: its number. A stage starts when all hosts have ended the one before it; its commands
      start together on all hosts.
    - `always`: runs also after a failure or a cancellation (cleaning up).
    - `may_fail`: an exit code other than 0 is not a failure of the attempt.
    - `listens`: "tcp:5201" makes it a server. The other commands of its stage start when the port
      is open; the server is ended after them.
    - `seconds`: time limit of an `always` command.
    - `fills`: the Ceph pool it writes to. The command is ended when the pool is full, because
      writes to a full pool block without a time limit.
    - `load_seconds`: it is the load during which a cluster may be disturbed, and lasts so long; 0:
      it is not.
    """

    role: str
    argv: tuple[str, ...]
    files: tuple[str, ...] = ()
    on: Literal["each", "lead", "server"] = "each"
    stage: int = 0
    always: bool = False
    may_fail: bool = False
    listens: str = ""
    seconds: float = 60.0
    fills: str = ""
    load_seconds: float = 0.0


@dataclass(frozen=True)
class Procedure:
    """Commands of one case, in order.

    - `seconds`: expected duration without set-up.
    - `writes`: True unless every command is read-only.
    - `bytes_written`: expected bytes written to the target; None if unknown before the run.
    - `space_needed`: bytes of free space that a directory needs.
    - `threads`: number of threads that get a CPU each when the target is pinned.
    """

    commands: tuple[Command, ...]
    seconds: float
    writes: bool
    bytes_written: int | None = None
    space_needed: int = 0
    threads: int = 1

    @property
    def load(self) -> Command | None:
        """Return the command during which a cluster may be disturbed: the last load."""
        return next((one for one in reversed(self.commands) if one.load_seconds), None)
