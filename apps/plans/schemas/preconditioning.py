"""A plan's preparation, as it is stored with the plan and with its copy in each run."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from apps.common.stored.contracts import Contract

MOST_FILLS = 10
Discard = Literal["", "discard", "secure"]
MOST_AGE_ROUNDS = 100
MOST_ROUND_SECONDS = 3600
AGE = "age"
AgeRounds = Annotated[int, msgspec.Meta(ge=0, le=MOST_AGE_ROUNDS)]
RoundSeconds = Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUND_SECONDS)]
Fills = Annotated[int, msgspec.Meta(ge=0, le=MOST_FILLS)]


class Preconditioning(msgspec.Struct, frozen=True):
    """The acts that each disk of a plan goes through before the first test, in this order: all
    blocks given back (`secure`: securely, where the device offers it), filled in sequence and then
    in random order so many times, aged: written to at random in rounds of `round_seconds` until
    that is steady, in `age` rounds at most (0: not aged). `always`: also where the disk is known to
    be in that state.

    Before version 1 disks were not aged.
    """

    discard: Discard = ""
    sequential: Fills = 0
    random: Fills = 0
    age: AgeRounds = 0
    round_seconds: RoundSeconds = 60
    always: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each act (`apps.tools.registry.preparing`); empty for no preparation."""
        return (
            *((self.discard,) if self.discard else ()),
            *("sequential",) * self.sequential,
            *("random",) * self.random,
            *(AGE,) * self.age,
        )


NOTHING = Preconditioning()
STORED: Contract[Preconditioning] = Contract(Preconditioning)
