"""`python -m benchlab.bench.compare_fill`: runs to compare for the row "compare", in the database
of the environment; what there is to ask for, as a document on stdout.
"""

from __future__ import annotations

import json
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchlab.settings")
import django

django.setup()

from django.db import connection  # noqa: E402

from apps.accounts.models import User  # noqa: E402
from apps.analysis.compare.tests.factories import PARAMS, Setup, create_measured_run, create_target  # noqa: E402
from apps.plans.models import TestPlan  # noqa: E402
from apps.runs.models import Run  # noqa: E402
from benchlab.bench.sessions import session_key  # noqa: E402

WORKLOADS = {24: 7, 500: 9, 3000: 10}
"""Workloads, and the repeats of each that verdicts on so many need."""
RUNS = 60
GAINS = {"Scheduler none": 1.03}


def main() -> None:
    user = User.objects.order_by("pk")[0]
    told = {f"2 x {n} workloads": f"run={run_of(user, n, r).pk}" for n, r in WORKLOADS.items()}
    told[f"{RUNS} runs of a plan"] = f"plan={plan_of(user).pk}"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(json.dumps({"session": session_key(user), "queries": told}))


def run_of(user: User, workloads: int, repeats: int) -> Run:
    """Two tunings, so many workloads and repeats of each."""
    points = [PARAMS | {"size": (number + 1) << 20} for number in range(workloads)]
    setup = Setup(user, points=points, repeats=repeats, gains=GAINS, noise=0.02)
    return create_measured_run(setup)


def plan_of(user: User) -> TestPlan:
    """One plan of four workloads, launched again and again."""
    plan = TestPlan.objects.create(name="every night", owner=user)
    points = [PARAMS | {"iodepth": depth} for depth in (1, 8, 32, 128)]
    disk = create_target(user)
    for seed in range(RUNS):
        create_measured_run(
            Setup(user, points=points, plan=plan, disk=disk, gains=GAINS, noise=0.02, seed=seed)
        )
    return plan


if __name__ == "__main__":
    main()
