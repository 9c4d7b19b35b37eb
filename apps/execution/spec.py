"""From a case to what the agent is asked to do."""

from __future__ import annotations

from typing import Any

from apps.runs.models import Attempt, Case
from apps.tools.base import Procedure, Target
from apps.tools.registry import tool

# A tool that needs this much longer than it should is ended; laying out a file or a slow disk is
# not yet "stuck".
PATIENCE = 4.0
LEAST_PATIENCE = 300.0
LEASE = 60.0
LIMIT = 256 * 1024 * 1024


def case_procedure(case: Case) -> Procedure:
    """The commands of a case, from its frozen parameters. Raises ParamsError."""
    room = tool(case.tool)
    assert room.params is not None, f"{case.tool} is only imported"
    return room.procedure(room.params.from_raw(case.params), case_target(case))


def case_target(case: Case) -> Target:
    """The target in the words of the tools: a disk by identity, a directory by path."""
    if case.disk is not None:
        return Target("disk", case.disk.identity, case.disk.enrolled_size or case.disk.size)
    assert case.directory is not None, "a case has a disk or a directory"
    return Target("directory", case.directory.path)


def attempt_spec(attempt: Attempt) -> dict[str, Any]:
    """The job as docs/development/agent.md describes it."""
    case = attempt.case
    procedure = case_procedure(case)
    return {
        "attempt": str(attempt.pk),
        "commands": [
            {"role": c.role, "argv": list(c.argv), "files": list(c.files)}
            for c in procedure.commands
        ],
        "target": _target(case, procedure),
        "tuning": _tuning(case),
        "settle": case.settle,
        "lease": LEASE,
        "deadline": procedure.seconds + max(LEAST_PATIENCE, procedure.seconds * PATIENCE),
        "watch": [case.disk.identity] if case.disk is not None else [],
        "limit": LIMIT,
    }


def _target(case: Case, procedure: Procedure) -> dict[str, Any]:
    target = case_target(case)
    if target.kind == "disk":
        return {
            "kind": "disk",
            "identity": target.identity,
            "size": target.size,
            "write": procedure.writes,
            "allow_signatures": case.run.wipe_confirmed_by_id is not None,
        }
    return {
        "kind": "directory",
        "path": target.identity,
        "needs": procedure.space_needed,
        "write": True,
    }


def _tuning(case: Case) -> list[dict[str, Any]]:
    """The profile's settings, each for the disk the case is about."""
    if case.disk is None:
        return []
    return [
        {
            "kind": setting["kind"],
            "identity": case.disk.identity,
            "name": setting["name"],
            "value": str(setting["value"]),
        }
        for setting in case.tuning_settings
    ]
