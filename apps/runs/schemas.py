"""The stored documents of an attempt and its jobs: why it was ended early, where an imported one
comes from, the commands it ran, the remarks about it; why a host refused a job, and where its
output stands.
"""

from __future__ import annotations

import msgspec

from apps.common.schemas.versioned_json import VersionedSchema
from apps.remote.responses import JobRefusal
from apps.tools.messages import TranslatableMessage, as_message
from apps.tools.values import Scalar

NO_REASON = as_message("")


class EarlyEnd(msgspec.Struct, omit_defaults=True):
    """Why benchlab ended an attempt before its time: the state it ends in, the reason, whose fault
    it is, the host it began with. False where nobody ended it.
    """

    state: str = ""
    reason: TranslatableMessage = NO_REASON
    failure_cause: str = ""
    host: int | None = None

    def __bool__(self) -> bool:
        return bool(self.state)


class ImportedFrom(msgspec.Struct, omit_defaults=True):
    """The point of a file that an imported attempt is, so that a later reading finds it again.

    `key` and `occurrence` are the point's, `index` its place in the file; `said` are parameters
    that names of folders told; `names`: names of jobs tell points apart. `bytes_of`: the attempt
    that keeps the file's bytes, where several came of one file.
    """

    key: str
    occurrence: int = 0
    index: int = 0
    path: str = ""
    said: dict[str, Scalar] = {}
    names: bool = False
    bytes_of: str | None = None


Argv = tuple[tuple[str, ...], ...]
Remarks = tuple[TranslatableMessage, ...]
OutputRanges = dict[str, tuple[int, int]]
"""Of a stream's name, where in the joined stream a job's own bytes are: [begin, end)."""


EARLY_END: VersionedSchema[EarlyEnd] = VersionedSchema(EarlyEnd)
IMPORTED_FROM: VersionedSchema[ImportedFrom] = VersionedSchema(ImportedFrom)
ARGV: VersionedSchema[Argv] = VersionedSchema(Argv)
REMARKS: VersionedSchema[Remarks] = VersionedSchema(Remarks)
REFUSAL: VersionedSchema[JobRefusal] = VersionedSchema(JobRefusal)
OUTPUT_RANGES: VersionedSchema[OutputRanges] = VersionedSchema(OutputRanges)
