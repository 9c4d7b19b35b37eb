"""What can be wrong after a round, and where it is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FindingKind = Literal["stuck", "twice", "wrong", "not restored", "left"]
KINDS: tuple[FindingKind, ...] = ("stuck", "twice", "wrong", "not restored", "left")


@dataclass(frozen=True)
class Finding:
    """One defect: which kind, and what was seen."""

    kind: FindingKind
    words: str
