"""Progress of the preconditioning of disks."""

from __future__ import annotations

from dataclasses import dataclass

from apps.inventory.schemas.preconditioning import PreconditioningState


@dataclass(frozen=True)
class PreconditioningProgress:
    """State of disks after a preconditioning case, and the number of steps before that case."""

    preconditioning: PreconditioningState | None = None
    behind: int = 0


NOTHING_LEFT = PreconditioningProgress()
