"""Plans of the demonstration: the effect of a tuning profile, and of the queue depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.accounts.models import User
from apps.inventory.models import Directory, Disk
from apps.plans.models import TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.preconditioning import NOTHING, Preconditioning
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.services.plans import plan_create
from apps.tools.values import Parameters
from apps.tuning.models import TuningProfile
from apps.tuning.services import TuningDraft, tuning_create

TUNINGS = "Demonstration: which tuning matters"
DEPTHS = "Demonstration: how deep a queue"
SECONDS = 1
SPACE = 256 * 1024**2
"""Bytes of the target that the tests use."""
TWO_DEPTHS = [4, 64]
EACH_DEPTH = [1, 2, 4, 8, 16, 32, 64]
REPEATS = 6
"""Minimum repeats at which such a comparison can show a difference."""
DEPTH_REPEATS = 3
SCHEDULERS = ("none", "mq-deadline")
FEW_REQUESTS = "4"
"""Queue depth of the random reads under the limiting profile, of 32."""
FILLED = Preconditioning(sequential_fills=1)

_SHORT: Parameters = {"size": SPACE, "runtime": SECONDS}
LARGE: Parameters = {"rw": "read", "bs": "1M", "iodepth": 8, **_SHORT}
SMALL: Parameters = {"rw": "randread", "bs": "4k", "iodepth": 32, **_SHORT}
LAID_OUT: Parameters = {"rw": "write", "bs": "1M", "iodepth": 8, **_SHORT}


@dataclass(frozen=True)
class Pair:
    """Both plans, and the factor of the first comparison."""

    tunings: TestPlan
    factor: str
    depths: TestPlan


def plans(user: User, target: Disk | Directory, repeats: int) -> Pair:
    """Return the plans for a target, created once. `repeats`: of the comparison."""
    small = StepSpec("fio", {**SMALL, "iodepth": EACH_DEPTH}, "IOPS, random read")
    fewer = min(repeats, DEPTH_REPEATS)
    if isinstance(target, Disk):
        swept = _plan(user, DEPTHS, [small], target, fewer, preconditioning=FILLED)
        return Pair(_of_tunings(user, target, repeats), "tuning", swept)
    written = StepSpec("fio", LAID_OUT, "Throughput, write")
    read = StepSpec("fio", {**LARGE, "iodepth": TWO_DEPTHS}, "Throughput, read")
    either = StepSpec("fio", {**SMALL, "iodepth": TWO_DEPTHS}, "IOPS, random read")
    compared = _plan(user, f"{TUNINGS} (directory)", [written, read, either], target, repeats)
    swept = _plan(user, f"{DEPTHS} (directory)", [small], target, fewer)
    return Pair(compared, "param:iodepth", swept)


def _of_tunings(user: User, disk: Disk, repeats: int) -> TestPlan:
    steps = [
        StepSpec("fio", LARGE, "Throughput, read"),
        StepSpec("fio", SMALL, "IOPS, random read"),
    ]
    tunings = [_scheduler(user, name) for name in SCHEDULERS]
    return _plan(user, TUNINGS, steps, disk, repeats, [*tunings, _few_requests(user)], FILLED)


def _plan(
    user: User,
    name: str,
    steps: Sequence[StepSpec],
    target: Disk | Directory,
    repeats: int,
    tunings: Sequence[TuningProfile] = (),
    preconditioning: Preconditioning = NOTHING,
) -> TestPlan:
    existing = TestPlan.objects.filter(name=name).first()
    if existing is not None:
        return existing
    draft = PlanDraft(
        name=name,
        description="Made by bin/demo. Tests of a second are enough to show the pages.",
        spec=PlanSpec(steps=tuple(steps), repeats=repeats, preconditioning=preconditioning),
        targets=[target],
        tunings=tunings,
    )
    return plan_create(user=user, draft=draft)


def _scheduler(user: User, scheduler: str) -> TuningProfile:
    words = f"I/O scheduler {scheduler}; everything else at host defaults."
    setting: Mapping[str, str] = {"kind": "queue", "name": "scheduler", "value": scheduler}
    return _tuning(user, f"Scheduler {scheduler}", words, setting)


def _few_requests(user: User) -> TuningProfile:
    words = "The kernel hands the disk four requests at once, however many are waiting."
    setting: Mapping[str, str] = {"kind": "queue", "name": "nr_requests", "value": FEW_REQUESTS}
    return _tuning(user, f"Queue of {FEW_REQUESTS} requests", words, setting)


def _tuning(user: User, name: str, description: str, setting: Mapping[str, str]) -> TuningProfile:
    existing = TuningProfile.objects.filter(name=name).first()
    if existing is not None:
        return existing
    draft = TuningDraft(name=name, description=description, settings=[setting])
    return tuning_create(user=user, draft=draft)
