"""An archive of before: what attempts kept in columns of their own becomes rows of jobs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from apps.results.attempts.jobs import jobs_of
from apps.runs.contract import ImportedFrom
from apps.runs.models import Attempt, AttemptJob
from apps.runs.starts import starts_of
from benchlab.tests.upgrade import State, empty_database, migrated_to, migrated_to_today

BEFORE: State = [("runs", "0010_archived_runs")]
SPEC = {"commands": [{"role": "main", "argv": ["fio"], "listens": ""}]}
EXIT = {"codes": [0], "signals": [None], "started": {"monotonic": 5.0}}
Kinds = dict[str, uuid.UUID]


@pytest.fixture(scope="module")
def archive(django_db_setup: None, django_db_blocker: Any) -> Iterator[Kinds]:
    """Today's database, from attempts of that release, one of a kind."""
    with django_db_blocker.unblock(), empty_database():
        made = attempts_of(migrated_to(BEFORE))
        migrated_to_today()
        yield made


@pytest.fixture
def attempts(archive: Kinds, django_db_blocker: Any) -> Iterator[Kinds]:
    with django_db_blocker.unblock():
        yield archive


def attempts_of(old: Any) -> Kinds:
    def make(model: str, **fields: object) -> Any:
        return old.get_model(model).objects.create(**fields)

    east, west = (make("inventory.Host", name=name, kind="ssh") for name in ("east", "west"))
    workload = make("plans.Workload", key="k", tool="fio", params={}, label="k")
    owner = make("accounts.User", username="owner", password="")
    run = make("runs.Run", name="old", owner=owner)
    common = {"run": run, "workload": workload, "tool": "fio", "host": east}
    told: dict[str, dict[str, object]] = {
        "running": {"state": "running", "spec": SPEC, "contact_at": run.queued_at},
        "ended": {"state": "succeeded", "spec": SPEC, "exit": EXIT, "cleared_at": run.queued_at},
        "lost": {"state": "lost", "spec": SPEC},
        "imported": {"state": "succeeded", "spec": {"imported": {"key": "k", "index": 0}}},
        "unspecified": {"state": "failed", "spec": {}},
        "several": several_jobs(east.pk, west.pk),
    }
    made = {}
    for number, (name, fields) in enumerate(told.items()):
        case = make("runs.Case", position=number, **common)
        made[name] = make("runs.Attempt", case=case, **fields).pk
    return made


def several_jobs(east: int, west: int) -> dict[str, object]:
    """An attempt on two hosts that were to start together; the second one broke."""
    hosts = {"east": east, "west": west}
    jobs = [
        {"job": str(uuid.uuid4()), "host": pk, "name": name, "act": 1, "role": "client"}
        for name, pk in hosts.items()
    ]
    asked = [job | {"spec": SPEC, "launched": True} for job in jobs]
    ends: list[dict[str, object]] = [
        {"state": "done", "exit": EXIT, "refused": None, "places": {"stdout": [0, 4]}},
        {"state": "refused", "exit": {}, "refused": {"reasons": ["No."]}, "places": {}},
    ]
    never = {
        "job": str(uuid.uuid4()), "host": east, "name": "east", "act": 2, "role": "client",
        "spec": SPEC, "launched": False,
    }  # fmt: skip
    return {
        "state": "failed",
        "jobs": [*asked, never],
        "exit": {
            "jobs": [job | end for job, end in zip(jobs, ends, strict=True)],
            "clocks": {"1": {str(east): [90.0, 0.001], str(west): [5000.0, 0.002]}},
            "stopped": {"state": "failed", "reason": "", "fault": "host", "host": west},
        },
    }


def test_nothing_of_them_is_lost(attempts: Kinds) -> None:
    rows = {name: Attempt.objects.get(pk=pk) for name, pk in attempts.items()}
    (running,) = rows["running"].jobs.all()
    assert (running.pk, running.host_id) == (attempts["running"], rows["running"].case.host_id)
    assert (running.spec, running.launched, running.state) == (SPEC, True, "open")
    (ended,) = jobs_of(rows["ended"])
    assert (ended.name, ended.exit, ended.state) == ("", EXIT, "done")
    assert rows["ended"].jobs.get().cleared
    assert [job.state for job in jobs_of(rows["lost"])] == ["lost"]
    assert rows["imported"].imported == ImportedFrom("k", 0, 0)
    assert rows["running"].imported is None
    told = AttemptJob.objects.filter(attempt__in=[rows["imported"], rows["unspecified"]])
    assert not told.exists()


def test_each_of_several_hosts_keeps_its_part(attempts: Kinds) -> None:
    attempt = Attempt.objects.get(pk=attempts["several"])
    rows = list(attempt.jobs.all())
    assert [(row.name, row.act, row.state) for row in rows] == [
        ("east", 1, "done"),
        ("west", 1, "refused"),
        ("east", 2, "open"),
    ]
    assert [row.launched for row in rows] == [True, True, False]
    assert [row.clock_offset for row in rows] == [90.0, 5000.0, None]
    assert rows[0].places == {"stdout": (0, 4)}
    assert rows[1].refused == {"reasons": ["No."]}
    assert attempt.stopped.host == rows[1].host_id
    assert [job.name for job in jobs_of(attempt)] == ["east", "west"]
    assert starts_of(rows).after == {}
