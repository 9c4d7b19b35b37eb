"""Cases of several hosts, made by hand: what they consist of, and what their jobs left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

from apps.accounts.models import User
from apps.execution.domain.lease import RunLease
from apps.execution.services.attempts_create import OpenedAttempt, attempts_create
from apps.inventory.models import Host, TargetGroup
from apps.runs.models import Attempt, Case, JobState, RunTargetMember
from apps.runs.schemas import EarlyEnd
from apps.runs.tests.factories import PARAMS, create_disk, create_host, create_job, create_run
from apps.tuning.schemas.settings import Setting


class MemberFields(TypedDict, total=False):
    """Columns of runs.RunTargetMember."""

    host: Host
    host_name: str
    label: str
    kind: str
    identity: str
    size: int | None
    target_id: int | None
    role: str


class JobFields(TypedDict, total=False):
    """Columns of runs.AttemptJob, as a test tells them; `spec` and `exit` may be of any agent."""

    host_id: int
    name: str
    stage: int
    role: str
    state: str
    spec: Mapping[str, object]
    exit: Mapping[str, object]
    refusal: object
    error: str
    output_ranges: Mapping[str, list[int]]
    launched: bool
    clock_offset: float | None
    clock_uncertainty: float | None


def opened(lease: RunLease, case_id: int) -> Attempt:
    """The case's attempt as a worker opens it."""
    (found,) = attempts_create(lease, [case_id])
    assert isinstance(found, OpenedAttempt)
    return found.attempt


def member(host: Host, number: int = 0, **fields: Any) -> MemberFields:
    """One disk of a host; a size and an identity that tell it apart."""
    row: MemberFields = {
        "host": host,
        "host_name": host.name,
        "label": f"{host.name} vd{'bcdef'[number]}",
        "kind": "disk",
        "identity": f"wwn:{host.name}-{number}",
        "size": (64 + number) * 1024**2,
    }
    return cast(MemberFields, {**row, **fields})


def create_case(
    *,
    owner: User,
    members: list[MemberFields] | None = None,
    params: Mapping[str, object] | None = None,
    settings: Sequence[Setting] = (),
    settle_seconds: float = 0.0,
) -> Case:
    """A case of two hosts with a disk each, unless told otherwise."""
    run = create_run(owner=owner, params=params or PARAMS)
    case = run.cases.get()
    if members is None:
        hosts = [case.host, create_host()]
        members = [member(host) for host in hosts]
        for row in members:
            disk = create_disk(host=row["host"], owner=owner, identity=row["identity"])
            row["target_id"] = disk.pk
    group = TargetGroup.objects.create(owner=owner, name=f"group of {case.pk}")
    run.targets.update(target=group.pk)
    run.targets.update(kind=members[0]["kind"] if members[0]["kind"] != "disk" else "group")
    run.tunings.update(settle_seconds=settle_seconds, settings=tuple(settings))
    RunTargetMember.objects.filter(run_target__run=run).delete()
    RunTargetMember.objects.bulk_create(
        RunTargetMember(run_target=case.run_target, position=place, **row)
        for place, row in enumerate(members)
    )
    return Case.objects.select_related("run").get(pk=case.pk)


def create_attempt(
    case: Case, jobs: list[JobFields], *, stopped: EarlyEnd | None = None
) -> Attempt:
    """The case's only attempt, its jobs ended: `jobs` are (part of) their fields."""
    case.attempts.all().delete()
    attempt = Attempt.objects.create(case=case, early_end=stopped or EarlyEnd())
    for told in jobs:
        create_job(
            attempt,
            **{
                "launched": True,
                "spec": {"commands": [{"role": "main", "argv": ["fio"]}]},
                "exit": {"codes": [0], "signals": [None]},
                "state": JobState.DONE,
                **told,
            },
        )
    return attempt
