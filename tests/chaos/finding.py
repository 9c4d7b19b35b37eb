"""What can be wrong after a round, and where it is counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["stuck", "twice", "wrong", "not restored", "left"]
KINDS: tuple[Kind, ...] = ("stuck", "twice", "wrong", "not restored", "left")


@dataclass(frozen=True)
class Finding:
    """One defect: which kind, and what was seen."""

    kind: Kind
    words: str
