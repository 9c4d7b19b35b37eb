"""The workloads of a run beside each other: what they are called, and what they sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_name, workload_names
from apps.runs.models import Case, Purpose, Run
from apps.runs.presenters.case_counts import run_counted
from apps.tools.workloads.order import workload_order
from apps.tools.workloads.varying import axes

# More workloads are not looked at.
MOST_WORKLOADS = 1_000
MOST_TO_SWEEP = 200
_READ = "workloads_read"
RunWorkloads = tuple[Workload, ...]


def run_workloads(run: Run) -> RunWorkloads:
    """The workloads that a run measures, each once, in the order in which they came into the
    archive. Read once for an object of a run: several parts of its page name them, and a run's
    cases stay what they are.
    """
    known: RunWorkloads | None = run.__dict__.get(_READ)
    if known is None:
        measuring = {
            row.workload_id for row in run_counted(run) if row.purpose != Purpose.PRECONDITION
        }
        keys = sorted(measuring)[:MOST_WORKLOADS]
        known = tuple(Workload.objects.filter(pk__in=keys).order_by("pk"))
        run.__dict__[_READ] = known
    return known


def swept(workloads: RunWorkloads) -> frozenset[str]:
    """The parameters with a number that vary while all others are equal."""
    return frozenset(axes((one.tool, one.params) for one in workloads[:MOST_TO_SWEEP]))


def in_order(workloads: RunWorkloads) -> Sequence[int]:
    """Their ids by the values of their parameters."""
    ordered = sorted(workloads, key=lambda one: workload_order(one.tool, one.params))
    return [one.pk for one in ordered]


def labels_of(workloads: RunWorkloads) -> Mapping[int, str]:
    """A name for each, by its id, that tells it apart from the others."""
    return workload_names(workloads)


def label_of(case: Case) -> str:
    """The name of a case's workload among those of its run."""
    named = labels_of(run_workloads(case.run)).get(case.workload_id)
    return named or workload_name(case.workload)
