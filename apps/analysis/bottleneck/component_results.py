"""Best results of single disks and networks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from django.utils.translation import gettext as _

from apps.analysis.bottleneck.array_overhead import Metric
from apps.analysis.bottleneck.components import Component
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.results.selectors.results import comparable_summaries
from apps.tools.registry import TOOLS, measures_network, param_with

MEGABIT = 1e6 / 8
"""Bytes/s."""
MAX_RESULTS = 5_000
"""Limit of results per group of disks: the newest."""


@dataclass(frozen=True)
class Kind:
    """Kind of load: direction, bytes per operation, and access ("randread") of the same tool."""

    tool: str
    writes: bool
    block: int | None
    access: str


def kind_of(workload: Workload, operation: str) -> Kind:
    """Return the kind of load of a workload's operation."""
    params = workload.params
    block = params.get(param_with(workload.tool, "block"))
    access = str(params.get(param_with(workload.tool, "operation"), ""))
    size = int(block) if isinstance(block, int | float) else None
    return Kind(workload.tool, "write" in operation, size, access)


def disk_results(targets: Mapping[int, str], kind: Kind, metric: Metric) -> dict[int, Component]:
    """Return the best median of each target (key to name) at this kind of load.

    Results of the same tool match by access, of other tools by direction and block size. Any queue
    depth matches. Bandwidth at another block size is used if no result has the same size.
    """
    rows = (
        comparable_summaries()
        .filter(target__in=targets, **{f"{metric}__isnull": False})
        .order_by("-measured_at", "-pk")
        .values_list("target", "workload", "operation", "run", "case", metric)[:MAX_RESULTS]
    )
    results = list(rows)
    workloads = Workload.objects.in_bulk({row[1] for row in results})
    values_by_target: dict[int, dict[tuple[int, int, str], list[tuple[float, int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    exact: dict[int, bool] = {}
    for target, workload, operation, run, case, value in results:
        fits = _match(kind_of(workloads[workload], operation), kind, metric)
        if fits is None:
            continue
        if fits and not exact.get(target):
            values_by_target[target].clear()
            exact[target] = True
        if fits or not exact.get(target):
            values_by_target[target][(workload, run, operation)].append((value, case))
    return {
        target: _best(name, values_by_target.get(target, {}), workloads)
        for target, name in targets.items()
    }


def _match(own: Kind, kind: Kind, metric: Metric) -> bool | None:
    """Return True for the same load, False for a substitute, None for no match."""
    if own.writes != kind.writes:
        return None
    if own.tool == kind.tool and own.access != kind.access:
        return None
    if own.block == kind.block:
        return True
    return False if metric == "bandwidth" else None


def _best(
    name: str,
    values_by_target: Mapping[tuple[int, int, str], list[tuple[float, int]]],
    workloads: Mapping[int, Workload],
) -> Component:
    medians = [
        (median(value for value, _case in rows), workload, max(rows)[1])
        for (workload, _run, _operation), rows in values_by_target.items()
    ]
    if not medians:
        return Component(name)
    value, workload, case = max(medians)
    one = workloads[workload]
    return Component(name, value, f"{one.tool} {one.label}", case)


def network_results(hosts: Iterable[Host], metric: Metric, block: int | None) -> list[Component]:
    """Return the best result of a network test of each host, else the speed of its fastest NIC.

    Unit: bytes/s for bandwidth, else operations/s of `block` bytes.
    """
    tools = [name for name in TOOLS if measures_network(name)]
    factor = 1.0 if metric == "bandwidth" else 1 / block if block else None
    results = []
    for host in hosts:
        measured = (
            comparable_summaries()
            .filter(workload__tool__in=tools, run_target__members__host=host)
            .order_by("-bandwidth")
            .exclude(bandwidth=None)
            .values_list("bandwidth", "case")
            .first()
        )
        cards = [card.speed * MEGABIT for card in host.known.nics if card.speed]
        if factor is None or (measured is None and not cards):
            results.append(Component(host.name))
        elif measured is not None:
            rate = float(measured[0] or 0)
            results.append(Component(host.name, rate * factor, _("network test"), measured[1]))
        else:
            results.append(Component(host.name, max(cards) * factor, _("link speed")))
    return results
