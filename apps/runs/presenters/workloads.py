"""Workloads of a run: their names, and the parameters of its sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.plans.models import Workload
from apps.plans.selectors.workload_names import workload_name, workload_names
from apps.runs.models import Case, Purpose, Run
from apps.runs.presenters.case_counts import run_counted
from apps.tools.workloads.order import workload_order
from apps.tools.workloads.varying import axes, varying

# More workloads are not looked at.
MOST_WORKLOADS = 1_000
MOST_TO_SWEEP = 200
_READ = "workloads_read"
RunWorkloads = tuple[Workload, ...]


def run_workloads(run: Run) -> RunWorkloads:
    """Return the measured workloads of a run in order of creation, cached on the object."""
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
    """Return the numeric parameters that vary while all others are equal."""
    return frozenset(axes((one.tool, one.params) for one in workloads[:MOST_TO_SWEEP]))


def has_table(workloads: RunWorkloads) -> bool:
    """Return True if two parameters vary, one of them with numbers."""
    points = [(one.tool, one.params) for one in workloads[:MOST_TO_SWEEP]]
    return bool(axes(points)) and len(varying(points)) > 1


def in_order(workloads: RunWorkloads) -> Sequence[int]:
    """Return the ids ordered by the values of the parameters."""
    ordered = sorted(workloads, key=lambda one: workload_order(one.tool, one.params))
    return [one.pk for one in ordered]


def labels_of(workloads: RunWorkloads, without: str = "") -> Mapping[int, str]:
    """Return a distinct name of each workload by id.

    `without`: a parameter that the page shows beside the names.
    """
    return workload_names(workloads, without)


def label_of(case: Case) -> str:
    """Return the name of a case's workload within its run."""
    named = labels_of(run_workloads(case.run)).get(case.workload_id)
    return named or workload_name(case.workload)
