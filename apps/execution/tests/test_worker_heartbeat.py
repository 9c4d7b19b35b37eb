"""The worker says that it is there while Celery hears the broker."""

from __future__ import annotations

import pytest

from apps.execution.engine.worker import WorkerHeartbeat


@pytest.mark.django_db(transaction=True)
def test_the_worker_says_so_while_it_hears_the_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.execution.engine.worker.INTERVAL_SECONDS", 0.2)
    noted: list[str] = []
    monkeypatch.setattr(
        "apps.execution.engine.worker.heartbeat_record", lambda part, _: noted.append(part)
    )
    heartbeat = WorkerHeartbeat()
    heartbeat.start()
    assert not heartbeat._stopping.wait(0.5)
    assert not noted
    for _ in range(50):
        heartbeat.contact()
        if noted or heartbeat._stopping.wait(0.1):
            break
    heartbeat.stop()
    assert noted[0] == "worker"
