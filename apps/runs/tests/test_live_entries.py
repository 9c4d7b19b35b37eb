"""Live figures of a run: every entry once, from where the page was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.conf import LazySettings
from django.test import Client

from apps.runs.domain.live_channel import stream_key
from apps.runs.models import Attempt, AttemptState, Run, RunState
from apps.runs.services.runs import run_finish
from apps.runs.tests.factories import create_attempt, create_run
from apps.runs.views import live as live_views


@pytest.fixture
def broker(settings: LazySettings) -> Iterator[Any]:
    client = redis.from_url(settings.REDIS_URL)
    yield client
    client.close()


@pytest.fixture
def attempt(owner: Any, broker: Any) -> Iterator[Attempt]:
    run = create_run(owner=owner)
    Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    yield create_attempt(
        run.cases.get(), state=AttemptState.RUNNING, ended_at=None, host_files_removed_at=None
    )
    broker.delete(stream_key(run.pk))


def publish(broker: Any, attempt: Attempt, second: int, about: str = "") -> str:
    data = json.dumps({"attempt": about or str(attempt.pk), "t": second})
    key = stream_key(attempt.case.run_id)
    return str(broker.xadd(key, {"kind": "sample", "data": data}).decode())


def live(client: Client, attempt: Attempt, after: str = "") -> Any:
    answer = client.get(f"/runs/{attempt.case.run_id}/live/", {"after": after} if after else {})
    assert answer.status_code == 200
    return answer.json()


def seconds(answer: Any) -> list[int]:
    return [entry["data"]["t"] for entry in answer["entries"]]


def test_live_after_an_id_gives_each_entry_once(
    attempt: Attempt, viewer_client: Client, broker: Any
) -> None:
    for second in (1, 2):
        newest = publish(broker, attempt, second)
    first = live(viewer_client, attempt)
    assert (seconds(first), first["last"]) == ([1, 2], newest)
    publish(broker, attempt, 3)
    then = live(viewer_client, attempt, first["last"])
    assert seconds(then) == [3]
    nothing = live(viewer_client, attempt, then["last"])
    assert nothing == {"entries": [], "last": then["last"], "ended": False}


def test_live_first_answer_leaves_ended_attempts_out(
    attempt: Attempt, viewer_client: Client, broker: Any
) -> None:
    publish(broker, attempt, 1, about="an earlier one")
    publish(broker, attempt, 2)
    assert seconds(live(viewer_client, attempt)) == [2]


def test_live_answer_is_bounded_and_the_next_goes_on(
    attempt: Attempt, viewer_client: Client, broker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_views, "MOST", 3)
    ids = [publish(broker, attempt, second) for second in range(9)]
    assert seconds(live(viewer_client, attempt)) == [6, 7, 8]
    assert seconds(live(viewer_client, attempt, ids[0])) == [1, 2, 3]


@pytest.mark.parametrize("after", ["x", "$", "1-1; DROP", "9" * 40, "9" * 20 + "-1", "1\n2"])
def test_live_with_a_wrong_id_begins_anew(
    after: str, attempt: Attempt, viewer_client: Client, broker: Any
) -> None:
    publish(broker, attempt, 1)
    assert seconds(live(viewer_client, attempt, after)) == [1]


def test_live_of_an_ended_run_says_so(attempt: Attempt, viewer_client: Client) -> None:
    run_finish(Run.objects.get(pk=attempt.case.run_id), RunState.SUCCEEDED, "")
    assert live(viewer_client, attempt)["ended"] is True


def test_live_without_a_broker_is_503_and_the_page_works(
    attempt: Attempt, viewer_client: Client, settings: LazySettings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    place = f"/runs/{attempt.case.run_id}/"
    assert viewer_client.get(f"{place}live/").status_code == 503
    assert viewer_client.get(f"{place}parts/status/").status_code == 200


def test_live_needs_a_login_and_a_run(attempt: Attempt, viewer_client: Client) -> None:
    place = f"/runs/{attempt.case.run_id}/live/"
    assert Client().get(place).status_code == 302
    assert viewer_client.get(f"/runs/{attempt.case.run_id + 1000}/live/").status_code == 404
