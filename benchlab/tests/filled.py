"""An archive with so many rows that PostgreSQL's planner takes an index where there is one: copies
of one measured case, by statements of the database alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model, QuerySet

from apps.accounts.models import User
from apps.inventory.models import Disk, Host
from apps.inventory.services.targets import targets_ensure
from apps.results.models import Measurement
from apps.runs.models import Attempt, Case, Member, Run, RunTarget, RunTuning
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_run

HOSTS, RUNS, CASES = 40, 400, 40
TABLES = (Run, RunTarget, Member, RunTuning, Case, Attempt, Measurement)


class Archive(NamedTuple):
    """The hosts and their disks; each has every fortieth run."""

    hosts: Sequence[Host]
    disks: Sequence[Disk]


def fill(owner: User) -> Archive:
    """RUNS runs of CASES measured cases each; every run is on one of HOSTS hosts."""
    hosts = [create_host() for _ in range(HOSTS)]
    disks = [create_disk(host=host, owner=owner) for host in hosts]
    run = create_run(owner=owner, target=disks[0])
    case = run.cases.get()
    attempt = create_attempt(case)
    row = Measurement.objects.create(
        attempt=attempt, case=case, operation="read", bandwidth=1.0, parser_version=1
    )
    targets = targets_ensure([("disk", disk.pk) for disk in disks])
    place = f"(ARRAY{[targets['disk', disk.pk] for disk in disks]})[1 + n % {HOSTS}]"
    host = f"(ARRAY{[host.pk for host in hosts]})[1 + n % {HOSTS}]"
    base = max(model.objects.order_by("-pk").values_list("pk", flat=True)[0] for model in (
        Run, RunTarget, RunTuning, Case))  # fmt: skip
    runs, both = f"generate_series(1, {RUNS}) AS n", f"generate_series(0, {RUNS * CASES - 1}) AS m"
    own = f"{base} + 1 + m / {CASES}"
    _copies(run, runs, id=f"{base} + n", idempotency_key="NULL")
    _copies(case.run_target, runs, id=f"{base} + n", run_id=f"{base} + n", target_id=place)
    _copies(case.run_tuning, runs, id=f"{base} + n", run_id=f"{base} + n")
    _copies(case.members[0], runs, run_target_id=f"{base} + n", target_id=place, host_id=host)
    _copies(
        case, both, id=f"{base} + 1 + m", run_id=own, run_target_id=own, run_tuning_id=own,
        position=f"m % {CASES}",
    )  # fmt: skip
    _copies(attempt, both, id="gen_random_uuid()", case_id=f"{base} + 1 + m")
    with connection.cursor() as cursor:
        names = ", ".join(f'"{f.column}"' for f in Measurement._meta.concrete_fields[1:])
        values = ", ".join(
            {"attempt": "a.id", "case": "a.case_id"}.get(f.name, f't."{f.column}"')
            for f in Measurement._meta.concrete_fields[1:]
        )
        cursor.execute(
            f"INSERT INTO results_measurement ({names}) SELECT {values} "
            f"FROM results_measurement t, runs_attempt a WHERE t.id = {row.pk} "
            f"AND a.case_id > {base}"
        )
        cursor.execute(f"ANALYZE {', '.join(model._meta.db_table for model in TABLES)}")
    return Archive(hosts, disks)


def _copies(row: Model, source: str, **columns: str) -> None:
    """Copies of a row, one for each of `source`; `columns` are expressions of the database."""
    meta = row._meta
    names = [str(f.column) for f in meta.concrete_fields if f.column != "id" or "id" in columns]
    values = ", ".join(columns.get(name, f't."{name}"') for name in names)
    listed = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {meta.db_table} ({listed}) SELECT {values} "
            f"FROM {meta.db_table} t, {source} WHERE t.id = '{row.pk}'"
        )


class Step(NamedTuple):
    """A node of a plan: what it does, to which table, by which index."""

    what: str
    table: str
    by: str


def plan_of(query: QuerySet[Any]) -> list[Step]:
    """What PostgreSQL will do for a query."""
    (told,) = json.loads(query.explain(format="json"))
    return list(_steps(told["Plan"]))


def _steps(node: dict[str, Any]) -> Iterator[Step]:
    yield Step(node["Node Type"], node.get("Relation Name", ""), node.get("Index Name", ""))
    for inner in node.get("Plans") or ():
        yield from _steps(inner)
