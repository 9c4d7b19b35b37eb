"""Disks and directories in the specification of a job."""

from __future__ import annotations

from apps.execution.jobs.participants import Participant
from apps.execution.selectors.disks import expected_content
from apps.remote.job_spec import JobSpec, TargetSpec
from apps.runs.models import Case
from apps.tools.procedure import Procedure


def set_targets(
    spec: JobSpec, case: Case, participant: Participant, procedure: Procedure, *, in_files: bool
) -> None:
    """Set `target` for one disk or directory, `targets` for several, None for other kinds.

    Raises: ValueError for a kind without a rule; the agent would check nothing.
    """
    spec["target"], kind = None, participant.members[0].kind
    if kind in ("pool", "pair", "osds"):
        return
    if kind not in ("disk", "directory"):
        raise ValueError(f"no job specification for a target of kind {kind}")
    numbers = range(len(participant.members))
    result = [_target(case, participant, number, procedure, in_files) for number in numbers]
    if len(result) == 1:
        spec["target"] = result[0]
    else:
        del spec["target"]
        spec["targets"] = result


def _target(
    case: Case, participant: Participant, number: int, procedure: Procedure, in_files: bool
) -> TargetSpec:
    member = participant.members[number]
    if member.kind == "disk":
        writes = procedure.writes or in_files
        return {
            "kind": "disk",
            "identity": member.identity,
            "size": member.size,
            "write": writes,
            "allow_signatures": case.run.wipe_confirmed_by_id is not None,
            "fingerprint": expected_content(member) if writes else None,
            "needs": procedure.space_needed if in_files else 0,
        }
    needs = procedure.space_needed
    return {"kind": "directory", "path": member.identity, "needs": needs, "write": True}
