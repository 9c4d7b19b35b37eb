"""The preconditioning state of a disk, valid until anything else is written to it."""

from __future__ import annotations

from datetime import datetime

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema


class PreconditioningOp(msgspec.Struct, frozen=True):
    """One operation of a preconditioning: its tool, label and the key of its workload."""

    tool: str
    label: str
    workload: str


Acts = tuple[PreconditioningOp, ...]


class PreconditioningState(msgspec.Struct, frozen=True):
    """All operations applied to the whole disk, in order, without other writes between or after.

    `at`: end of the last one; `run`: the run that applied it.
    """

    acts: Acts
    at: datetime
    run: int

    def has(self, acts: Acts, number: int) -> bool:
        """Return True if the first `number` of these operations need not be repeated.

        That is so if the stored operations are the beginning of the same preconditioning, or all of
        it.
        """
        return self.acts == acts[: len(self.acts)] and len(self.acts) >= number


STORED: VersionedSchema[PreconditioningState] = VersionedSchema(PreconditioningState)
