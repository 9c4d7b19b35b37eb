"""Job specifications of a case: a job per host and stage, or one job if there is one host."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from apps.execution.domain.cleanup_jobs import is_cleanup
from apps.execution.jobs.backgrounds import background_jobs
from apps.execution.jobs.commands import (
    HOLD_SECONDS,
    JOB_LEASE_SECONDS,
    OUTPUT_LIMIT,
    command_spec,
    is_for,
    timeout_of,
)
from apps.execution.jobs.disk_state import mark_unknown
from apps.execution.jobs.disturbance import add_disturbance
from apps.execution.jobs.participants import Participant, osd_hosts_of, participants_of
from apps.execution.jobs.target_settings import (
    carry_key,
    inapplicable_reason,
    is_pinned,
    needs_restart,
    runs_untuned,
    target_settings,
    works_in_files,
)
from apps.execution.jobs.targets import set_targets
from apps.plans.domain.energy import idle_seconds
from apps.remote.job_spec import VERSION, JobSpec
from apps.runs.models import Attempt, AttemptJob, Case
from apps.runs.models.jobs import SETTINGS
from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Command, Procedure
from apps.tools.registry import tool
from apps.tools.targets import TargetKind, ToolTarget

# A host that only applies settings, or is only observed, runs this until it is ended. In a run with
# tunings for it, it takes part under every tuning, so that telemetry and start are the same.
SETTINGS_ONLY = (Command("lend", ("sleep", "infinity")),)


def attempt_jobs(attempt: Attempt) -> list[AttemptJob]:
    """Return the unsaved jobs of an attempt, stage by stage, the lead's first.

    docs/development/agent.md describes their `spec`.

    Raises:
        ParamsError: the plugin rejects the parameters, or the tuning cannot be applied.
    """
    participants = participants_of(attempt.case)
    if (why := inapplicable_reason(attempt.case)) and not runs_untuned(attempt.case):
        raise ParamsError({"tuning": message("%(why)s; nothing was run", why=why)})
    procedures = [
        (participant, procedure_of(attempt.case, participant)) for participant in participants
    ]
    osd_hosts = osd_hosts_of(attempt.case)
    if len(procedures) == 1 and not osd_hosts and attempt.case.background is None:
        job = _only_job(attempt, *procedures[0])
        add_disturbance(attempt.case, [job], procedures[0][1], participants)
        return [job]
    stages = sorted(
        {command.stage for _, procedure in procedures for command in procedure.commands}
    )
    jobs = [job for stage in stages for job in _stage_jobs(attempt, stage, procedures, osd_hosts)]
    add_disturbance(attempt.case, jobs, procedures[0][1], [*participants, *osd_hosts])
    jobs += _spanning_jobs(attempt, [*participants, *osd_hosts], procedures[0][1], len(stages))
    for number, job in enumerate(jobs):
        if any(before.host_id == job.host_id for before in jobs[:number]):
            mark_unknown(job.spec)
    jobs += background_jobs(attempt, jobs)
    for number, job in enumerate(jobs):
        job.position = number
    return jobs


def _only_job(attempt: Attempt, participant: Participant, procedure: Procedure) -> AttemptJob:
    """Return the job with all stages of the only host; its id is the attempt's."""
    commands = sorted(procedure.commands, key=lambda command: command.stage)
    spec = _job(attempt, str(attempt.pk), participant, procedure, commands)
    return AttemptJob(pk=attempt.pk, attempt=attempt, host_id=participant.host, spec=spec)


def procedure_of(case: Case, participant: Participant) -> Procedure:
    """Return the commands of a case for one of its hosts, from the frozen parameters.

    Raises:
        ParamsError: the plugin rejects the parameters.
    """
    plugin = tool(case.tool)
    assert plugin.params is not None, f"{case.tool} is only imported"
    return plugin.build_procedure(
        plugin.params.from_raw(case.tool_params), tool_target(case, participant)
    )


def tool_target(case: Case, participant: Participant) -> ToolTarget:
    """Return the target of a host for the plugins."""
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
    """Return True if each thread is pinned to a CPU of the hardware queues of the disks."""
    on_disks = participant.members[0].kind in ("disk", "directory")
    return on_disks and tool(case.tool).pins and is_pinned(case)


def _spanning_jobs(
    attempt: Attempt, participants: Sequence[Participant], procedure: Procedure, stages: int
) -> list[AttemptJob]:
    """Return a job for each host with settings that need a restart; it spans all stages."""
    jobs = []
    for participant in participants:
        settings = [s for s in target_settings(attempt.case, participant) if needs_restart(s)]
        if not settings:
            continue
        holder = replace(participant, role=SETTINGS)
        job = _shared_job(attempt, 0, holder, procedure, SETTINGS_ONLY, together=False)
        job.spec |= {"tuning": settings, "settle": 0.0, "ceph": False, "watch": []}
        job.spec["allow_untuned"] = runs_untuned(attempt.case)
        job.spec["carry"] = carry_key(attempt.case, settings)
        job.spec["deadline"] = (job.spec["deadline"] + HOLD_SECONDS) * stages
        jobs.append(job)
    return jobs


def _stage_jobs(
    attempt: Attempt,
    stage: int,
    procedures: Sequence[tuple[Participant, Procedure]],
    osd_hosts: Sequence[Participant],
) -> list[AttemptJob]:
    """Return the jobs of one stage, with those of hosts that only apply settings.

    The jobs of several hosts are held for a common start.
    """
    candidates = [
        (
            participant,
            procedure,
            [c for c in procedure.commands if c.stage == stage and is_for(c, participant)],
        )
        for participant, procedure in procedures
    ]
    participating = [row for row in candidates if row[2]]
    if all(command.always for row in participating for command in row[2]):
        osd_hosts = ()
    osd_host_rows = [(one, participating[0][1], SETTINGS_ONLY) for one in osd_hosts]
    rows = [*participating, *osd_host_rows]
    together = len(rows) > 1 or attempt.case.background is not None
    return [_shared_job(attempt, stage, *row, together=together) for row in rows]


def _shared_job(
    attempt: Attempt,
    stage: int,
    participant: Participant,
    procedure: Procedure,
    commands: Sequence[Command],
    *,
    together: bool,
) -> AttemptJob:
    """Return one host's job of a stage. Its id is a UUID 5, the same for every worker."""
    job = uuid.uuid5(attempt.pk, f"{attempt.pk}/{participant.host}/{stage}/{participant.role}")
    spec = _job(attempt, str(job), participant, procedure, commands)
    spec["tuning"] = [setting for setting in spec["tuning"] if not needs_restart(setting)]
    spec["allow_untuned"] = bool(spec["tuning"]) and spec.get("allow_untuned", False)
    if together and not is_cleanup(spec):
        spec["hold"] = {"seconds": HOLD_SECONDS}
    return AttemptJob(
        pk=job,
        attempt=attempt,
        host_id=participant.host,
        name=participant.name,
        stage=stage,
        role=participant.role,
        spec=spec,
    )


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
        "commands": [command_spec(attempt.pk, command, participant) for command in commands],
        "tuning": [],
        "settle": 0.0,
        "lease": JOB_LEASE_SECONDS,
        "deadline": timeout_of(procedure),
        "watch": participant.disks,
        "limit": OUTPUT_LIMIT,
    }
    set_targets(spec, case, participant, procedure, in_files=works_in_files(case))
    if not is_cleanup(spec):
        spec["ceph"] = participant.lead and participant.members[0].kind == "pool"
        spec["tuning"] = target_settings(case, participant)
        left_out = runs_untuned(case) and not works_in_files(case)
        spec["allow_untuned"] = bool(spec["tuning"]) and left_out
        spec["settle"] = case.settle_seconds
        idle = 0.0 if case.background else idle_seconds(procedure.seconds)
        if idle and any(command.role == "main" for command in commands):
            spec["power"] = {"idle_seconds": idle}
        if _places_threads(case, participant):
            spec["pin"] = {"threads": procedure.threads}
    return spec
