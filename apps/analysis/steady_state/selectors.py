"""Steady-state rounds of a run: the tracked metric of each round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from apps.plans.domain.expand import step_params
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.steady_state import Metric
from apps.results.selectors.steady_state import case_figures
from apps.runs.models import Case, CaseState, Purpose, Run
from apps.runs.presenters.workloads import label_of
from apps.stats.steady_state import MeasurementWindow, steady_window, window_of
from apps.tools.errors import ParamsError
from apps.tools.params import workload_key
from apps.tuning.domain.baseline import tuning_label


@dataclass(frozen=True)
class Track:
    """Tracked metric, a value per round, None if missing.

    `max_rounds`: limit of rounds; `last`: last round of the measurement window, None if not steady.
    """

    test: str
    target: str
    tuning: str
    metric: Metric
    values: tuple[float | None, ...]
    max_rounds: int
    last: int | None
    aging: bool = False

    @property
    def window(self) -> MeasurementWindow | None:
        """Return the measurement window; if not steady, the newest one."""
        return window_of(self.values, self.last)


def tracks_of(run: Run) -> list[Track]:
    """Return the tracked metrics of a run's tests; empty without rounds."""
    rounds = run.spec.steady_state
    if not rounds:
        return []
    purposes = [Purpose.MEASURE, Purpose.TRANSITION]
    cases = run.cases.filter(purpose__in=purposes, workload__key__in=_tracked(run))
    if name := run.spec.steps[rounds.step - 1].name:
        cases = cases.filter(step_name=name)
    result = list(cases.select_related("workload", "run_target", "run_tuning").order_by("sequence"))
    values = figures_of(result, rounds.metric)
    groups: dict[tuple[int, int, int], list[Case]] = defaultdict(list)
    for case in result:
        groups[case.run_target_id, case.run_tuning_id, case.workload_id].append(case)
    number = max((case.block for case in result), default=0)
    series = {key: _by_round(own, values, number) for key, own in groups.items()}
    last = steady_window(list(series.values()))
    metric, limit = rounds.metric, rounds.max_rounds
    return [_track(groups[key][0], metric, series[key], limit, last) for key in groups]


def agings_of(run: Run) -> list[Track]:
    """Return the rounds of random fill in which disks were aged, by target."""
    max_rounds = run.spec.preconditioning.max_aging_rounds
    if not max_rounds:
        return []
    rows = run.cases.filter(purpose=Purpose.PRECONDITION)
    rows = rows.select_related("workload", "run_target", "run_tuning").order_by("sequence")
    groups: dict[int, list[Case]] = defaultdict(list)
    for case in rows:
        groups[case.run_target_id].append(case)
    aging = {target: own[-max_rounds:] for target, own in groups.items()}
    values = figures_of([case for own in aging.values() for case in own], "iops")
    result = []
    for own in aging.values():
        done = [case for case in own if case.state == CaseState.SUCCEEDED]
        series = tuple(values.get(case.pk) for case in done)
        if series:
            last = steady_window([series])
            result.append(_track(own[0], "iops", series, max_rounds, last, aging=True))
    return result


def _track(
    case: Case,
    metric: Metric,
    values: tuple[float | None, ...],
    max_rounds: int,
    last: int | None,
    *,
    aging: bool = False,
) -> Track:
    return Track(
        test=label_of(case),
        target=case.target_words,
        tuning=tuning_label(case.tuning_name),
        metric=metric,
        values=values,
        max_rounds=max_rounds,
        last=last,
        aging=aging,
    )


def _tracked(run: Run) -> list[str]:
    """Return keys of the workloads of the tracked step."""
    step = run.spec.steps[run.spec.steady_state.step - 1]
    try:
        return [
            workload_key(step.tool, params)
            for params in step_params(StepSpec(step.tool, step.params))
        ]
    except ParamsError:
        return []  # the plugin of today rejects the stored parameters


def _by_round(
    cases: Iterable[Case], values: dict[int, float | None], number: int
) -> tuple[float | None, ...]:
    values_by_block = {case.block: values.get(case.pk) for case in cases}
    return tuple(values_by_block.get(block) for block in range(1, number + 1))


def figures_of(cases: Iterable[Case], metric: str) -> dict[int, float | None]:
    """Return the metric of each succeeded case, all operations together."""
    return case_figures([case for case in cases if case.state == CaseState.SUCCEEDED], metric)
