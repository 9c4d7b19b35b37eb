"""Operations that a job with a given access pattern can have results of."""

from __future__ import annotations

from .direction import OPERATIONS

_READS, _WRITES = frozenset({"read"}), frozenset({"read", "write"})  # a verifying write also reads
_POSSIBLE_OPERATIONS = {
    **dict.fromkeys(("read", "randread"), _READS),
    **dict.fromkeys(("write", "randwrite", "rw", "randrw", "readwrite"), _WRITES),
    **dict.fromkeys(("trim", "randtrim"), frozenset({"read", "trim"})),
    **dict.fromkeys(("trimwrite", "randtrimwrite"), frozenset(OPERATIONS)),
}


def can_do(rw: object, operation: str) -> bool:
    """Return True if a job with this `rw` can have results of the operation."""
    return operation not in OPERATIONS or operation in _POSSIBLE_OPERATIONS.get(
        str(rw), frozenset(OPERATIONS)
    )
