"""The rule of runs that look for the largest load at which what their steps expect still holds.

A step's sweep over the load is where the search begins; behind its last block the value halfway
between the largest at which everything held and the smallest at which it did not is measured, as
often as the plan repeats, until the two lie next to each other. Every test, target and tuning is
searched for itself, all of them in one block.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from statistics import median

from apps.plans.expectations.contract import Expectation
from apps.plans.expectations.judge import Judged, judge
from apps.plans.expectations.written import value_text
from apps.plans.models import Workload
from apps.results.selectors import figures_that_count
from apps.runs.models import Case, Purpose, Run, RunExpectation
from apps.runs.more_repeats.going_on import Enough, OneMore
from apps.tools.base import ParamsError
from apps.tools.metrics import METRICS
from apps.tools.params import canonical_key, workload_key
from apps.tools.registry import TOOLS
from apps.tools.sentences import Sentence, joined, sentence

NAME = "saturation"
MOST_POINTS = 16
"""Values of one search, with those it began with."""
CLOSE = 1.05
"""The ratio of two loads below which the search ends."""


@dataclass(frozen=True)
class Missed:
    """An expectation that a load does not keep; `middle`: the median in its unit."""

    expected: Expectation
    middle: float


@dataclass(frozen=True)
class Load:
    """One value that was measured. `missed` is None where every repeat failed."""

    value: int
    repeats: int
    missed: tuple[Missed, ...] | None

    @property
    def holds(self) -> bool:
        return self.missed == ()


@dataclass
class Search:
    """The loads of one test on one target under one tuning; `like`: a case of it."""

    like: Case
    expected: tuple[Expectation, ...]
    loads: list[Load] = field(default_factory=list)

    @property
    def largest(self) -> Load | None:
        """The largest load that holds, below the first that does not."""
        first = self.first_missed
        below = [one for one in self.loads if one.holds and (not first or one.value < first.value)]
        return max(below, key=lambda load: load.value, default=None)

    @property
    def first_missed(self) -> Load | None:
        missed = [load for load in self.loads if not load.holds]
        return min(missed, key=lambda load: load.value, default=None)

    def next(self) -> int | None:
        """The value to measure next; None where the search has ended."""
        low, high = self.largest, self.first_missed
        if low is None or high is None or len(self.loads) >= MOST_POINTS:
            return None
        if high.value - low.value <= 1 or high.value <= low.value * CLOSE:
            return None
        if high.value > 4 * low.value:
            return isqrt(low.value * high.value)
        return (low.value + high.value) // 2


class SaturationRule:
    """Asked by the worker after each block (`apps.runs.more_repeats.going_on`)."""

    name = NAME

    def applies(self, run: Run) -> bool:
        return bool(run.plan_copy.saturates) and not run.additions.exists()

    def answer(self, run: Run) -> OneMore | Enough:
        name = run.plan_copy.saturates
        searches = searches_of(run, name)
        wanted = [(one, value) for one in searches if (value := one.next()) is not None]
        if run.decisions.filter(rule=NAME).count() >= MOST_POINTS:
            wanted = []
        made = [(one, row) for one, value in wanted if (row := _workload(one.like, name, value))]
        if not made:
            return Enough(joined(*(_said(one, name, len(searches) > 1) for one in searches)))
        cases = list(_cases(run, made))
        values = ", ".join(str(value) for value in sorted({value for _one, value in wanted}))
        reason = sentence("%(load)s %(values)s is measured next", load=name, values=values)
        return OneMore(cases, reason, tuple(_expectations(made)))


def searches_of(run: Run, name: str) -> list[Search]:
    """The searches of a run over this parameter, in the order of its cases."""
    expected = _expected(run)
    found: dict[tuple[object, ...], Search] = {}
    measured_only = run.cases.filter(purpose=Purpose.MEASURE)
    rows = measured_only.select_related("workload", "run_target", "run_tuning", "planned_tuning")
    by_load: dict[int, dict[int, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for case in rows.order_by("position"):
        value = case.params.get(name)
        wanted = expected.get((case.run_target_id, case.workload_id, case.step_name))
        if not isinstance(value, int) or not wanted:
            continue
        rest = {key: one for key, one in case.params.items() if key != name}
        key = (
            case.step_name, case.tool, canonical_key(rest), case.run_target_id,
            case.asked_tuning.pk,
        )  # fmt: skip
        search = found.setdefault(key, Search(case, wanted))
        by_load[id(search)][value].append(case)
    measured = _measured(run)
    for search in found.values():
        for value, cases in sorted(by_load[id(search)].items()):
            search.loads.append(_load(value, cases, search.expected, measured))
    return list(found.values())


Place = tuple[int, int, str]
"""Keys of the target and the workload, and the step's name."""
Measured = Mapping[int, Sequence[tuple[str, Mapping[str, float | None]]]]
"""By case: each operation with its figures."""


def _expected(run: Run) -> dict[Place, tuple[Expectation, ...]]:
    found: dict[Place, tuple[Expectation, ...]] = {}
    for row in RunExpectation.objects.filter(run_target__run=run).order_by("position"):
        place = row.run_target_id, row.workload_id, row.step_name
        found[place] = (*found.get(place, ()), row.expected)
    return found


def _measured(run: Run) -> Measured:
    """The figures that count: one query."""
    wanted = sorted({row.metric for row in RunExpectation.objects.filter(run_target__run=run)})
    rows = figures_that_count().filter(run=run)
    found: dict[int, list[tuple[str, Mapping[str, float | None]]]] = defaultdict(list)
    for case, operation, *values in rows.values_list("case_id", "operation", *wanted):
        found[case].append((operation, dict(zip(wanted, values, strict=True))))
    return found


def _load(
    value: int, cases: Sequence[Case], expected: Sequence[Expectation], measured: Measured
) -> Load:
    figures: dict[tuple[Expectation, str], list[float]] = defaultdict(list)
    for case in cases:
        for operation, values in measured.get(case.pk, ()):
            for one in expected:
                here = values.get(one.metric)
                if here is not None and one.operation in ("", operation):
                    figures[one, operation].append(here)
    repeats = len({case.pk for case in cases if measured.get(case.pk)})
    if not figures:
        return Load(value, repeats, None)
    missed = [Missed(one, median(mine)) for (one, _operation), mine in figures.items()
              if not _held(one, median(mine))]  # fmt: skip
    return Load(value, repeats, tuple(missed))


def _held(expected: Expectation, middle: float) -> bool:
    assert expected.value is not None, "frozen at the launch"
    sign = -1 if expected.direction == "least" else 1
    bound = expected.value * (1 + sign * expected.tolerance / 100)
    return judge(expected.value, expected.direction, bound, [middle]).judged == Judged.MET


def _workload(like: Case, name: str, value: int) -> Workload | None:
    """The test with another load; None where the tool's room refuses it."""
    room = TOOLS.get(like.tool)
    if room is None or room.params is None:
        return None
    try:
        params = room.params.from_raw({**like.params, name: value})
    except ParamsError:
        return None
    key = workload_key(like.tool, params)
    row, _new = Workload.objects.get_or_create(
        key=key,
        defaults={
            "tool": like.tool, "params": params.canonical(), "label": params.describe()[:200]
        },
    )  # fmt: skip
    return row


def _cases(run: Run, made: Sequence[tuple[Search, Workload]]) -> Iterator[Case]:
    """Every search's next value as often as the plan repeats, in random order."""
    last = run.cases.order_by("-position").first()
    assert last is not None, "a search has cases"
    block = (run.cases.order_by("-block").values_list("block", flat=True)[0] or 0) + 1
    slots = [
        (one, row, repeat)
        for one, row in made
        for repeat in range(1, (run.plan_copy.repeats or 1) + 1)
    ]
    random.Random(f"{run.plan_copy.seed} {block}").shuffle(slots)
    for position, (one, row, repeat) in enumerate(slots, last.position + 1):
        yield Case(
            run=run,
            position=position,
            block=block if last.block else 0,
            repeat=repeat,
            workload=row,
            run_target=one.like.run_target,
            run_tuning=one.like.asked_tuning,
            step_name=one.like.step_name,
            expected_seconds=one.like.expected_seconds,
        )


def _expectations(made: Sequence[tuple[Search, Workload]]) -> Iterator[RunExpectation]:
    """The same rows for the new loads as for those before."""
    for place, workload in {
        (one.like.run_target_id, one.like.workload_id, one.like.step_name): row for one, row in made
    }.items():
        target, before, step = place
        rows = RunExpectation.objects.filter(run_target=target, workload=before, step_name=step)
        for row in rows:
            row.pk, row._state.adding, row.workload = None, True, workload
            yield row


def _said(search: Search, name: str, several: bool) -> Sentence:
    found = _found(search, name)
    if not several:
        return found
    like = search.like
    where = f"{like.target_words}, {like.tuning_name}"
    return sentence("%(where)s: %(found)s", where=where, found=found)


def _found(search: Search, name: str) -> Sentence:
    """ "latency p99 at most 10 ms holds up to iodepth 48 (3 repeats each); at 64 it is 12.4 ms"."""
    low, high = search.largest, search.first_missed
    what = ", ".join(map(_promise, search.expected))
    if high is None:
        assert low is not None, "a search has a load"
        return sentence(
            "%(what)s holds up to %(load)s %(value)d, the largest that was tried",
            what=what,
            load=name,
            value=low.value,
        )
    if low is None:
        return sentence(
            "%(what)s does not hold at %(load)s %(value)d, the smallest that was tried: %(why)s",
            what=what,
            load=name,
            value=high.value,
            why=_why(high),
        )
    return sentence(
        "%(what)s holds up to %(load)s %(value)d (%(n)d repeats each); at %(high)d %(why)s",
        what=what, load=name, value=low.value, n=low.repeats, high=high.value,
        why=_why(high),
    )  # fmt: skip


def _promise(expected: Expectation) -> str:
    metric = METRICS[expected.metric]
    assert expected.value is not None, "frozen at the launch"
    words = "at least" if expected.direction == "least" else "at most"
    return f"{metric.label} {words} {value_text(metric, expected.value, expected.unit)}"


def _why(load: Load) -> Sentence:
    if not load.missed:
        return sentence("every repeat failed")
    missed = load.missed[0]
    text = value_text(METRICS[missed.expected.metric], missed.middle, missed.expected.unit)
    return sentence("it is %(value)s", value=text)
