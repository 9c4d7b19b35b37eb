"""A host that answers what cannot be ends its own tests only, and is not asked for ever."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import User
from apps.execution.engine import reconciler
from apps.execution.engine.loop import Engine
from apps.inventory.models import Directory, Host
from apps.inventory.services import host_check_request
from apps.plans.tests.factories import add_target
from apps.remote.pool import Sessions
from apps.remote.session import Session, VerbResponse
from apps.runs.models import AbandonedAttempt, Case, Run
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_host, create_plan
from tests.harness.documents import Document

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here"),
]
Change = Callable[[str, Document], Document]


class Evil:
    """A session whose answers are changed on their way."""

    def __init__(self, session: Session, change: Change) -> None:
        self._session, self._change = session, change

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def call(self, verb: str, **arguments: Any) -> VerbResponse:
        answer = await self._session.call(verb, **arguments)
        return replace(answer, data=self._change(verb, answer.data))


@pytest.fixture
def evil(db: None) -> Host:
    return create_host(name="evil")


@pytest.fixture
def both(owner: User, tmp_path: Path, evil: Host) -> Run:
    """A run with a case on an honest host and one on the evil one."""
    places = []
    for host in (create_host(name="honest"), evil):
        (tmp_path / host.name).mkdir()
        path = str(tmp_path / host.name)
        places.append(Directory.objects.create(host=host, path=path, owner=owner))
    plan = create_plan(owner=owner, target=places[0])
    add_target(plan, places[1])
    return run_launch(plan=plan, user=owner)


def turn_evil(monkeypatch: pytest.MonkeyPatch, evil: Host, change: Change) -> None:
    get = Sessions.get

    async def changed(self: Sessions, host_id: Any, spec: Any) -> Any:
        session = await get(self, host_id, spec)
        return Evil(session, change) if host_id == evil.pk else session

    monkeypatch.setattr(Sessions, "get", changed)


def until(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 120
    while not (seen := look()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.1)
    return seen


def ended(run: Run) -> dict[str, Case]:
    """Its cases by host when it has ended."""

    def look() -> bool:
        run.refresh_from_db()
        return run.is_final

    until(look)
    return {case.host.name: case for case in run.cases.all()}


def reason_of_evil_alone(run: Run) -> str:
    """Why the test of the host that lies failed, by its own fault, when the other's succeeded."""
    cases = ended(run)
    assert cases["honest"].state == "succeeded", cases["honest"].reason
    assert (cases["evil"].state, cases["evil"].failure_cause) == ("failed", "host")
    return cases["evil"].reason


def test_a_wrong_type_in_the_exit_fails_that_hosts_case_only(
    engine: Engine, both: Run, evil: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(verb: str, data: Document) -> Document:
        if data.get("exit"):
            return data | {"exit": data["exit"] | {"started": "garbage"}}
        return data

    turn_evil(monkeypatch, evil, change)
    engine.start()
    reason = reason_of_evil_alone(both)
    assert "started" in reason
    assert not both.claims.filter(released_at__isnull=True).exists()


def test_a_claimed_terabyte_is_not_read(
    engine: Engine, both: Run, evil: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(verb: str, data: Document) -> Document:
        if data.get("state") == "done":
            return data | {"files": [{"name": "stdout", "size": 10**12, "sha256": "0" * 64}]}
        return data

    turn_evil(monkeypatch, evil, change)
    engine.start()
    reason = reason_of_evil_alone(both)
    assert "1000000000000 bytes of output" in reason


def test_files_that_are_not_the_ones_it_named_fail_that_hosts_case_only(
    engine: Engine, both: Run, evil: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(verb: str, data: Document) -> Document:
        if data.get("state") == "done":
            files = [file | {"sha256": "0" * 64} for file in data["files"]]
            return data | {"files": files}
        return data

    turn_evil(monkeypatch, evil, change)
    engine.start()
    reason = reason_of_evil_alone(both)
    assert "differs from the file" in reason
    assert not both.claims.filter(released_at__isnull=True).exists()


def test_unknown_state_ends_unconfirmed_and_blocks_until_confirmed(
    engine: Engine, both: Run, evil: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "HOST_RETRY_DELAY", 0.5)
    lies = True

    def change(verb: str, data: Document) -> Document:
        launched = data.get("state") in ("running", "done", "lost")
        return data | {"state": "dancing"} if lies and launched else data

    turn_evil(monkeypatch, evil, change)
    engine.start()
    cases = ended(both)
    assert cases["honest"].state == "succeeded", cases["honest"].reason
    assert (cases["evil"].state, cases["evil"].failure_cause) == ("unconfirmed", "host")
    row = AbandonedAttempt.objects.get()
    assert (row.host, row.abandoned_by) == (evil, None)
    assert both.claims.filter(released_at__isnull=True).exists()
    lies = False
    until(lambda: AbandonedAttempt.objects.get(pk=row.pk).confirmed)
    assert not both.claims.filter(released_at__isnull=True).exists()


@pytest.mark.parametrize(
    ("verb", "bad"),
    [
        ("facts", {"facts": {"disks": [{"identity": "wwn:1", "size": "big"}]}}),
        ("facts", {"facts": {"kernel": ["6.1"]}}),
        ("facts", {"facts": {"disks": [{"identity": "wwn:1", "queue": {"x": "\ud800"}}]}}),
        ("ping", {"realtime": None}),
    ],
)
def test_a_check_of_nonsense_ends_with_a_reason(
    engine: Engine,
    evil: Host,
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    bad: Document,
) -> None:
    asked: list[str] = []

    def change(now: str, data: Document) -> Document:
        asked.append(now)
        return data | bad if now == verb else data

    turn_evil(monkeypatch, evil, change)
    host_check_request(host=evil, user=admin)
    engine.start()

    def look() -> bool:
        evil.refresh_from_db()
        return evil.check_requested_at is None

    until(look)
    if evil.health == "ok":  # a text that cannot be stored is stored without what cannot be
        assert "ud800" in str(bad) or "\ud800" in str(bad)
        return
    assert evil.health == "unreachable"
    assert "sent an invalid response" in evil.health_text
    assert asked.count(verb) == 1
