"""A test of the last release that runs during the upgrade goes on, and its result is kept."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections

from apps.accounts.models import User
from apps.execution.engine.loop import Engine
from apps.execution.jobs.spec import attempt_jobs
from apps.inventory.models import Directory
from apps.remote.agent_tests.client import Client
from apps.runs.models import Attempt, Run, RunState
from apps.runs.services.leases import run_release, run_try_start
from apps.runs.tests.factories import PARAMS, create_attempt, create_host, create_run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here"),
]


@pytest.fixture
def run(owner: User, tmp_path: Path) -> Run:
    """A run that a worker of the last release had begun to drive."""
    (tmp_path / "scratch").mkdir()
    path = str(tmp_path / "scratch")
    place = Directory.objects.create(host=create_host(), path=path, owner=owner)
    run = create_run(owner=owner, target=place, params=PARAMS | {"runtime": 2})
    fence = run_try_start(run_id=run.pk, worker="of the last release")
    run_release(run_id=run.pk, fence=fence or 0)
    run.refresh_from_db()
    return run


def stored_before(run: Run) -> Any:
    """The specification the host had then: commands said less of themselves."""
    case = run.cases.get()
    (job,) = attempt_jobs(Attempt(case=case))
    spec: Any = job.spec
    keys = ("role", "argv", "files", "always")
    spec["commands"] = [{key: command[key] for key in keys} for command in spec["commands"]]
    return spec


@pytest.mark.parametrize("state", ["preflight", "running"])
def test_a_test_that_was_under_way_is_found_again(
    run: Run, state: str, settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(tmp_path / "agent"))
    settings.BENCHLAB_RECONCILE_SECONDS = 0.2
    spec, case = stored_before(run), run.cases.get()
    fields = {"pk": spec["attempt"], "state": state, "contact_at": run.started_at}
    job = {"pk": spec["attempt"], "spec": spec, "launched": state == "running"}
    ends = dict.fromkeys(("started_at", "ended_at", "host_files_removed_at"))
    create_attempt(case, jobs=[job], argv=[], **fields, **ends)
    with Client(tmp_path / "agent") as client:
        assert client.good("launch", spec=spec)["launched"]
    engine = Engine()
    engine.start()
    try:
        assert ended(run).state == RunState.SUCCEEDED, case.attempts.get().reason
    finally:
        engine.stop()
        connections.close_all()
    attempt = case.attempts.get()
    assert (str(attempt.pk), attempt.number) == (spec["attempt"], 1)
    assert attempt.measurements.get().iops
    assert attempt.host_files_removed_at is not None


def ended(run: Run) -> Run:
    deadline = time.monotonic() + 60
    while not run.is_final:
        assert time.monotonic() < deadline, run.state
        time.sleep(0.1)
        run.refresh_from_db()
    return run
