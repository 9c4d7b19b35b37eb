"""The workloads of a run beside each other: what they are called, and what they sweep."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar, cast

from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.translation import get_language

from apps.common.preferences import preferences
from apps.plans.cases.fitting import runnable
from apps.plans.models import Workload
from apps.plans.workload_names import workload_name, workload_names
from apps.runs.models import Case, Purpose, Run
from apps.runs.pages.case_counts import run_counted
from apps.tools.values import Parameters
from apps.tools.workloads.order import workload_order
from apps.tools.workloads.varying import axes

# More workloads are not looked at.
MOST_WORKLOADS = 1_000
MOST_TO_SWEEP = 200
_READ = "workloads_read"
# Runs of which a process keeps what follows from their workloads alone.
_MOST_RUNS = 32
T = TypeVar("T")


class RunWorkload(NamedTuple):
    """A workload as the database has it: `written` are its parameters as text."""

    pk: int
    tool: str
    written: str
    label: str

    @property
    def params(self) -> Parameters:
        params: Parameters = json.loads(self.written)
        return params


RunWorkloads = tuple[RunWorkload, ...]


def run_workloads(run: Run) -> RunWorkloads:
    """The workloads that a run measures, each once, in the order in which they came into the
    archive. Read once for an object of a run: several parts of its page name them, and a run's
    cases stay what they are.
    """
    known: RunWorkloads | None = run.__dict__.get(_READ)
    if known is None:
        measuring = {row.workload_id for row in run_counted(run) if row.purpose != Purpose.PREPARE}
        keys = sorted(measuring)[:MOST_WORKLOADS]
        rows = Workload.objects.filter(pk__in=keys).order_by("pk")
        columns = ("pk", "tool", Cast("params", TextField()), "label")
        known = tuple(RunWorkload(*row) for row in rows.values_list(*columns))
        run.__dict__[_READ] = known
    return known


def swept(workloads: RunWorkloads) -> frozenset[str]:
    """The parameters with a number that vary while all others are equal."""
    return _kept(_swept, workloads[:MOST_TO_SWEEP])


def in_order(workloads: RunWorkloads) -> Sequence[int]:
    """Their ids by the values of their parameters."""
    return _kept(_in_order, workloads)


def labels_of(workloads: RunWorkloads) -> Mapping[int, str]:
    """A name for each, by its id, that tells it apart from the others."""
    return _kept(_labels, workloads)


def label_of(case: Case) -> str:
    """The name of a case's workload among those of its run."""
    named = labels_of(run_workloads(case.run)).get(case.workload_id)
    return named or workload_name(case.workload)


def _swept(workloads: RunWorkloads) -> frozenset[str]:
    return frozenset(axes((one.tool, one.params) for one in workloads))


def _in_order(workloads: RunWorkloads) -> Sequence[int]:
    ordered = sorted(workloads, key=lambda one: workload_order(one.tool, one.params))
    return tuple(one.pk for one in ordered)


def _labels(workloads: RunWorkloads) -> Mapping[int, str]:
    return workload_names(workloads)


def _kept(work_out: Callable[[RunWorkloads], T], workloads: RunWorkloads) -> T:
    """The function's value for these workloads, their tools as they are now, and the reader's
    language and units. Worked out once, as every part of a run's page asks at every turn.
    """
    rooms = frozenset(runnable(tool) for tool in {one.tool for one in workloads})
    reader = (get_language(), preferences().stamp)
    return cast(T, _follows(work_out, workloads, rooms, reader))  # lru_cache knows no generics


@lru_cache(maxsize=3 * _MOST_RUNS)
def _follows(
    work_out: Callable[[RunWorkloads], object],
    workloads: RunWorkloads,
    _rooms: Hashable,
    _reader: Hashable,
) -> object:
    return work_out(workloads)
