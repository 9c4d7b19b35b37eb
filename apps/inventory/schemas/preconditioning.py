"""The state that a plan's preparation left a disk in: stored with the disk until anything else is
written to it.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema


class PreconditioningOp(msgspec.Struct, frozen=True):
    """One test of a preparation: its tool, what people call it, and its workload's key."""

    tool: str
    label: str
    workload: str


Acts = tuple[PreconditioningOp, ...]


class PreconditioningState(msgspec.Struct, frozen=True):
    """All acts that were done to the whole disk, in their order, with nothing else between or after
    them; `at`: when the last one ended; `run`: the run that did it.
    """

    acts: Acts
    at: datetime
    run: int

    def has(self, acts: Acts, number: int) -> bool:
        """Whether the first `number` of these acts need not be done again: what was done is the
        beginning of the same preparation, or all of it, and as long.
        """
        return self.acts == acts[: len(self.acts)] and len(self.acts) >= number


STORED: VersionedSchema[PreconditioningState] = VersionedSchema(PreconditioningState)
