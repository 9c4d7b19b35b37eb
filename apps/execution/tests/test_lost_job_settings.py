"""A job that was lost says nothing of its settings; the journal on its host does."""

from __future__ import annotations

from typing import Any, cast

from apps.accounts.models import User
from apps.execution.attempt.driven_job import DrivenJob
from apps.execution.attempt.writer import AttemptWriter
from apps.remote.client import Client
from apps.remote.status import Status
from apps.runs.models import JobState
from apps.runs.selectors.effective_settings import effective_settings
from apps.runs.tests.factories import create_attempt, create_run


def setting(name: str, **more: Any) -> Any:
    line = {"kind": "queue", "identity": "loop:a", "name": name, "step": "applied"}
    return line | {"original": "none", "value": "kyber", "last_value": "kyber"} | more


def test_what_was_given_back_after_the_job_was_lost_has_an_afterwards(owner: User) -> None:
    lent = {"kind": "queue", "identity": "loop:a", "name": "scheduler", "value": "kyber"}
    attempt = create_attempt(create_run(owner=owner).cases.get(), spec={"tuning": [lent]})
    (row,) = attempt.jobs.all()
    job = DrivenJob(row, cast(Client, None), cast(AttemptWriter, None))
    settings = [
        setting("scheduler", outcome="restored"),
        setting("rq_affinity", original="1", value="2", seen="2", outcome="conflict"),
        setting("nr_requests", original="64", value=None, seen="256", outcome="failed"),
    ]
    loan: Any = {"state": "closed", "settings": settings}
    job.status = Status(str(row.pk), "lost", journal=loan)
    job.note_end()
    assert row.state == JobState.LOST
    row.save()
    row.refresh_from_db()
    found = {one.name: one for one in effective_settings([row])}
    one = found["scheduler"]
    assert (one.requested, one.before, one.during, one.after) == ("kyber", "none", "kyber", "none")
    assert found["rq_affinity"].problems == ("conflicts",)
    assert (found["nr_requests"].after, found["nr_requests"].problems) == (None, ("failed",))


def test_lost_job_without_settings_has_no_warning(owner: User) -> None:
    attempt = create_attempt(create_run(owner=owner).cases.get())
    (row,) = attempt.jobs.all()
    job = DrivenJob(row, cast(Client, None), cast(AttemptWriter, None))
    job.status = Status(str(row.pk), "lost")
    job.note_end()
    assert (row.state, row.refusal) == (JobState.LOST, None)
