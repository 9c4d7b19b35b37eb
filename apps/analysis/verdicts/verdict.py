"""Verdicts of a comparison: better, worse, no difference shown, too few repeats, not comparable.

A verdict has a `code` and the `parts` of its sentence; `SENTENCES` has the English templates, which
pages translate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from apps.common.domain.verdicts import VerdictKind
from apps.stats.alpha_spending import FIRST_LOOK_SHARE
from apps.stats.designs import Design
from apps.stats.effect import Effect
from apps.stats.intervals import Effects
from apps.stats.multiplicity import ALPHA, ALPHA_WITH_ROUNDING, repeats_recommended
from apps.stats.null_distributions import Flags, Floats, Ints
from apps.tools.translation import gettext_noop as _

SENTENCES: Mapping[str, str] = {
    "better": _("Better: {figures}."),
    "worse": _("Worse: {figures}."),
    "better_unbounded": _("Better, by a ratio that has no figure: one side measured zero."),
    "worse_unbounded": _("Worse, by a ratio that has no figure: one side measured zero."),
    "not_shown": _("No difference shown: {figures}."),
    "not_shown_unbounded": _(
        "No difference shown; the ratio has no figure: one side measured zero."
    ),
    "not_shown_in_family": _(
        "No difference shown: {figures} would count alone, but not as one of {cells} comparisons "
        "read at once."
    ),
    "below_minimum": _(
        "No difference that matters: {figures} is below the requested {minimum:g} %."
    ),
    "too_few_repeats": _(
        "Too few repeats: {n_a} against {n_b} can never show a difference. "
        "Measure {needed} of each."
    ),
    "too_few_in_family": _(
        "Too few repeats for {cells} comparisons at once: {n_a} against {n_b} could show "
        "a difference alone, but not among so many. Measure {needed} of each, or compare fewer."
    ),
    "not_comparable": _("Not comparable: these differ as well: {factors}."),
}


class SentenceParts(TypedDict):
    """Parts of a verdict's sentence: change with interval, repeats, comparisons, factors."""

    figures: str
    minimum: float
    cells: int
    n_a: int
    n_b: int
    needed: int
    factors: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on one comparison.

    `p` and `p_adjusted` are None without a test; `cells`: number of comparisons that share the
    error; `level`: error of this one, whose interval has confidence 1 - `level`; `minimum`: percent
    below which a difference is ignored; `factors`: confounders; `design`: of the test.
    """

    kind: VerdictKind
    code: str
    effect: Effect
    p: float | None
    p_adjusted: float | None
    n_a: int
    n_b: int
    cells: int
    test: str = "all"
    exact: bool = True
    level: float = ALPHA
    minimum: float = 0.0
    factors: tuple[str, ...] = ()
    design: Design | None = None

    @property
    def needed(self) -> int:
        """Return the recommended repeats per side."""
        return repeats_recommended(ALPHA * FIRST_LOOK_SHARE, max(1, self.cells))

    def parts(self, figures: str) -> SentenceParts:
        """Return the parts of the sentence; `figures`: the change as text."""
        return {
            "figures": figures,
            "minimum": self.minimum,
            "cells": self.cells,
            "n_a": self.n_a,
            "n_b": self.n_b,
            "needed": self.needed,
            "factors": ", ".join(self.factors),
        }


CONCLUSIONS: tuple[tuple[VerdictKind, str], ...] = (
    (VerdictKind.NO_DIFFERENCE, "not_shown"),
    (VerdictKind.NO_DIFFERENCE, "not_shown_unbounded"),
    (VerdictKind.NO_DIFFERENCE, "not_shown_in_family"),
    (VerdictKind.NO_DIFFERENCE, "below_minimum"),
    (VerdictKind.BETTER, "better"),
    (VerdictKind.BETTER, "better_unbounded"),
    (VerdictKind.WORSE, "worse"),
    (VerdictKind.WORSE, "worse_unbounded"),
    (VerdictKind.TOO_FEW_REPEATS, "too_few_repeats"),
    (VerdictKind.TOO_FEW_REPEATS, "too_few_in_family"),
    (VerdictKind.NOT_COMPARABLE, "not_comparable"),
)
"""Kinds and their sentences; columns of verdicts have indices into it."""
CODES: Mapping[str, int] = {code: index for index, (_kind, code) in enumerate(CONCLUSIONS)}


def concluded(
    effect: Effects, p: Floats, adjusted: Floats, higher_is_better: Flags, minimum: Floats
) -> Ints:
    """Return conclusions (indices of CONCLUSIONS) of tested comparisons.

    Test and interval use the same differences at the same level, so they never contradict.
    """
    unbounded = np.isnan(effect.ratio) | np.isnan(effect.low) | np.isnan(effect.high)
    shown = (adjusted <= ALPHA_WITH_ROUNDING) & effect.excludes_one
    alone = (p <= ALPHA_WITH_ROUNDING) & ~unbounded
    not_shown = np.where(alone, CODES["not_shown_in_family"], CODES["not_shown"] + unbounded)
    small = np.abs(effect.ratio - 1) < minimum
    below = np.where(unbounded, CODES["not_shown_unbounded"], CODES["below_minimum"])
    rises = np.isnan(effect.ratio) | (effect.ratio > 1)
    decided = np.where(rises == higher_is_better, CODES["better"], CODES["worse"]) + unbounded
    result: Ints = np.where(shown, np.where(small, below, decided), not_shown)
    return result
