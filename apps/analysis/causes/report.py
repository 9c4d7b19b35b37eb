"""Ranked conditions of one difference as texts, and the run that would decide between two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.analysis.causes.affected import AffectedRepeats
from apps.analysis.causes.deciding_run import DecidingRun, deciding_run
from apps.analysis.causes.kinds import TEXTS, Kind
from apps.analysis.causes.observations import conditions_of_repeats
from apps.analysis.causes.ranking import (
    AffectedRepeat,
    RankedCondition,
    rank_conditions,
)
from apps.analysis.causes.selectors import MAX_REPEATS, observations_of
from apps.common.domain.units import binary_bytes, significant
from apps.common.domain.units import share as share_text

MAX_CANDIDATES = 10
"""Limit of listed conditions."""
LIKELY_BY_CHANCE = 0.05


@dataclass(frozen=True)
class Subject:
    """The difference whose repeats are looked at.

    `without`: properties that belong to the compared factor. `plan`: of the newest run, `workload`:
    id of the measured one, both for the deciding run.
    """

    title: str
    affected: AffectedRepeats
    affected_text: str
    without: frozenset[str] = frozenset()
    plan: int | None = None
    workload: int | None = None


@dataclass(frozen=True)
class Candidate:
    """Condition that fits the affected repeats. `value`: what the affected repeats have."""

    kind: Kind
    kind_label: str
    name: str
    value: str
    affected_with: int
    affected_total: int
    others_with: int
    others_total: int
    score: float
    p: float
    equals_factor: bool
    fit_text: str
    notes: tuple[str, ...]
    details: tuple[str, ...]

    @property
    def title(self) -> str:
        """Return the kind with its name; only the name if it has the kind's words already."""
        if self.kind == Kind.NEIGHBOUR or self.name == self.kind_label:
            return self.name
        return f"{self.kind_label}: {self.name}"


@dataclass(frozen=True)
class CauseReport:
    """Conditions of one difference, the best fit first.

    `separated`: all affected repeats ran before or after all others.
    """

    title: str
    affected_text: str
    affected: int
    others: int
    candidates: tuple[Candidate, ...]
    more: int
    separated: bool
    deciding_run: DecidingRun | None


def cause_report(subject: Subject) -> CauseReport:
    """Return the report on one difference. A constant number of queries."""
    repeats = _thinned(subject.affected.repeats)
    observations = observations_of(one.key for one in repeats)
    conditions = conditions_of_repeats(observations, without=subject.without)
    ranked = rank_conditions(repeats, conditions)
    order = [one.key for one in observations]
    return CauseReport(
        subject.title,
        subject.affected_text,
        subject.affected.affected,
        subject.affected.others,
        tuple(_candidate(row) for row in ranked[:MAX_CANDIDATES]),
        max(0, len(ranked) - MAX_CANDIDATES),
        _are_separated(order, repeats),
        deciding_run(ranked, plan=subject.plan, workload=subject.workload),
    )


def _thinned(repeats: Sequence[AffectedRepeat]) -> list[AffectedRepeat]:
    """Return at most MAX_REPEATS, evenly chosen from the affected ones and from the others."""
    result = []
    for affected in (True, False):
        side = [one for one in repeats if one.affected is affected]
        step = max(1, math.ceil(2 * len(side) / MAX_REPEATS))
        result += side[::step]
    return result


def _are_separated(order: Sequence[int], repeats: Sequence[AffectedRepeat]) -> bool:
    """Return True if the affected repeats are all first or all last in the order of time."""
    affected = {one.key for one in repeats if one.affected}
    marks = [key in affected for key in order]
    return len(set(marks)) > 1 and sum(a != b for a, b in pairwise(marks)) == 1


def _candidate(row: RankedCondition) -> Candidate:
    condition, split = row.condition, row.split
    (hits, total), (false_hits, rest) = split.affected, split.others
    fit = _(
        "would explain it: fits {hits} of {total} affected repeats, {false_hits} of {rest} others"
    )
    return Candidate(
        kind=condition.kind,
        kind_label=str(TEXTS[condition.kind].label),
        name=condition.name,
        value=_value_text(row),
        affected_with=hits,
        affected_total=total,
        others_with=false_hits,
        others_total=rest,
        score=round(row.score, 4),
        p=row.p,
        equals_factor=row.equals_factor,
        fit_text=fit.format(hits=hits, total=total, false_hits=false_hits, rest=rest),
        notes=tuple(_notes(row)),
        details=condition.details,
    )


def _value_text(row: RankedCondition) -> str:
    split, unit = row.split, row.condition.unit
    if split.threshold is None:
        return split.value
    if unit == "flag":
        return _("yes")
    texts = {
        "bytes": binary_bytes,
        "bytes/s": lambda n: f"{binary_bytes(n)}/s",
        "share": share_text,
    }
    plain = f"{significant(split.threshold, digits=3)} {unit}".strip()
    text = texts[unit](split.threshold) if unit in texts else plain
    return _("more than {value}").format(value=text)


def _notes(row: RankedCondition) -> list[str]:
    notes = []
    if row.equals_factor:
        notes.append(
            _(
                "Every level has it in all repeats or in none: these repeats do not separate it "
                "from the compared factor."
            )
        )
    elif row.inside_sign > 0:
        notes.append(_("Inside the levels, too, the slower repeats have more of it."))
    elif row.inside_sign < 0:
        notes.append(_("Inside the levels the slower repeats have less of it, so it counts less."))
    if row.p > LIKELY_BY_CHANCE:
        notes.append(
            _("With so few repeats such a fit also occurs by chance: p = {p}.").format(
                p=significant(row.p, digits=2)
            )
        )
    if row.is_small:
        notes.append(_("The difference is small, so it counts less."))
    return notes


def affected_text(repeats: AffectedRepeats, level: str = "") -> str:
    """Return which repeats are the affected ones."""
    if repeats.in_groups:
        text = ngettext(
            "The results form two groups; the affected repeat is the slow one.",
            "The results form two groups; the {n} affected repeats are the slow ones.",
            repeats.affected,
        )
        return text.format(n=repeats.affected)
    text = ngettext(
        "The affected repeat is that of the slower level, “{level}”.",
        "The {n} affected repeats are those of the slower level, “{level}”.",
        repeats.affected,
    )
    return text.format(n=repeats.affected, level=level)
