"""A plan's preparation, as it is stored with the plan and with its copy in each run."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from apps.common.contracts import Contract

MOST_FILLS = 10
Discard = Literal["", "discard", "secure"]
Fills = Annotated[int, msgspec.Meta(ge=0, le=MOST_FILLS)]


class Preparation(msgspec.Struct, frozen=True):
    """The acts that each disk of a plan goes through before the first test, in this order: all
    blocks given back (`secure`: securely, where the device offers it), filled in sequence and then
    in random order so many times. `always`: also where the disk is known to be in that state.
    """

    discard: Discard = ""
    sequential: Fills = 0
    random: Fills = 0
    always: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each act (`apps.tools.registry.preparing`); empty for no preparation."""
        return (
            *((self.discard,) if self.discard else ()),
            *("sequential",) * self.sequential,
            *("random",) * self.random,
        )


NOTHING = Preparation()
STORED: Contract[Preparation] = Contract(Preparation)
