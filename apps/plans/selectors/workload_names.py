"""Names of workloads wherever several of them are listed: no two are the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apps.plans.domain.workload_labels import Labelled, names_with_tools
from apps.plans.models import Workload


def workload_names(workloads: Iterable[Workload]) -> Mapping[int, str]:
    """A name for each, by its id: "random read 4 KiB, QD 32", "rados write 4 MiB x16", and the
    parameters that tell it from the others of the list.
    """
    return names_with_tools({
        one.pk: Labelled(one.tool, one.params, one.label) for one in workloads
    })  # fmt: skip


def workload_name(workload: Workload) -> str:
    """The name of a workload that stands alone."""
    return workload_names([workload])[workload.pk]
