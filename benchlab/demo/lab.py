"""The demonstration's lab: this machine, a target, two things to compare, a
plan.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from apps.accounts.models import User
from apps.inventory.models import Directory, Disk, Host
from apps.inventory.services import (
    directory_create,
    disk_enrol,
    host_check_request,
    local_host_ensure,
)
from apps.plans.cases.planned import PlannedStep
from apps.plans.drafts import PlanDraft
from apps.plans.models import TestPlan
from apps.plans.services import plan_create
from apps.plans.templates import STANDARD_FOUR, template_draft
from apps.tuning.models import TuningProfile
from apps.tuning.services import TuningDraft, tuning_create
from benchlab.demo.loopdisk import DISK_BYTES, FILE, NoLoopDevice, loop_disk

PLAN = "Demonstration: standard four tests"
REPEATS = 6
SECONDS = 1
DEPTHS = [8, 64]
DIRECTORY_BYTES = 256 * 1024**2
SCHEDULERS = ("none", "mq-deadline")
CHECK_SECONDS = 120.0

Say = Callable[[str], None]


class DemoFailed(Exception):
    """The demonstration cannot go on; the message says why and what to do."""


@dataclass(frozen=True)
class Lab:
    """The rows that were set up, and the factor by which the result is compared."""

    host: Host
    plan: TestPlan
    factor: str


def prepare(user: User, say: Say) -> Lab:
    """Set the lab up, or find it as an earlier start left it."""
    host = checked_host(user, say)
    disk = _loop_disk(user, host, say) if os.geteuid() == 0 else None
    if disk is not None:
        return Lab(host, _disk_plan(user, disk), "tuning")
    say("No loop device here: the demonstration uses a scratch directory and two queue depths.")
    return Lab(host, _directory_plan(user, host), "param:iodepth")


def checked_host(user: User, say: Say) -> Host:
    """This machine as a host, looked at by a worker just now. Raises DemoFailed."""
    host = local_host_ensure(user=user)
    say(f"Checking {host.name} ...")
    before = host.checked_at
    host_check_request(host=host, user=user)
    deadline = time.monotonic() + CHECK_SECONDS
    while time.monotonic() < deadline:
        host.refresh_from_db()
        if host.checked_at != before and host.check_requested_at is None:
            break
        time.sleep(0.2)
    else:
        raise DemoFailed("No worker checked this machine; see the worker's log.")
    if host.health == Host.Health.UNREACHABLE or host.facts is None:
        raise DemoFailed(f"This machine cannot be used: {host.health_text}")
    if not (host.known.tools or {}).get("fio"):
        raise DemoFailed("fio is missing on this machine: install it (apt-get install fio).")
    return host


def _home() -> Path:
    return Path(settings.HOME) / "demo"


def _loop_disk(user: User, host: Host, say: Say) -> Disk | None:
    """The demonstration's loop device, enrolled; None where the machine has none to give."""
    file = Path(settings.HOME) / FILE
    try:
        node = loop_disk(file)
    except NoLoopDevice as error:
        say(f"No loop device: {error}")
        return None
    host = checked_host(user, say)
    disk = host.disks.filter(node=node, identity__endswith=f":{file.resolve()}").first()
    if disk is None:
        raise DemoFailed(f"{node} was made, but the host's facts do not show it.")
    if not disk.is_enrolled:
        disk = disk_enrol(disk=disk, user=user, confirmation=disk.identity)
    say(f"Disk: {node}, a loop device of {DISK_BYTES // 1024**2} MiB over a file of its own.")
    return disk


def _disk_plan(user: User, disk: Disk) -> TestPlan:
    draft = template_draft(STANDARD_FOUR, seconds=SECONDS, space=DISK_BYTES // 2)
    tunings = [_scheduler_profile(user, name) for name in SCHEDULERS]
    return _plan(user, PLAN, draft.steps, disk, tunings)


def _directory_plan(user: User, host: Host) -> TestPlan:
    folder = _home() / "scratch"
    folder.mkdir(parents=True, exist_ok=True)
    path = str(folder.resolve())
    directory = Directory.objects.filter(host=host, path=path).first() or directory_create(
        host=host, path=path, user=user
    )
    draft = template_draft(STANDARD_FOUR, seconds=SECONDS, space=DIRECTORY_BYTES)
    steps = [
        PlannedStep(step.tool, {**step.params, "iodepth": DEPTHS}, step.name)
        for step in draft.steps
    ]
    return _plan(user, f"{PLAN} (directory)", steps, directory, [])


def _plan(
    user: User, name: str, steps: object, target: Disk | Directory, tunings: list[TuningProfile]
) -> TestPlan:
    existing = TestPlan.objects.filter(name=name).first()
    if existing is not None:
        return existing
    draft = PlanDraft(
        name=name,
        description="Made by bin/demo: 4 KiB random and 4 MiB sequential, shortened to seconds.",
        repeats=REPEATS,
        steps=list(steps),  # type: ignore[call-overload] # a sequence of PlannedStep either way
        targets=[target],
        tunings=tunings,
    )
    return plan_create(user=user, draft=draft)


def _scheduler_profile(user: User, scheduler: str) -> TuningProfile:
    name = f"Scheduler {scheduler}"
    existing = TuningProfile.objects.filter(name=name).first()
    if existing is not None:
        return existing
    draft = TuningDraft(
        name=name,
        description=f"I/O scheduler {scheduler}; everything else as found.",
        settings=[{"kind": "queue", "name": "scheduler", "value": scheduler}],
    )
    return tuning_create(user=user, draft=draft)
