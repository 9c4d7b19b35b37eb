"""`python -m tests.bench.engine_fill`: hosts, directories and plans for the row "engine", in the
database of the environment. The hosts come as a document on stdin, what there is to launch goes to
stdout.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TypedDict

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
import django

django.setup()

from apps.accounts.models import User  # noqa: E402
from apps.accounts.services import token_create  # noqa: E402
from apps.inventory.models import Directory, Host  # noqa: E402
from apps.inventory.services.credentials import credential_create  # noqa: E402
from apps.plans.models import PlanTarget, TestPlan  # noqa: E402
from apps.plans.schemas.plan import PlanSpec, StepSpec  # noqa: E402
from apps.tools.values import RawParameters  # noqa: E402

PARAMS: RawParameters = {
    "rw": "randwrite",
    "bs": "4k",
    "size": "16M",
    "runtime": 1,
    "time_based": True,
}


class HostRow(TypedDict):
    port: int
    host_key: str
    directory: str


class Lab(TypedDict):
    """The sshds of the bench, and the numbers of hosts that plans run on."""

    private_key: str
    user: str
    privilege_mode: str
    sizes: list[int]
    hosts: list[HostRow]


def main(told: Lab) -> None:
    user = User.objects.order_by("pk")[0]
    credential = credential_create(name="bench", private_key=told["private_key"], user=user)
    hosts = [
        Host.objects.create(
            name=f"host-{number}", address="127.0.0.1", port=row["port"], user=told["user"],
            privilege_mode=told["privilege_mode"], credential=credential, host_key=row["host_key"],
            health=Host.Health.OK,
        )
        for number, row in enumerate(told["hosts"], 1)
    ]  # fmt: skip
    places = [
        Directory.objects.create(host=host, path=row["directory"], owner=user)
        for host, row in zip(hosts, told["hosts"], strict=True)
    ]
    ids = [place.pk for place in places]
    plans = {number: _plan(user, number, ids[:number]) for number in told["sizes"]}
    _token, secret = token_create(user=user, name="engine")
    print(json.dumps({"token": secret, "plans": plans}))


def _plan(user: User, number: int, targets: list[int]) -> int:
    spec = PlanSpec(steps=(StepSpec("fio", PARAMS),), repeats=1)
    plan = TestPlan.objects.create(name=f"on {number}", owner=user, spec=spec)
    PlanTarget.objects.bulk_create([PlanTarget(plan=plan, target_id=pk) for pk in targets])
    return plan.pk


if __name__ == "__main__":
    main(json.load(sys.stdin))
