"""Cases of the loads that are measured next."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from apps.analysis.sweep.load_search.search import Search
from apps.plans.models import Workload
from apps.plans.services.workloads import workload_ensure
from apps.runs.models import Case, Run, RunExpectation
from apps.tools.errors import ParamsError
from apps.tools.registry import TOOLS


def workload_with(like: Case, name: str, value: int) -> Workload | None:
    """Return the workload with another load; None if the plugin rejects it."""
    plugin = TOOLS.get(like.tool)
    if plugin is None or plugin.params is None:
        return None
    try:
        params = plugin.params.from_raw({**like.params, name: value})
    except ParamsError:
        return None
    return workload_ensure(tool=like.tool, params=params)


def cases_of(run: Run, next_loads: Sequence[tuple[Search, Workload]]) -> Iterator[Case]:
    """Yield every search's next value as often as the plan repeats, in random order."""
    last = run.cases.order_by("-sequence").first()
    assert last is not None, "a search has cases"
    block = (run.cases.order_by("-block").values_list("block", flat=True)[0] or 0) + 1
    slots = [
        (one, row, repeat)
        for one, row in next_loads
        for repeat in range(1, (run.spec.planned_repeats) + 1)
    ]
    random.Random(f"{run.seed} {block}").shuffle(slots)
    for sequence, (one, row, repeat) in enumerate(slots, last.sequence + 1):
        yield Case(
            run=run,
            sequence=sequence,
            block=block if last.block else 0,
            repeat=repeat,
            workload=row,
            run_target=one.like.run_target,
            run_tuning=one.like.tuning_to_apply,
            step_name=one.like.step_name,
            expected_seconds=one.like.expected_seconds,
        )


def expectations_of(next_loads: Sequence[tuple[Search, Workload]]) -> Iterator[RunExpectation]:
    """Yield the expectations of the previous loads for the new ones."""
    for key, workload in {
        (one.like.run_target_id, one.like.workload_id, one.like.step_name): row
        for one, row in next_loads
    }.items():
        target, before, step = key
        rows = RunExpectation.objects.filter(run_target=target, workload=before, step_name=step)
        for row in rows:
            row.pk, row._state.adding, row.workload = None, True, workload
            yield row
