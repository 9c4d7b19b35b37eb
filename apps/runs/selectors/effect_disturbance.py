"""The disturbance of a run as an effect."""

from __future__ import annotations

from apps.inventory.models import CephCluster
from apps.plans.schemas.disturbance import MD_FAIL
from apps.runs.domain.effects import canonical
from apps.runs.models import Run


def disturbance_effect(run: Run) -> str:
    """Return the disturbance with its clusters and commands, as canonical JSON; "" without one."""
    wanted = run.spec.disturbance
    if not wanted:
        return ""
    if wanted.kind == MD_FAIL:
        return canonical({"disturbance": wanted})
    hosts = run.targets.values("members__host")
    clusters = CephCluster.objects.filter(hosts__in=hosts).distinct().order_by("pk")
    rows = [[one.fsid, one.osd_stop_command, one.osd_start_command] for one in clusters]
    return canonical({"disturbance": wanted, "clusters": rows})
