"""Plans whose blocks are added until every comparison is decided: limits and what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
from django.utils.translation import gettext as _

from .blocks import LEAST_IN_BLOCKS
from .exchange import (
    PARAM,
    TARGET,
    TUNING,
    exchange_key,
    exchanged,
    factor_words,
    is_factor,
    most_levels,
)

if TYPE_CHECKING:
    from .planned import PlannedCase, PlannedPlan

LEAST_WITHIN, MOST_WITHIN = 0.5, 50.0
MOST_BLOCKS = 100
USUAL_WITHIN, USUAL_BLOCKS = 3.0, 20
MOST_HOURS = 1_000.0


class UntilDecided(msgspec.Struct, frozen=True):
    """Blocks are added until every interval is within `within` percent of its ratio, or there are
    `blocks` of them, or the tests have taken `hours`. `factor`: between whose levels is decided
    (exchange.py).
    """

    within: float
    blocks: int
    hours: float | None = None
    factor: str = TUNING

    @property
    def between(self) -> str:
        """Between what it decides, in words."""
        return factor_words(self.factor)


def until_of(
    within: float | None, blocks: int | None, hours: float | None, factor: str = ""
) -> UntilDecided | None:
    """None where nobody asked for it."""
    if within is None:
        return None
    return UntilDecided(within, USUAL_BLOCKS if blocks is None else blocks, hours, factor or TUNING)


def until_wrong(until: UntilDecided) -> dict[str, str]:
    """A sentence for each limit that cannot be, by the field's name."""
    wrong = {}
    if not LEAST_WITHIN <= until.within <= MOST_WITHIN:
        words = _("Give a width of %(least)s to %(most)s %%.")
        wrong["within"] = words % {"least": f"{LEAST_WITHIN:g}", "most": f"{MOST_WITHIN:g}"}
    if not 1 <= until.blocks <= MOST_BLOCKS:
        wrong["blocks"] = _("Give 1 to %(most)d blocks.") % {"most": MOST_BLOCKS}
    if not is_factor(until.factor):
        words = _("Decide between tuning, target, host, or a parameter: param:iodepth.")
        wrong["factor"] = words
    return wrong | hours_wrong(until.hours)


def hours_wrong(hours: float | None) -> dict[str, str]:
    """The sentence for a limit of time that cannot be, by its field's name."""
    if hours is None or 0 < hours <= MOST_HOURS:
        return {}
    return {"hours": _("Give hours, 1,000 at most.")}


def one_level(factor: str) -> str:
    """The sentence for a factor that has one level only."""
    if factor == TUNING:
        return _("Deciding needs two tunings at least: they are what is compared.")
    if factor.startswith(PARAM):
        words = _("Deciding between values of %(name)s needs a step that lists two of them.")
        return words % {"name": factor.removeprefix(PARAM)}
    if factor == TARGET:
        return _("Deciding between targets needs two that do the same test.")
    return _("Deciding between hosts needs two that do the same test.")


def until_problems(plan: PlannedPlan, cases: Sequence[PlannedCase]) -> Iterator[tuple[str, str]]:
    """Field and sentence of what keeps a plan from being decided; `cases` are those in blocks."""
    until = plan.spec.until
    if until is None:
        return
    yield from (wrong := until_wrong(until)).items()
    if "factor" not in wrong and tests_compared(cases, until.factor)[1] < 2:
        yield "within" if until.factor == TUNING else "factor", one_level(until.factor)
    if plan.spec.planned_order != "interleaved":
        yield "within", _("Deciding needs blocks: choose the interleaved order.")
    if plan.spec.planned_repeats < LEAST_IN_BLOCKS:
        words = _("To be decided, begin with %(least)d repeats at least.")
        yield "within", words % {"least": LEAST_IN_BLOCKS}
    elif until.blocks < (planned := max((case.block for case in cases), default=0)):
        words = _("The plan begins with %(planned)d blocks: the limit cannot be below.")
        yield "blocks", words % {"planned": planned}


def tests_compared(cases: Sequence[PlannedCase], factor: str) -> tuple[int, int]:
    """Tests in which levels of the factor stand against each other, and the most levels of one."""

    def key(case: PlannedCase) -> object:
        return exchange_key(factor, case.step, case.tool, case.params, case.target.key)

    def level(case: PlannedCase) -> object:
        if factor.startswith(PARAM):
            return str(case.params.get(factor.removeprefix(PARAM)))
        if factor == TARGET:
            return case.target.key
        return case.tuning.name if factor == TUNING else case.target.host_id

    groups = exchanged(cases, key)
    return len(groups), most_levels(groups, level)
