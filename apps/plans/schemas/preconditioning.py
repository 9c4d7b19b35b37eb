"""Preconditioning, stored with the plan and with each run's copy."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from apps.tools.fields import Field
from apps.tools.translation import gettext_noop as _

Purge = Literal["", "discard", "secure"]
AGE = "age"
SPRANDOM = "sprandom"

PURGE = Field(
    "choice",
    _("Discard"),
    choices=get_args(Purge),
    labels=(
        _("no"),
        _("give all blocks back"),
        _("give all blocks back, securely where the device offers it"),
    ),
    optional=True,
)
SEQUENTIAL_FILLS = Field(
    "int",
    _("Fill in sequence"),
    _("How many times, at 128 KiB. SNIA's specification requires 2."),
    optional=True,
)
RANDOM_FILLS = Field(
    "int",
    _("Fill in random order"),
    _("How many times, each block of 4 KiB once."),
    optional=True,
)
OVER_PROVISIONING = Field(
    "number",
    _("One pass with sprandom: over-provisioning"),
    _(
        "The spare capacity that the maker states, as a share of the capacity, such as 0.07. "
        "Writes the physical capacity once instead of the fills. Needs fio 3.41 or newer on the "
        "hosts. Empty: no."
    ),
    optional=True,
)
AGING_ROUNDS = Field(
    "int",
    _("Age to steady state: rounds at most"),
    _(
        "Random writes of 4 KiB in rounds, until five of them are steady. 0: no; SNIA's "
        "specification has 25."
    ),
    optional=True,
)
ROUND_SECONDS = Field("int", _("Seconds of such a round"), optional=True)
EVEN_IF_KNOWN = Field(
    "flag",
    _("Also where the disk is known to be in that state"),
    _(
        "Otherwise left out while nothing else was written to the disk since, and samples of "
        "it are as they were left."
    ),
)


class Preconditioning(msgspec.Struct, frozen=True):
    """Operations on each disk of a plan before the first test, in the order of the fields.

    `sprandom_over_provisioning`: one pass with fio's sprandom, which leaves another state than the
    fills and excludes them.
    `max_aging_rounds`: random writes in rounds of `aging_round_seconds`, until steady state.
    `even_if_known`: also if the disk is known to be in that state.
    """

    purge: Annotated[Purge, PURGE] = ""
    sequential_fills: Annotated[int, Meta(ge=0, le=10), SEQUENTIAL_FILLS] = 0
    random_fills: Annotated[int, Meta(ge=0, le=10), RANDOM_FILLS] = 0
    sprandom_over_provisioning: Annotated[
        Annotated[float, Meta(ge=0.0001, le=0.9999)] | None, OVER_PROVISIONING
    ] = None
    max_aging_rounds: Annotated[int, Meta(ge=0, le=100), AGING_ROUNDS] = 0
    aging_round_seconds: Annotated[int, Meta(ge=1, le=3600), ROUND_SECONDS] = 60
    even_if_known: Annotated[bool, EVEN_IF_KNOWN] = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kind of each operation (`apps.tools.registry.preparing`)."""
        return (
            *((self.purge,) if self.purge else ()),
            *("sequential",) * self.sequential_fills,
            *("random",) * self.random_fills,
            *((SPRANDOM,) if self.sprandom_over_provisioning is not None else ()),
            *(AGE,) * self.max_aging_rounds,
        )


NOTHING = Preconditioning()
