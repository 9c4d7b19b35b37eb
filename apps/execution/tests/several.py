"""Cases of several hosts, made by hand: what they consist of, and what their jobs left."""

from __future__ import annotations

from typing import Any

from apps.accounts.models import User
from apps.inventory.models import Host
from apps.runs.models import Attempt, Case, JobState
from apps.runs.tests.factories import create_disk, create_host, create_job, create_run
from apps.tools.base import JSON


def member(host: Host, number: int = 0, **fields: Any) -> JSON:
    """One disk of a host; a size and an identity that tell it apart."""
    row: JSON = {
        "role": "client",
        "host": host.pk,
        "host_name": host.name,
        "label": f"{host.name} vd{'bcdef'[number]}",
        "kind": "disk",
        "id": None,
        "identity": f"wwn:{host.name}-{number}",
        "size": (64 + number) * 1024**2,
        "make": None,
    }
    return row | fields


def create_case(*, owner: User, members: list[JSON] | None = None, **fields: Any) -> Case:
    """A case of two hosts with a disk each, unless told otherwise."""
    run = create_run(
        owner=owner, **({"params": fields.pop("params")} if "params" in fields else {})
    )
    case = run.cases.get()
    if members is None:
        hosts = [case.host, create_host()]
        members = [
            member(host, id=create_disk(host=host, owner=owner, identity=f"wwn:{host.name}-0").pk)
            for host in hosts
        ]
    case.members = members
    case.hosts = list(dict.fromkeys(row["host"] for row in members))
    case.host_id, case.disk = case.hosts[0], None
    for name, value in fields.items():
        setattr(case, name, value)
    case.save()
    return case


def create_attempt(case: Case, jobs: list[JSON], *, stopped: JSON | None = None) -> Attempt:
    """The case's only attempt, its jobs ended: `jobs` are (part of) their fields."""
    case.attempts.all().delete()
    attempt = Attempt.objects.create(case=case, stopped=stopped or {})
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
