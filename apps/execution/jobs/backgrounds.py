"""Jobs of the background load of a case: one for each of its hosts, with all its commands.

The load lasts longer than the test may; benchlab ends it after the test. A tool without a duration
starts again until then.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from itertools import groupby
from math import ceil
from typing import cast

from apps.execution.domain.cleanup_jobs import main_command
from apps.execution.jobs.commands import (
    HOLD_SECONDS,
    JOB_LEASE_SECONDS,
    MIN_TIMEOUT_SECONDS,
    OUTPUT_LIMIT,
    command_spec,
    is_for,
)
from apps.execution.jobs.participants import Participant, background_participants_of
from apps.execution.jobs.targets import set_targets
from apps.remote.job_spec import VERSION, JobSpec
from apps.runs.models import Attempt, AttemptJob
from apps.runs.models.jobs import BACKGROUND, BACKGROUND_FILES
from apps.tools.errors import ParamsError
from apps.tools.messages import message
from apps.tools.procedure import Procedure
from apps.tools.registry import tool
from apps.tools.targets import TargetKind, ToolTarget


def background_jobs(attempt: Attempt, tested: Sequence[AttemptJob]) -> list[AttemptJob]:
    """Return the unsaved jobs of the background load beside these jobs; none without one.

    Raises:
        ParamsError: the load does not fit its target.
    """
    participants = background_participants_of(attempt.case)
    seconds = longest_seconds(attempt, tested) if participants else 0
    jobs = [_job(attempt, participant, seconds) for participant in participants]
    for job in jobs if len(jobs) > 1 else ():
        job.spec["hold"] = {"seconds": HOLD_SECONDS}
    return jobs


def longest_seconds(attempt: Attempt, tested: Sequence[AttemptJob]) -> int:
    """Return how long the load must be able to go on: until every stage of the test timed out."""
    stages = groupby(
        sorted((job for job in tested if not job.spans_stages), key=lambda job: job.stage),
        lambda job: job.stage,
    )
    longest = [
        max((job.spec["deadline"] or 0.0) + job.spec["settle"] + HOLD_SECONDS for job in jobs)
        for _stage, jobs in stages
    ]
    load = attempt.case.background
    assert load is not None, "only a case with a load has jobs of it"
    return ceil(sum(longest) + load.settle_seconds + HOLD_SECONDS)


def _job(attempt: Attempt, participant: Participant, seconds: int) -> AttemptJob:
    pk = uuid.uuid5(attempt.pk, f"{attempt.pk}/{participant.host}/{BACKGROUND}")
    procedure, repeats = _procedure(attempt, participant, seconds)
    commands = sorted(procedure.commands, key=lambda command: command.stage)
    own = [command for command in commands if is_for(command, participant)]
    # Of its own attempt: the test beside it creates objects of the same names.
    names = uuid.uuid5(attempt.pk, BACKGROUND)
    spec: JobSpec = {
        "version": VERSION,
        "attempt": str(pk),
        "commands": [command_spec(names, command, participant) for command in own],
        "tuning": [],
        "settle": 0.0,
        "lease": JOB_LEASE_SECONDS,
        "deadline": procedure.seconds + seconds + MIN_TIMEOUT_SECONDS,
        "watch": participant.disks,
        "limit": OUTPUT_LIMIT,
    }
    set_targets(spec, attempt.case, participant, procedure, in_files=False)
    # So that a full pool ends the load.
    spec["ceph"] = participant.lead and participant.members[0].kind == "pool"
    if repeats and not any(command.listens for command in own):
        spec["commands"][main_command(spec)]["repeat"] = True
    return AttemptJob(
        pk=pk,
        attempt=attempt,
        host_id=participant.host,
        name=f"{BACKGROUND_FILES}{participant.name}",
        role=BACKGROUND,
        spec=spec,
    )


def _procedure(attempt: Attempt, participant: Participant, seconds: int) -> tuple[Procedure, bool]:
    """Return the commands of the load on a host, and whether the last one repeats.

    Raises:
        ParamsError: the load does not fit its target.
    """
    load = attempt.case.background
    assert load is not None, "only a case with a load has jobs of it"
    plugin = tool(load.tool)
    if plugin.params is None:
        raise ParamsError({"tool": message("%(tool)s is only imported", tool=load.tool)})
    params = plugin.params.from_raw(load.params)
    lasting = plugin.lasting(params, seconds)
    target = _tool_target(participant)
    procedure = plugin.build_procedure(params if lasting is None else lasting, target)
    return procedure, lasting is None


def _tool_target(participant: Participant) -> ToolTarget:
    first = participant.members[0]
    sizes = [member.size for member in participant.members if member.size is not None]
    return ToolTarget(
        kind=cast(TargetKind, first.kind),
        identity=first.identity,
        size=min(sizes, default=None),
        count=len(participant.members),
        make=first.pool_plan,
    )
