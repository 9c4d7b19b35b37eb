"""From a case to what the agents are asked to do: a job for each host and act, and a single one for
all acts where there is one host.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import cast

from apps.execution.domain.cleanup_jobs import is_cleanup
from apps.execution.jobs.disk_state import mark_unknown
from apps.execution.jobs.participants import Participant, lenders_of, osds_of, participants_of
from apps.execution.jobs.target_settings import (
    inapplicable_reason,
    is_pinned,
    restarts_daemons,
    runs_untuned,
    target_settings,
    works_in_files,
)
from apps.execution.selectors.disks import expected_content
from apps.remote.job_spec import VERSION, CommandSpec, JobSpec, TargetSpec
from apps.runs.models import Attempt, AttemptJob, Case
from apps.tools.base import Command, ParamsError, Procedure, TargetKind, ToolTarget
from apps.tools.messages import message
from apps.tools.registry import tool

# A tool that needs this much longer than it should is ended; laying out a file or a slow disk is
# not yet "stuck".
PATIENCE = 4.0
LEAST_PATIENCE = 300.0
LEASE = 60.0
LIMIT = 256 * 1024 * 1024
# Seconds a host that is ready waits for the others: as long as one of them may be out of reach.
HOLD = 120.0
# More for each OSD that is restarted meanwhile (the agent's own limits: ceph_restarts.py), and the
# most that a job may ask.
RESTART, LONGEST_HOLD = 900.0, 86400.0
# A host that only lends settings, or is only observed, waits for its end, which its job's deadline
# bounds. Of a run whose tunings are for it, it is there also under those that are not: telemetry,
# and the way a test begins, are then the same under all.
LENDING = (Command("lend", ("sleep", "infinity")),)
ATTEMPT_WORD, CLIENT_WORD = "{attempt}", "{client}"


def attempt_jobs(attempt: Attempt) -> list[AttemptJob]:
    """The jobs of an attempt (rows, not saved yet), act by act, the lead's first; their `spec` is
    as docs/development/agent.md describes it. Raises ParamsError.
    """
    participants = participants_of(attempt.case)
    if (why := inapplicable_reason(attempt.case)) and not runs_untuned(attempt.case):
        raise ParamsError({"tuning": message("%(why)s; nothing was run", why=why)})
    asked = [(participant, procedure_of(attempt.case, participant)) for participant in participants]
    lenders = lenders_of(attempt.case)
    if len(asked) == 1 and not lenders:
        return [_only_job(attempt, *asked[0])]
    acts = sorted({command.act for _, procedure in asked for command in procedure.commands})
    jobs = [job for act in acts for job in _act(attempt, act, asked, lenders)]
    for number, job in enumerate(jobs):
        job.position = number
        if any(before.host_id == job.host_id for before in jobs[:number]):
            mark_unknown(job.spec)
    return jobs


def _only_job(attempt: Attempt, participant: Participant, procedure: Procedure) -> AttemptJob:
    """All acts of the only host. Its id is the attempt's."""
    commands = sorted(procedure.commands, key=lambda command: command.act)
    spec = _job(attempt, str(attempt.pk), participant, procedure, commands)
    return AttemptJob(pk=attempt.pk, attempt=attempt, host_id=participant.host, spec=spec)


def procedure_of(case: Case, participant: Participant) -> Procedure:
    """The commands of a case as one of its hosts sees it, from its frozen parameters. Raises
    ParamsError.
    """
    room = tool(case.tool)
    assert room.params is not None, f"{case.tool} is only imported"
    return room.procedure(room.params.from_raw(case.params), tool_target(case, participant))


def tool_target(case: Case, participant: Participant) -> ToolTarget:
    """The target of a host, in the words of the tools."""
    first, in_files = participant.members[0], works_in_files(case)
    sizes = [member.size for member in participant.members if member.size is not None]
    return ToolTarget(
        kind="directory" if in_files else cast(TargetKind, first.kind),
        identity=first.identity,
        size=None if in_files else min(sizes, default=None),
        count=len(participant.members),
        pinned=_places_threads(case, participant),
        make=first.pool_plan,
    )


def _places_threads(case: Case, participant: Participant) -> bool:
    """Whether each thread gets a CPU of its own: of the disk's queues, or of those below a
    directory.
    """
    on_disks = participant.members[0].kind in ("disk", "directory")
    return on_disks and tool(case.tool).pins and is_pinned(case)


def _act(
    attempt: Attempt,
    act: int,
    procedures: Sequence[tuple[Participant, Procedure]],
    lenders: Sequence[Participant],
) -> list[AttemptJob]:
    """One act's jobs: each host's own commands in it, held where several must start together; and
    those of the hosts that lend settings meanwhile.
    """
    asked = [
        (
            participant,
            procedure,
            [c for c in procedure.commands if c.act == act and _is_for(c, participant)],
        )
        for participant, procedure in procedures
    ]
    taking_part = [row for row in asked if row[2]]
    if all(command.always for row in taking_part for command in row[2]):
        lenders = ()
    lending = [(one, taking_part[0][1], LENDING) for one in lenders]
    rows = [*taking_part, *lending]
    return [_shared_job(attempt, act, *row, together=len(rows) > 1) for row in rows]


def _shared_job(
    attempt: Attempt,
    act: int,
    participant: Participant,
    procedure: Procedure,
    commands: Sequence[Command],
    *,
    together: bool,
) -> AttemptJob:
    """One host's part of an act. Its id is made from what it is, so it is the same whoever asks."""
    job = uuid.uuid5(attempt.pk, f"{attempt.pk}/{participant.host}/{act}/{participant.role}")
    spec = _job(attempt, str(job), participant, procedure, commands)
    if together and not is_cleanup(spec):
        spec["hold"] = {"seconds": _patience(attempt.case)}
    return AttemptJob(
        pk=job,
        attempt=attempt,
        host_id=participant.host,
        name=participant.name,
        act=act,
        role=participant.role,
        spec=spec,
    )


def _patience(case: Case) -> float:
    """Seconds a host that is ready waits for the others."""
    osds = sum(identity.count(",") + 1 for identity in osds_of(case).values())
    return min(LONGEST_HOLD, HOLD + (RESTART * osds if restarts_daemons(case) else 0.0))


def _is_for(command: Command, participant: Participant) -> bool:
    if command.on == "each":
        return True
    return participant.lead if command.on == "lead" else participant.role == "server"


def _job(
    attempt: Attempt,
    job: str,
    participant: Participant,
    procedure: Procedure,
    commands: Sequence[Command],
) -> JobSpec:
    case = attempt.case
    spec: JobSpec = {
        "version": VERSION,
        "attempt": job,
        "commands": [_command(attempt, command, participant) for command in commands],
        "tuning": [],
        "settle": 0.0,
        "lease": LEASE,
        "deadline": procedure.seconds + max(LEAST_PATIENCE, procedure.seconds * PATIENCE),
        "watch": participant.disks,
        "limit": LIMIT,
    }
    _set_targets(spec, case, participant, procedure)
    if not is_cleanup(spec):
        spec["ceph"] = participant.lead and participant.members[0].kind == "pool"
        spec["tuning"] = target_settings(case, participant)
        left_out = runs_untuned(case) and not works_in_files(case)
        spec["as_found"] = bool(spec["tuning"]) and left_out
        spec["settle"] = case.settle_seconds
        if _places_threads(case, participant):
            spec["pin"] = {"threads": procedure.threads}
    return spec


def _command(attempt: Attempt, command: Command, participant: Participant) -> CommandSpec:
    words = {ATTEMPT_WORD: attempt.pk.hex[:12], CLIENT_WORD: str(participant.number)}
    return {
        "role": command.role,
        "argv": [_filled(word, words) for word in command.argv],
        "files": list(command.files),
        "always": command.always,
        "may_fail": command.may_fail,
        "listens": command.listens,
        "seconds": command.seconds,
        "fills": command.fills,
    }


def _filled(argument: str, words: dict[str, str]) -> str:
    for word, text in words.items():
        argument = argument.replace(word, text)
    return argument


def _set_targets(spec: JobSpec, case: Case, participant: Participant, procedure: Procedure) -> None:
    """One target under its old name, several as a list; none where nothing of a host is used up."""
    spec["target"] = None
    if participant.members[0].kind not in ("disk", "directory"):
        return
    numbers = range(len(participant.members))
    found = [_target(case, participant, number, procedure) for number in numbers]
    if len(found) == 1:
        spec["target"] = found[0]
    else:
        del spec["target"]
        spec["targets"] = found


def _target(case: Case, participant: Participant, number: int, procedure: Procedure) -> TargetSpec:
    member = participant.members[number]
    if member.kind == "disk":
        in_files = works_in_files(case)
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
