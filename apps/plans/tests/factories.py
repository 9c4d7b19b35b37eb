"""Plans, and what they are made of, for tests: plain data first, rows below."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.db.models import Model
from django.utils import timezone

from apps.accounts.models import User
from apps.inventory.models import Directory, Disk, Host, HostFacts
from apps.plans.domain.expand import plan_expand
from apps.plans.models import PlanTarget, TestPlan
from apps.plans.schemas.plan import PlanSpec, StepSpec
from apps.plans.schemas.planned import PlannedCase, PlannedPlan, PlannedTuning
from apps.plans.schemas.targets import PlannedHost, PlannedTarget
from apps.plans.selectors.drafts import PlanDraft
from apps.plans.services.plans import plan_create
from apps.tools.values import RawValue
from tests.harness.documents import Changes

GIB = 1024**3
_number = count(1)


def a_host(**kwargs: Any) -> PlannedHost:
    values: Changes = {"id": 1, "name": "node01", "cpu_count": 8}
    values["tools"] = {"fio": "3.33"}
    return PlannedHost(**values | kwargs)


def a_disk(**kwargs: Any) -> PlannedTarget:
    values: Changes = {"kind": "disk", "id": 1, "identity": "wwn:1", "label": "node01: sdb"}
    return PlannedTarget(**values | {"host": a_host(), "size": 100 * GIB} | kwargs)


def a_directory(**kwargs: Any) -> PlannedTarget:
    values: Changes = {"kind": "directory", "id": 1, "identity": "/scratch"}
    return PlannedTarget(**values | {"label": "node01: /scratch", "host": a_host()} | kwargs)


def a_step(name: str = "", **params: RawValue) -> StepSpec:
    usual: dict[str, RawValue] = {"runtime": 10, "size": "1G", "numjobs": 1}
    return StepSpec("fio", usual | params, name)


def tunings(*names: str) -> tuple[PlannedTuning, ...]:
    return tuple(PlannedTuning(i, name) for i, name in enumerate(names, 1))


def a_plan(*steps: StepSpec, **kwargs: Any) -> PlannedPlan:
    values: Changes = {"steps": steps or (a_step(),), "targets": (a_disk(),)} | kwargs
    return PlannedPlan(**with_spec(values))


def with_spec(values: Changes) -> Changes:
    """The values with those of the spec in a `PlanSpec`."""
    own = {name: value for name, value in values.items() if name in PlanSpec.__struct_fields__}
    rest = {name: value for name, value in values.items() if name not in own}
    own |= {"steps": tuple(own["steps"])} if "steps" in own else {}
    return rest | {"spec": PlanSpec(**own)}


def plan_cases(plan: PlannedPlan, *, seed: int) -> tuple[PlannedCase, ...]:
    """The cases of a plan without a problem."""
    expansion = plan_expand(plan, seed=seed)
    assert not expansion.problems
    return tuple(expansion.cases)


def create_host(*, cpus: int = 8, **kwargs: Any) -> Host:
    host = Host.objects.create(**{"name": f"node{next(_number)}", "address": "10.0.0.1"} | kwargs)
    data = {"cpu": {"count": cpus}, "tools": {"fio": "3.33"}}
    host.facts = HostFacts.objects.create(host=host, digest=f"{host.pk}", facts=data)
    host.save()
    return host


def create_disk(*, host: Host | None = None, enrolled: bool = True, **kwargs: Any) -> Disk:
    number = next(_number)
    values: Changes = {"identity": f"wwn:{number}", "device_path": f"/dev/sd{number}"}
    values |= {"size": 200 * GIB, "enrolled_at": timezone.now() if enrolled else None}
    values |= {"facts": {"queue": {"schedulers": ["none", "mq-deadline"]}}}
    return Disk.objects.create(host=host or create_host(), **values | kwargs)


def create_directory(*, owner: User, host: Host | None = None) -> Directory:
    return Directory.objects.create(host=host or create_host(), owner=owner, path="/scratch")


def a_draft(**kwargs: Any) -> PlanDraft:
    values: Changes = {"name": f"Plan {next(_number)}", "steps": [a_step(rw="randwrite")]}
    return PlanDraft(**with_spec(values | kwargs))


def add_target(plan: TestPlan, row: Model) -> PlanTarget:
    """The plan names this row of the lab, whatever it is."""
    return PlanTarget.objects.create(plan=plan, target_id=row.pk)


def create_plan(*, owner: User, **kwargs: Any) -> TestPlan:
    if "targets" not in kwargs:
        kwargs["targets"] = [create_disk()]
    return plan_create(user=owner, draft=a_draft(**kwargs))
