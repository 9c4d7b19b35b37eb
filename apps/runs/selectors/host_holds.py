"""Hosts on hold, the runs that wait for them, and the hosts at fault for the end of a run."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef

from apps.inventory.models import Host
from apps.runs.models import (
    Attempt,
    AttemptJob,
    CaseState,
    FailureCause,
    JobState,
    Run,
    RunTargetMember,
)
from apps.tools.messages import message

BAD = (CaseState.FAILED, CaseState.LOST, CaseState.UNCONFIRMED)


def hold_blocker(hosts: Collection[int]) -> str:
    """Return why a run on these hosts waits; "" if none of them is on hold."""
    host = Host.objects.filter(pk__in=hosts, held_since__isnull=False).order_by("name").first()
    if host is None:
        return ""
    return message(
        "waits until an admin releases %(host)s, which is on hold: %(why)s",
        host=host.name,
        why=host.hold_reason,
    )


def waits_for_held_host() -> Exists:
    """Return the condition of a run with a host on hold."""
    members = RunTargetMember.objects.filter(
        run_target__run=OuterRef("pk"), host__held_since__isnull=False
    )
    return Exists(members)


def hosts_at_fault(run: Run) -> set[int]:
    """Return the hosts whose fault ended cases of the run.

    A case on several hosts names the host at which it ended early; without one nobody knows which
    of them it was. A refusal of the agent is no fault: nothing ran, and its reason stands in the
    case, for example other content on the disk.
    """
    result = set()
    refused = AttemptJob.objects.filter(attempt__case=OuterRef("pk"), state=JobState.REFUSED)
    cases = run.cases.filter(state__in=BAD, failure_cause=FailureCause.HOST)
    cases = cases.exclude(Exists(refused))
    rows = cases.select_related("run_target", "background__run_target")
    members = "run_target__members", "background__run_target__members"
    for case in rows.prefetch_related(*members):
        hosts = set(case.host_ids)
        if len(hosts) > 1:
            last = Attempt.objects.filter(case=case).order_by("-number").first()
            hosts = {last.early_end.host} & hosts if last and last.early_end.host else set()
        result |= hosts
    return result
