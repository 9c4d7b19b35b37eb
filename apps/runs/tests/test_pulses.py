"""Processes that are alive, and the words for people where none is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.db.models.functions import Now
from django_celery_beat.schedulers import DatabaseScheduler

from apps.runs.models import Pulse
from apps.runs.selectors.heartbeats import component_status
from apps.runs.services.beat import Scheduler
from apps.runs.services.heartbeats import heartbeat_end, heartbeat_record

ENGINE = Pulse.Part.ENGINE


@pytest.fixture
def silent(db: None) -> Pulse:
    """An engine that has said nothing for two minutes."""
    heartbeat_record(ENGINE, "box:1:abc")
    Pulse.objects.update(at=Now() - timedelta(minutes=2))
    return Pulse.objects.get()


def parts() -> dict[str, bool]:
    return {part.part: part.ok for part in component_status()}


def test_each_part_is_alive_by_its_own_word(db: None) -> None:
    assert parts() == {"engine": False, "worker": False, "beat": False}
    heartbeat_record(ENGINE, "box:1:abc")
    heartbeat_record(Pulse.Part.BEAT, "box:2")
    assert parts() == {"engine": True, "worker": False, "beat": True}
    heartbeat_end(ENGINE, "box:1:abc")
    assert parts()["engine"] is False


def test_silence_is_noticed_and_a_day_of_it_forgotten(silent: Pulse) -> None:
    engine = component_status()[0]
    assert (engine.ok, engine.heard) == (False, silent.at)
    assert "restart the worker" in engine.todo
    Pulse.objects.update(at=Now() - timedelta(days=2))
    heartbeat_record(ENGINE, "box:3:def")
    assert [pulse.process for pulse in Pulse.objects.all()] == ["box:3:def"]


def test_a_second_word_of_a_process_is_no_second_row(silent: Pulse) -> None:
    heartbeat_record(ENGINE, silent.process)
    again = Pulse.objects.get()
    assert again.at > silent.at
    assert again.since == silent.since


def test_beat_says_so_when_it_ticks(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseScheduler, "tick", lambda *_, **__: 3.0)
    monkeypatch.setattr(DatabaseScheduler, "close", lambda *_: None)
    scheduler = Scheduler(app=current_app, lazy=True)
    assert scheduler.tick() == 3.0
    assert parts()["beat"] is True
    scheduler.close()
    assert parts()["beat"] is False
