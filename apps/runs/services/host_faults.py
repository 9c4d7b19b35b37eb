"""Record which hosts a run ended by a fault of."""

from __future__ import annotations

from apps.inventory.services import host_faults_record
from apps.runs.models import Run, RunState, RunTargetMember
from apps.runs.selectors.host_holds import hosts_at_fault


def host_faults_after(run: Run) -> None:
    """Record the faults of hosts at the end of a run; a cancelled run proves nothing."""
    if run.state == RunState.CANCELLED or run.is_imported:
        return
    faulty = set() if run.state == RunState.SUCCEEDED else hosts_at_fault(run)
    members = RunTargetMember.objects.filter(run_target__run=run)
    hosts = set(members.order_by().values_list("host", flat=True).distinct())
    host_faults_record(run_id=run.pk, faulty=faulty, others=hosts - faulty)
