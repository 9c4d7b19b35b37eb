"""Cases by participating host or target, read through the indexes of members."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from apps.inventory.models import Target
from apps.runs.models import RunBackground, RunTarget, RunTargetMember


def cases_on_hosts(hosts: Collection[int], link: str = "") -> Q:
    """Return the filter of cases with these hosts. `link`: path to the case ("case__")."""
    ids = RunTargetMember.objects.filter(host__in=hosts).order_by().values("run_target")
    return Q(**{f"{link}run_target__in": ids})


def cases_using_hosts(hosts: Collection[int]) -> Q:
    """Return the filter of cases with these hosts, tested or loaded beside the test."""
    ids = RunTargetMember.objects.filter(host__in=hosts).order_by().values("run_target")
    loads = RunBackground.objects.filter(run_target__in=ids).order_by().values("pk")
    return cases_on_hosts(hosts) | Q(background__in=loads)


def cases_on_target(target: Target, link: str = "") -> Q:
    """Return the filter of cases on a target: alone, or as a member of what was tested."""
    whole = RunTarget.objects.filter(target=target.pk).order_by().values("pk")
    parts = RunTargetMember.objects.filter(target=target.pk).order_by().values("run_target")
    return Q(**{f"{link}run_target__in": whole.union(parts)})


def hosts_of_targets(run_id: int) -> dict[int, list[int]]:
    """Return the host ids of each target of a run in order, by the id of the run target."""
    result: dict[int, list[int]] = {}
    rows = RunTargetMember.objects.filter(run_target__run=run_id).order_by("position")
    for target, host in rows.values_list("run_target_id", "host_id"):
        result.setdefault(target, []).append(host)
    return {target: list(dict.fromkeys(hosts)) for target, hosts in result.items()}


def hosts_of_runs(runs: Collection[int]) -> dict[int, list[int]]:
    """Return the host ids of each target of several runs, each once, by the id of the target."""
    result: dict[int, list[int]] = {}
    rows = RunTargetMember.objects.filter(run_target__run__in=runs).order_by()
    for target, host in rows.values_list("run_target_id", "host_id").distinct():
        result.setdefault(target, []).append(host)
    return result
