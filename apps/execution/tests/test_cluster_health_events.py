"""A cluster that complains while a test runs on it is in the diary at once, not at the end."""

from __future__ import annotations

import json

import pytest

from apps.execution.attempt.live_metrics import LiveMetricsReader
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.domain.lease import RunLease
from apps.execution.services.attempts import attempt_remark
from apps.execution.tests.several import opened
from apps.remote.status import FilePiece
from apps.runs.models import Attempt, Case

GOOD = {"monotonic": 1.0, "status": "HEALTH_OK", "checks": {}, "error": ""}
FULL = GOOD | {"status": "HEALTH_ERR", "checks": {"OSD_FULL": "3 full osd(s)"}}
LOG = "".join(json.dumps(entry) + "\n" for entry in (GOOD, FULL)).encode()


@pytest.fixture
def attempt(lease: RunLease) -> Attempt:
    attempt = opened(lease, Case.objects.get(run=lease.run_id).pk)
    attempt.jobs.all()[0].spec["ceph"] = True
    return attempt


async def test_health_checks_in_any_pieces_are_reported_once(attempt: Attempt) -> None:
    watcher = LiveMetricsReader(LivePublisher(), 1, attempt)
    assert watcher.offsets["ceph-health.log"] == 0
    cut = len(LOG) - 7
    await watcher.feed(FilePiece("ceph-health.log", 0, LOG[:cut]))
    assert watcher.remarks() == []
    await watcher.feed(FilePiece("ceph-health.log", cut, LOG[cut:]))
    assert watcher.remarks() == ["Ceph says: HEALTH_ERR: 3 full osd(s)"]
    assert watcher.remarks() == []


def test_another_worker_that_reads_it_again_writes_no_second_line(
    lease: RunLease, attempt: Attempt
) -> None:
    for _ in range(2):
        attempt_remark(lease, attempt, "Ceph says: HEALTH_ERR: 3 full osd(s)")
    (event,) = attempt.case.run.events.filter(kind="remark")
    assert event.text == "case 1: Ceph says: HEALTH_ERR: 3 full osd(s)"
