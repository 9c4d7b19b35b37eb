"""Unique names of workloads in lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apps.plans.domain.workload_labels import Labelled, names_with_tools
from apps.plans.models import Workload


def workload_names(workloads: Iterable[Workload], without: str = "") -> Mapping[int, str]:
    """Return a name for each workload, by id, with the parameters that distinguish it.

    Examples: "random read 4 KiB, QD 32", "rados write 4 MiB x16". `without`: a parameter that the
    page shows beside the names.
    """
    labelled = {one.pk: Labelled(one.tool, one.params, one.label) for one in workloads}
    return names_with_tools(labelled, without)


def workload_name(workload: Workload) -> str:
    """Return the name of a single workload."""
    return workload_names([workload])[workload.pk]
