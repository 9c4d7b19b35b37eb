"""A plan's preparation, as it is stored with the plan and with its copy in each run."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from apps.common.stored.contracts import Contract

MOST_FILLS = 10
Purge = Literal["", "discard", "secure"]
MOST_AGE_ROUNDS = 100
MOST_ROUND_SECONDS = 3600
AGE = "age"
AgeRounds = Annotated[int, msgspec.Meta(ge=0, le=MOST_AGE_ROUNDS)]
RoundSeconds = Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUND_SECONDS)]
Fills = Annotated[int, msgspec.Meta(ge=0, le=MOST_FILLS)]


class Preconditioning(msgspec.Struct, frozen=True):
    """What is done to each disk of a plan before the first test, in the order of the fields.

    `max_aging_rounds`: random writes in rounds of `aging_round_seconds`, until they are steady.
    `even_if_known`: also where the disk is known to be in that state.
    """

    purge: Purge = ""
    sequential_fills: Fills = 0
    random_fills: Fills = 0
    max_aging_rounds: AgeRounds = 0
    aging_round_seconds: RoundSeconds = 60
    even_if_known: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each act (`apps.tools.registry.preparing`); empty for no preparation."""
        return (
            *((self.purge,) if self.purge else ()),
            *("sequential",) * self.sequential_fills,
            *("random",) * self.random_fills,
            *(AGE,) * self.max_aging_rounds,
        )


NOTHING = Preconditioning()
STORED: Contract[Preconditioning] = Contract(Preconditioning)
