"""Hosts, plans and runs for tests."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta
from itertools import count
from typing import Any

from django.db.models import F, Model
from django.utils import timezone

from apps.accounts.models import User
from apps.inventory.models import Directory, Disk, Host
from apps.inventory.tests.factories import create_host as create_ssh_host
from apps.plans.models import TestPlan, Workload
from apps.plans.schemas.plan import StepSpec
from apps.plans.selectors.target_kinds import target_data
from apps.plans.tests.factories import add_target, with_spec
from apps.runs.models import (
    Attempt,
    AttemptJob,
    AttemptState,
    Case,
    CaseState,
    JobState,
    Run,
    RunState,
    RunTarget,
    RunTuning,
)
from apps.runs.models.states import BAD_ATTEMPT
from apps.runs.services.runs import run_finish, run_launch
from apps.runs.services.snapshot import imported_target, imported_tuning, targets_snapshot
from apps.tuning.models import TuningProfile
from apps.tuning.schemas.settings import Setting

_number = count(1)
PARAMS: dict[str, object] = {
    "rw": "randread",
    "bs": "4k",
    "iodepth": 4,
    "size": "16M",
    "runtime": 1,
}


def create_host(**fields: Any) -> Host:
    """This machine; a host over SSH if that exists already."""
    name = f"host-{next(_number)}"
    if Host.objects.filter(kind=Host.Kind.LOCAL).exists():
        return create_ssh_host(**{"name": name, "health": Host.Health.UNCHECKED} | fields)
    return Host.objects.create(**{"name": name, "kind": Host.Kind.LOCAL} | fields)


def create_disk(*, host: Host, owner: User, **fields: Any) -> Disk:
    """An enrolled loop disk of 64 MiB, on paper."""
    number = next(_number)
    return Disk.objects.create(
        **{
            "host": host,
            "identity": f"loop:machine:/disk-{number}.img",
            "device_path": f"/dev/loop{number}",
            "size": 64 * 1024**2,
            "enrolled_size": 64 * 1024**2,
            "enrolled_by": owner,
            "enrolled_at": "2026-01-01T00:00:00Z",
        }
        | fields
    )


def create_plan(
    *, owner: User, target: Disk | Directory, tunings: tuple[TuningProfile, ...] = (), **fields: Any
) -> TestPlan:
    """A plan of one step, of fio unless `tool` says otherwise, with one target; `params` replaces
    the step's parameters.
    """
    params, tool = fields.pop("params", PARAMS), fields.pop("tool", "fio")
    name = f"plan {next(_number)}"
    values = with_spec({"steps": [StepSpec(tool, params)], "repeats": 1} | fields)
    plan = TestPlan.objects.create(**{"name": name, "owner": owner} | values)
    add_target(plan, target)
    plan.tunings.set(tunings)
    return plan


def create_run(*, owner: User, target: Disk | Directory | None = None, **fields: Any) -> Run:
    """A queued run of a plan on a disk of a host of its own."""
    chosen = target or create_disk(host=create_host(), owner=owner)
    return run_launch(plan=create_plan(owner=owner, target=chosen, **fields), user=owner)


def target_of(run: Run, row: Model, name: str = "") -> RunTarget:
    """The run's target for a disk, pool ...; for a host as an import would name it, under
    `name`.
    """
    if isinstance(row, Host):
        told = run.targets.filter(target=None, name=name, members__host=row).first()
        return told or imported_target(run, host=row, name=name, position=run.targets.count())
    data = target_data(row)
    known = run.targets.filter(target=data.id)
    if found := known.first():
        return found
    run.targets.update(position=F("position") + 1_000)
    return targets_snapshot(run, [data])[data.key]


def tuning_of(run: Run, name: str = "", settings: Sequence[Setting] = ()) -> RunTuning:
    """A tuning of the run of which only this is known."""
    found = run.tunings.filter(name=name).first() or imported_tuning(
        run, name=name, position=run.tunings.count()
    )
    RunTuning.objects.filter(pk=found.pk).update(settings=tuple(settings))
    return found


def create_case(
    run: Run, workload: Workload, on: Model, *, name: str = "", tuning: str = "", **fields: Any
) -> Case:
    """One more case of a run: of a row of the lab, or of a host and a `name` as imports tell it."""
    values: dict[str, object] = {
        "sequence": run.cases.count(),
        "state": CaseState.SUCCEEDED,
    } | fields
    target = target_of(run, on, name)
    return Case.objects.create(
        run=run, workload=workload, run_target=target, run_tuning=tuning_of(run, tuning), **values
    )


def create_many_cases(run: Run, number: int) -> None:
    """Copies of a run's first case until it has `number` of them."""
    first = run.cases.order_by("sequence").first()
    assert first is not None
    copies: list[Case] = []
    fields = {field.attname: getattr(first, field.attname) for field in Case._meta.concrete_fields}
    for sequence in range(run.cases.count(), number):
        copies.append(Case(**fields | {"id": None, "sequence": sequence, "repeat": sequence + 1}))
    Case.objects.bulk_create(copies, batch_size=2_000)
    Run.objects.filter(pk=run.pk).update(case_count=number)


def create_attempt(case: Case, **fields: Any) -> Attempt:
    """An attempt at a case, succeeded unless told otherwise; the case follows it. It has one job of
    this `spec` and `exit`, or those of which `jobs` are the fields.
    """
    asked = {name: fields.pop(name) for name in ("spec", "exit") if name in fields}
    jobs: list[dict[str, object]] = fields.pop("jobs", [asked])
    now = timezone.now()
    values: dict[str, object] = {
        "number": case.attempts.count() + 1,
        "state": AttemptState.SUCCEEDED,
        "valid": fields.get("state", AttemptState.SUCCEEDED) not in BAD_ATTEMPT,
        "started_at": now - timedelta(seconds=3),
        "ended_at": now,
        "host_files_removed_at": now,
        "argv": [["fio", "--name=benchlab", "--filename=/dev/loop 7"]],
        "tool_version": "fio-3.33",
    } | fields
    attempt = Attempt.objects.create(case=case, **values)
    for job in jobs:
        create_job(attempt, **job)
    final = attempt.is_final
    case.state = attempt.state if final else CaseState.RUNNING
    case.reason, case.failure_cause = attempt.reason, attempt.failure_cause
    case.save()
    return attempt


def create_job(attempt: Attempt, **fields: Any) -> AttemptJob:
    """One more job of an attempt, done unless the attempt or its fields say otherwise."""
    done = attempt.state == AttemptState.SUCCEEDED or fields.get("exit")
    lost = JobState.LOST if attempt.state == AttemptState.LOST else JobState.OPEN
    values: dict[str, object] = {
        "pk": uuid.uuid4() if fields.get("name") else attempt.pk,
        "host_id": attempt.case.host_id,
        "position": attempt.jobs.count(),
        "spec": {"commands": []},
        "launched": attempt.state not in (AttemptState.CLAIMED, AttemptState.PREFLIGHT),
        "removed_from_host": attempt.host_files_removed_at is not None,
        "state": JobState.DONE if done else lost,
    }
    return AttemptJob.objects.create(attempt=attempt, **values | fields)


def end_run(run: Run, state: RunState = RunState.SUCCEEDED, reason: str = "") -> Run:
    """The run as it is after its end."""
    run.started_at = run.started_at or timezone.now()
    run.state = RunState.RUNNING
    run.save(update_fields=["started_at", "state"])
    run_finish(run, state, reason)
    return run
