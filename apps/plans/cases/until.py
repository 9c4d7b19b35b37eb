"""Plans whose blocks are added until every comparison is decided: limits and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec
from django.utils.translation import gettext as _

from .blocks import LEAST_IN_BLOCKS, block_sizes

if TYPE_CHECKING:
    from .planned import PlainPlan

LEAST_WITHIN, MOST_WITHIN = 0.5, 50.0
MOST_BLOCKS = 100
USUAL_WITHIN, USUAL_BLOCKS = 3.0, 20
MOST_HOURS = 1_000.0


class UntilDecided(msgspec.Struct, frozen=True):
    """Blocks are added until every interval is within `within` percent of its ratio, or there are
    `blocks` of them, or the tests have taken `hours`.
    """

    within: float
    blocks: int
    hours: float | None = None


def until_of(within: float | None, blocks: int | None, hours: float | None) -> UntilDecided | None:
    """None where nobody asked for it."""
    if within is None:
        return None
    return UntilDecided(within, USUAL_BLOCKS if blocks is None else blocks, hours)


def until_wrong(until: UntilDecided) -> dict[str, str]:
    """A sentence for each limit that cannot be, by the field's name."""
    wrong = {}
    if not LEAST_WITHIN <= until.within <= MOST_WITHIN:
        words = _("Give a width of %(least)s to %(most)s %%.")
        wrong["until_within"] = words % {"least": f"{LEAST_WITHIN:g}", "most": f"{MOST_WITHIN:g}"}
    if not 1 <= until.blocks <= MOST_BLOCKS:
        wrong["until_blocks"] = _("Give 1 to %(most)d blocks.") % {"most": MOST_BLOCKS}
    return wrong | hours_wrong(until.hours)


def hours_wrong(hours: float | None) -> dict[str, str]:
    """The sentence for a limit of time that cannot be, by its field's name."""
    if hours is None or 0 < hours <= MOST_HOURS:
        return {}
    return {"until_hours": _("Give hours, 1,000 at most.")}


def until_problems(plan: PlainPlan, tests: int) -> Iterator[tuple[str, str]]:
    """Field and sentence of what keeps a plan from being decided."""
    until = plan.until
    if until is None:
        return
    yield from until_wrong(until).items()
    if len(plan.all_tunings) < 2:
        yield "until_within", _("Deciding needs two tunings at least: they are what is compared.")
    if plan.order != "interleaved":
        yield "until_within", _("Deciding needs blocks: choose the interleaved order.")
    if plan.repeats < LEAST_IN_BLOCKS:
        words = _("To be decided, begin with %(least)d repeats at least.")
        yield "until_within", words % {"least": LEAST_IN_BLOCKS}
    elif until.blocks < (planned := len(block_sizes(plan.repeats, tests, len(plan.all_tunings)))):
        words = _("The plan begins with %(planned)d blocks: the limit cannot be below.")
        yield "until_blocks", words % {"planned": planned}
