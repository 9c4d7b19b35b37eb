"""An archive of before: what attempts kept in columns of their own becomes rows of jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from apps.results.attempts.jobs import jobs_of
from apps.runs.contract import ImportedFrom
from apps.runs.models import Attempt, AttemptJob
from apps.runs.starts import starts_of
from benchlab.tests.old_archive import EXIT, SPEC, Kinds, Upgraded
from benchlab.tests.upgrade import led_to

pytestmark = pytest.mark.xdist_group("archive of before")


@pytest.fixture
def attempts(archive_of_before: Upgraded, django_db_blocker: Any) -> Iterator[Kinds]:
    with django_db_blocker.unblock(), led_to(archive_of_before.database):
        yield archive_of_before.attempts


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
