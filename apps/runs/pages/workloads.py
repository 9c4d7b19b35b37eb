"""The workloads of a run beside each other: what they are called, and what they sweep."""

from __future__ import annotations

from apps.plans.cases.labels import Labelled, told_apart
from apps.plans.models import Workload
from apps.runs.models import Case, Purpose, Run
from apps.tools.workloads.order import workload_order
from apps.tools.workloads.varying import axes

# More workloads are not looked at.
MOST_WORKLOADS = 1_000
MOST_TO_SWEEP = 200
_READ = "workloads_read"


def run_workloads(run: Run) -> list[Workload]:
    """The workloads that a run measures, each once, in the order in which they came into the
    archive. Read once for an object of a run: several parts of its page name them, and a run's
    cases stay what they are.
    """
    known: list[Workload] | None = run.__dict__.get(_READ)
    if known is None:
        measuring = run.cases.exclude(purpose=Purpose.PREPARE)
        # Two queries: one with both reads all cases of each workload of the archive.
        used = measuring.order_by("workload_id").values_list("workload_id", flat=True).distinct()
        keys = list(used[:MOST_WORKLOADS])
        known = list(Workload.objects.filter(pk__in=keys).order_by("pk"))
        run.__dict__[_READ] = known
    return known


def swept(workloads: list[Workload]) -> set[str]:
    """The parameters with a number that vary while all others are equal."""
    return set(axes((one.tool, one.params) for one in workloads[:MOST_TO_SWEEP]))


def in_order(workloads: list[Workload]) -> list[int]:
    """Their ids by the values of their parameters."""
    return [w.pk for w in sorted(workloads, key=lambda w: workload_order(w.tool, w.params))]


def labels_of(workloads: list[Workload]) -> dict[int, str]:
    """A label for each, by its id, that tells it apart from the others."""
    return told_apart({one.pk: Labelled(one.tool, one.params, one.label) for one in workloads})


def label_of(case: Case) -> str:
    """The label of a case's workload among those of its run."""
    return labels_of(run_workloads(case.run)).get(case.workload_id, case.workload.label)
