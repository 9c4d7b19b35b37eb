"""Progress within tests: seconds without progress, and the spread of windows against a change.

Both explain a comparison; neither is a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext as _

from apps.analysis.repeats.rates_over_time import (
    RateOverTime,
    rates_over_time,
    stalled_measurements,
)
from apps.analysis.repeats.repeats import Ints, Repeats
from apps.analysis.verdicts.evaluate import ComparedResult
from apps.analysis.verdicts.multiplicity import RATES, Pair
from apps.common.domain.value_format import format_change
from apps.common.domain.verdicts import VerdictKind
from apps.tools.metrics import STALLED


@dataclass(frozen=True)
class StalledSide:
    """Seconds without progress and seconds of all repeats of a level.

    `stalled` is None if it is unknown of a repeat.
    """

    stalled: float | None
    seconds: float


@dataclass(frozen=True)
class WindowSpread:
    """Largest spread of windows within a test, and what it leaves uncertain of the change.

    `deviation`: standard deviation of the windows as a share of their mean. `error`: standard
    error of the ratio of both sides that follows from it, for independent windows: a lower bound.
    """

    interval: float
    windows: int
    deviation: float
    error: float
    change: float


@dataclass(frozen=True)
class WithinTests:
    """Progress within the tests of a level (`own`) and of the baseline.

    `spread`: set if too few repeats were measured and the change is within its error. `is_tested`:
    the seconds without progress have a verdict.
    """

    level: str
    baseline: StalledSide
    own: StalledSide
    spread: WindowSpread | None
    is_tested: bool

    @property
    def has_stalls(self) -> bool:
        return bool(self.baseline.stalled or self.own.stalled)

    @property
    def sentences(self) -> Iterator[str]:
        """Yield the line about stalls, and that about the spread of windows."""
        if self.has_stalls:
            yield _stalls_text(self)
        if self.spread:
            yield _spread_text(self.spread)


Notes = Mapping[tuple[str, str], WithinTests]
"""Notes by slug of the workload and by level."""


def within_tests(runs: Sequence[int], results: Sequence[ComparedResult]) -> Notes:
    """Return the notes on pairs that stalled, or whose undecided change is within its error."""
    stalled = stalled_measurements(runs)
    wanted = [
        (result, number)
        for result in results
        for number in range(len(result.pairs))
        if _is_undecided(result, number)
        or (stalled and not stalled.isdisjoint(_measurements(result.repeats, result.pairs[number])))
    ]
    if not wanted:
        return {}
    ids = {pk for result, at in wanted for pk in _measurements(result.repeats, result.pairs[at])}
    rates = rates_over_time(ids)
    notes = {(r.group.slug, r.pairs[at].level): _note(r, at, rates) for r, at in wanted}
    return {key: note for key, note in notes.items() if note.has_stalls or note.spread}


def _is_undecided(result: ComparedResult, number: int) -> bool:
    verdict = result.head(number)
    return verdict is None or verdict.kind is VerdictKind.TOO_FEW_REPEATS


def _measurements(repeats: Repeats, pair: Pair) -> list[int]:
    return [*repeats.measurement[pair.a].tolist(), *repeats.measurement[pair.b].tolist()]


def _note(result: ComparedResult, number: int, rates: Mapping[int, RateOverTime]) -> WithinTests:
    pair = result.pairs[number]
    sides = [_rates(result.repeats, rows, rates) for rows in (pair.a, pair.b)]
    verdict = result.verdicts[number].get(STALLED.key)
    return WithinTests(
        pair.level,
        _stalled_side(sides[0], len(pair.a)),
        _stalled_side(sides[1], len(pair.b)),
        _spread(result, number, sides) if _is_undecided(result, number) else None,
        verdict is not None and verdict.p is not None,
    )


def _rates(repeats: Repeats, rows: Ints, rates: Mapping[int, RateOverTime]) -> list[RateOverTime]:
    return [rates[pk] for pk in repeats.measurement[rows].tolist() if pk in rates]


def _stalled_side(rates: Sequence[RateOverTime], repeats: int) -> StalledSide:
    seconds = [rate.stalled for rate in rates if rate.stalled is not None]
    is_known = len(seconds) == repeats
    return StalledSide(sum(seconds) if is_known else None, sum(rate.seconds for rate in rates))


def _spread(
    result: ComparedResult, number: int, sides: Sequence[Sequence[RateOverTime]]
) -> WindowSpread | None:
    line = result.line(result.main)
    change = line.entries[number].change.shown if line and result.main in RATES else None
    errors = [_error(side) for side in sides]
    if change is None or None in errors:
        return None
    error = sqrt(sum(each**2 for each in errors if each is not None))
    widest = max((rate for side in sides for rate in side), key=lambda rate: rate.deviation or 0.0)
    if abs(change - 1) >= error or widest.deviation is None:
        return None
    return WindowSpread(widest.interval, widest.windows, widest.deviation, error, change)


def _error(rates: Sequence[RateOverTime]) -> float | None:
    """Return the relative standard error of a side's mean from the spread of its windows."""
    shares = [rate.deviation for rate in rates if rate.deviation is not None and rate.windows > 1]
    if not shares or len(shares) < len(rates):
        return None
    variances = (rate.deviation**2 / rate.windows for rate in rates if rate.deviation is not None)
    return sqrt(sum(variances)) / len(rates)


def _stalls_text(note: WithinTests) -> str:
    a, b = note.baseline, note.own
    if a.seconds == b.seconds and a.stalled is not None and b.stalled is not None:
        text = _("Stalled {a} s → {b} s of {seconds} s")
        shown = text.format(a=f"{a.stalled:g}", b=f"{b.stalled:g}", seconds=f"{a.seconds:g}")
    else:
        shown = _("Stalled {a} → {b}").format(a=_side_text(a), b=_side_text(b))
    return shown + ("." if note.is_tested else _("; not tested."))


def _side_text(side: StalledSide) -> str:
    if side.stalled is None:
        return _("unknown")
    return _("{stalled} s of {seconds} s").format(
        stalled=f"{side.stalled:g}", seconds=f"{side.seconds:g}"
    )


def _spread_text(spread: WindowSpread) -> str:
    text = _(
        "Within one test, windows of {interval} s have a standard deviation of {deviation} % of"
        " their mean. That alone gives the change a standard error of at least {error} %; it is"
        " {change}."
    )
    return text.format(
        interval=f"{spread.interval:g}",
        deviation=f"{spread.deviation * 100:.0f}",
        error=f"{spread.error * 100:.0f}",
        change=format_change(spread.change),
    )
