"""Rows of a gate: a decision on each limit of each workload, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, log

import numpy as np
from django.utils.translation import gettext as _

from apps.analysis.gate.compared import Compared, ComparedPair, LonelyTest
from apps.analysis.gate.decisions import (
    STATES,
    Decision,
    GateState,
    LimitedCell,
    Reason,
    decide,
)
from apps.analysis.gate.lost_tests import LostTest, LostTests
from apps.analysis.gate.more_repeats import more_repeats
from apps.analysis.gate.query import GateQuery, limit_ratio
from apps.analysis.repeats.repeats import Floats
from apps.analysis.verdicts.batches import ChainCell
from apps.analysis.verdicts.changes import Change, change_of
from apps.analysis.verdicts.pair_chains import chains_of
from apps.stats.alpha_spending import FIRST_LOOK_SHARE, Looks
from apps.stats.effect import Effect
from apps.stats.multiplicity import ALPHA
from apps.tools.metrics import METRICS
from apps.tuning.domain.baseline import tuning_label

NO_CHANGE = Change(None, Effect(None, None, None))


@dataclass(frozen=True)
class GateRow:
    """Decision on one metric of one workload.

    `percent`: the limit; `limit`: as a ratio to the baseline; `level`: error of the interval;
    `limits`: number of limits that share the error; `more`: repeats that may decide it, if any
    number can; `differing`: what besides the factor differs; `lost`: repeats without a result;
    `fixed_baseline`: the baseline is another run.
    Medians are in the metric's canonical unit.
    """

    metric: str
    percent: float
    state: GateState
    workload: str = ""
    key: str = ""
    operation: str = ""
    target: str = ""
    tuning: str = ""
    level: str = ""
    baseline: str = ""
    reason: Reason = Reason.NONE
    change: Change = NO_CHANGE
    baseline_median: float | None = None
    median: float | None = None
    baseline_n: int = 0
    n: int = 0
    error: float = ALPHA
    limits: int = 1
    more: int | None = None
    differing: tuple[str, ...] = ()
    lost: str = ""
    of_network: bool = False
    fixed_baseline: bool = False

    @property
    def limit(self) -> float:
        return limit_ratio(self.metric, self.percent)


def gate_rows(
    query: GateQuery, compared: Sequence[Compared], lonely: Sequence[LonelyTest], lost: LostTests
) -> list[GateRow]:
    """Return the rows of a gate, the worst first."""
    pairs = [pair for one in compared for pair in one.pairs]
    alone = [*(test for one in compared for test in one.lonely), *lonely]
    rows = [*_pair_rows(query, pairs, lost), *_lonely_rows(query, alone)]
    rows += _lost_rows(query, pairs, alone, lost)
    measured = {row.metric for row in rows}
    rows += [
        GateRow(metric, percent, GateState.NO_RESULT)
        for metric, percent in query.limits
        if metric not in measured
    ]
    return sorted(rows, key=_rank)


def _rank(row: GateRow) -> tuple[int, float]:
    """Return a sort key: the worst state first, in it the smallest margin to the limit."""
    ratio = row.change.effect.ratio
    if not ratio or not isfinite(ratio):
        return STATES.index(row.state), -inf
    margin = log(ratio / row.limit)
    return STATES.index(row.state), margin if METRICS[row.metric].higher_is_better else -margin


def _pair_rows(
    query: GateQuery, pairs: Sequence[ComparedPair], lost: LostTests
) -> Iterator[GateRow]:
    tested, cells = [], []
    for one in pairs:
        for metric, percent in query.limits:
            base = _base_row(one, metric, percent, lost)
            if metric in one.pair.present:
                tested.append((one, base))
                cells.append(LimitedCell(_cell(one, metric), base.limit))
            elif metric in one.pair.measured:
                yield base
    for (one, base), cell, decision in zip(tested, cells, decide(cells), strict=True):
        yield _decided_row(one, base, cell, decision)


def _base_row(one: ComparedPair, metric: str, percent: float, lost: LostTests) -> GateRow:
    """Return the row of a metric that one side lacks."""
    repeats, first = one.repeats, one.pair.b[0]
    here = repeats.shared[repeats.conditions[first]]
    index = int(bool(one.pair.counts(metric)[1]))
    state = (GateState.NO_RESULT, GateState.NOT_COMPARABLE)[index]
    missing = _("the baseline has no value of {metric}").format(metric=_(METRICS[metric].head))
    return GateRow(
        metric, percent, state, one.group.label, one.group.workload, one.group.operation,
        here.target_label, tuning_label(here.tuning_name), one.pair.level,
        one.comparison.baseline_name,
        differing=(missing,) if index else (), lost=_lost_text(one, lost),
        of_network=one.group.of_network, fixed_baseline=one.comparison.fixed_baseline,
    )  # fmt: skip


def _lost_text(one: ComparedPair, lost: LostTests) -> str:
    pks = one.repeats.measurement[one.pair.b].tolist()
    keys = {lost.keys[pk] for pk in pks if pk in lost.keys}
    return "; ".join(lost.tests[key].text for key in sorted(keys) if key in lost.tests)


def _cell(one: ComparedPair, metric: str) -> ChainCell:
    ((cell,),) = chains_of(one.repeats, [one.pair], [(metric,)], one.comparison.query)
    if cell.blocks is not None:
        return cell
    return replace(cell, looks=_looks(one))


def _looks(one: ComparedPair) -> Looks:
    """Return the analyses of two runs, which share no blocks: one at the end of each stage.

    Each addition of repeats after the first analysis may spend half of the remaining error.
    """
    stages = {look.stage for look in one.repeats.looks}
    rest = 1 - FIRST_LOOK_SHARE
    return tuple((count + 1, 1 - rest / 2**count) for count in range(len(stages) + 1))


def _decided_row(
    one: ComparedPair, base: GateRow, cell: LimitedCell, decision: Decision
) -> GateRow:
    values = one.repeats.metric(base.metric)
    medians = _median(values[one.pair.a]), _median(values[one.pair.b])
    state = decision.state
    # A repeat without a result is no random loss, so the others cannot pass the workload.
    if base.lost and state in (GateState.PASSED, GateState.UNDECIDED):
        state = GateState.NO_RESULT
    more = None
    if state is GateState.UNDECIDED:
        more = more_repeats(decision, cell, fixed_baseline=base.fixed_baseline)
    return replace(
        base, state=state, reason=decision.reason, more=more,
        change=change_of(*medians, decision.effect),
        baseline_median=medians[0], median=medians[1],
        baseline_n=decision.n_a, n=decision.n_b, error=decision.level, limits=decision.limits,
        differing=tuple(cell.cell.differing_factors),
    )  # fmt: skip


def _median(values: Floats) -> float | None:
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if len(finite) else None


def _lonely_rows(query: GateQuery, alone: Sequence[LonelyTest]) -> Iterator[GateRow]:
    for one in alone:
        repeats, first = one.repeats, one.rows[0]
        here, point = (
            repeats.shared[repeats.conditions[first]], repeats.points[repeats.point[first]]
        )  # fmt: skip
        for metric, percent in query.limits:
            values = repeats.metric(metric)[one.rows]
            if not np.isfinite(values).any():
                continue
            yield GateRow(
                metric, percent, GateState.NOT_COMPARABLE, one.label, point.key,
                repeats.operations[repeats.operation[first]], here.target_label,
                tuning_label(here.tuning_name), baseline=_baseline_name(query, one),
                median=_median(values),
                n=int(np.isfinite(values).sum()), differing=one.differing,
            )  # fmt: skip


def _baseline_name(query: GateQuery, one: LonelyTest) -> str:
    return one.comparison.baseline_name if one.comparison else query.name


def _lost_rows(
    query: GateQuery,
    pairs: Sequence[ComparedPair],
    alone: Sequence[LonelyTest],
    lost: LostTests,
) -> Iterator[GateRow]:
    """Yield the rows of tests without any result."""
    sides = [
        *(one.repeats.measurement[one.pair.b] for one in pairs),
        *(one.repeats.measurement[one.rows] for one in alone),
    ]
    shown = {lost.keys.get(pk) for side in sides for pk in side.tolist()}
    for key, test in lost.tests.items():
        if key not in shown:
            yield from (_lost_row(test, *limit) for limit in query.limits)


def _lost_row(test: LostTest, metric: str, percent: float) -> GateRow:
    return GateRow(
        metric, percent, GateState.NO_RESULT, test.label, target=test.target,
        tuning=tuning_label(test.tuning), lost=test.text,
    )  # fmt: skip
