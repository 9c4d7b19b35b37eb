"""Processes that are alive, and the words for people where none is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.db.models.functions import Now
from django_celery_beat.schedulers import DatabaseScheduler

from apps.runs.models import Heartbeat
from apps.runs.selectors.heartbeats import component_status
from apps.runs.services.beat import Scheduler
from apps.runs.services.heartbeats import heartbeat_end, heartbeat_record

ENGINE = Heartbeat.Component.ENGINE


@pytest.fixture
def stale(db: None) -> Heartbeat:
    """An engine that has said nothing for two minutes."""
    heartbeat_record(ENGINE, "box:1:abc")
    Heartbeat.objects.update(last_seen_at=Now() - timedelta(minutes=2))
    return Heartbeat.objects.get()


def parts() -> dict[str, bool]:
    return {part.component: part.ok for part in component_status()}


def test_each_part_is_alive_by_its_own_word(db: None) -> None:
    assert parts() == {"engine": False, "worker": False, "beat": False}
    heartbeat_record(ENGINE, "box:1:abc")
    heartbeat_record(Heartbeat.Component.BEAT, "box:2")
    assert parts() == {"engine": True, "worker": False, "beat": True}
    heartbeat_end(ENGINE, "box:1:abc")
    assert parts()["engine"] is False


def test_silence_is_noticed_and_a_day_of_it_forgotten(stale: Heartbeat) -> None:
    engine = component_status()[0]
    assert (engine.ok, engine.last_seen_at) == (False, stale.last_seen_at)
    assert engine.remedy
    Heartbeat.objects.update(last_seen_at=Now() - timedelta(days=2))
    heartbeat_record(ENGINE, "box:3:def")
    assert [heartbeat.process_name for heartbeat in Heartbeat.objects.all()] == ["box:3:def"]


def test_a_second_word_of_a_process_is_no_second_row(stale: Heartbeat) -> None:
    heartbeat_record(ENGINE, stale.process_name)
    again = Heartbeat.objects.get()
    assert again.last_seen_at > stale.last_seen_at
    assert again.started_at == stale.started_at


def test_beat_says_so_when_it_ticks(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseScheduler, "tick", lambda *_, **__: 3.0)
    monkeypatch.setattr(DatabaseScheduler, "close", lambda *_: None)
    scheduler = Scheduler(app=current_app, lazy=True)
    assert scheduler.tick() == 3.0
    assert parts()["beat"] is True
    scheduler.close()
    assert parts()["beat"] is False
