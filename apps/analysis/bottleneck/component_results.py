"""Disks and networks alone: their own best figures. Reads."""

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
from apps.results.selectors.results import figures_that_count
from apps.tools.registry import TOOLS, measures_network, param_with

MEGABIT = 1e6 / 8
"""Bytes per second."""
MAX_RESULTS = 5_000
"""Results of one kind of disk that are looked at: the newest."""


@dataclass(frozen=True)
class Kind:
    """A kind of load: the direction, bytes per operation, and of the same tool how it
    accesses them ("randread").
    """

    tool: str
    writes: bool
    block: int | None
    access: str


def kind_of(workload: Workload, operation: str) -> Kind:
    """The kind of an operation of a workload."""
    params = workload.params
    block = params.get(param_with(workload.tool, "block"))
    access = str(params.get(param_with(workload.tool, "operation"), ""))
    size = int(block) if isinstance(block, int | float) else None
    return Kind(workload.tool, "write" in operation, size, access)


def disk_results(targets: Mapping[int, str], wanted: Kind, metric: Metric) -> dict[int, Component]:
    """Each of these targets (key to name) with the best median that it reached alone at this kind
    of load, at any depth: of the same tool the same access, of others the same direction and size.
    Bandwidth of another size counts where there is none of the same.
    """
    rows = (
        figures_that_count()
        .filter(target__in=targets, **{f"{metric}__isnull": False})
        .order_by("-at", "-pk")
        .values_list("target", "workload", "operation", "run", "case", metric)[:MAX_RESULTS]
    )
    found = list(rows)
    workloads = Workload.objects.in_bulk({row[1] for row in found})
    kept: dict[int, dict[tuple[int, int, str], list[tuple[float, int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    exact: dict[int, bool] = {}
    for target, workload, operation, run, case, value in found:
        fits = _fits(kind_of(workloads[workload], operation), wanted, metric)
        if fits is None:
            continue
        if fits and not exact.get(target):
            kept[target].clear()
            exact[target] = True
        if fits or not exact.get(target):
            kept[target][(workload, run, operation)].append((value, case))
    return {
        target: _best(name, kept.get(target, {}), workloads) for target, name in targets.items()
    }


def _fits(own: Kind, wanted: Kind, metric: Metric) -> bool | None:
    """True: the same load; False: one that stands for it where nothing better is known; None: not
    at all.
    """
    if own.writes != wanted.writes:
        return None
    if own.tool == wanted.tool and own.access != wanted.access:
        return None
    if own.block == wanted.block:
        return True
    return False if metric == "bandwidth" else None


def _best(
    name: str,
    kept: Mapping[tuple[int, int, str], list[tuple[float, int]]],
    workloads: Mapping[int, Workload],
) -> Component:
    medians = [
        (median(value for value, _case in rows), workload, max(rows)[1])
        for (workload, _run, _operation), rows in kept.items()
    ]
    if not medians:
        return Component(name)
    value, workload, case = max(medians)
    one = workloads[workload]
    return Component(name, value, f"{one.tool} {one.label}", case)


def network_results(hosts: Iterable[Host], metric: Metric, block: int | None) -> list[Component]:
    """Each host with the most that a network test with it reached, else with the speed of its
    fastest card; in operations of `block` bytes where operations are asked for.
    """
    tools = [name for name in TOOLS if measures_network(name)]
    factor = 1.0 if metric == "bandwidth" else 1 / block if block else None
    found = []
    for host in hosts:
        measured = (
            figures_that_count()
            .filter(workload__tool__in=tools, run_target__members__host=host)
            .order_by("-bandwidth")
            .exclude(bandwidth=None)
            .values_list("bandwidth", "case")
            .first()
        )
        cards = [card.speed * MEGABIT for card in host.known.nics if card.speed]
        if factor is None or (measured is None and not cards):
            found.append(Component(host.name))
        elif measured is not None:
            rate = float(measured[0] or 0)
            found.append(Component(host.name, rate * factor, _("network test"), measured[1]))
        else:
            found.append(Component(host.name, max(cards) * factor, _("link speed")))
    return found
