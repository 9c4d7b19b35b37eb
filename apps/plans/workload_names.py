"""Names of workloads wherever several of them are listed: no two are the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from apps.plans.cases.labels import Labelled, names_with_tools
from apps.tools.values import Parameters


class NamedWorkload(Protocol):
    """A row of the archive's workloads, or as much of it as a name needs."""

    @property
    def pk(self) -> int: ...
    @property
    def tool(self) -> str: ...
    @property
    def params(self) -> Parameters: ...
    @property
    def label(self) -> str: ...


def workload_names(workloads: Iterable[NamedWorkload]) -> Mapping[int, str]:
    """A name for each, by its id: "random read 4 KiB, QD 32", "rados write 4 MiB x16", and the
    parameters that tell it from the others of the list.
    """
    return names_with_tools({
        one.pk: Labelled(one.tool, one.params, one.label) for one in workloads
    })  # fmt: skip


def workload_name(workload: NamedWorkload) -> str:
    """The name of a workload that stands alone."""
    return workload_names([workload])[workload.pk]
