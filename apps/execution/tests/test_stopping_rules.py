"""Rules that give a running run more blocks."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from django.conf import LazySettings

from apps.accounts.models import User
from apps.execution.engine import run_driver
from apps.execution.engine.loop import Engine
from apps.execution.services import run_end as run_services
from apps.execution.tests.test_engine_local import until
from apps.inventory.models import Directory
from apps.runs.models import Case, CaseState, Run, RunState
from apps.runs.selectors.extension_blocks import block_after, existing_cases
from apps.runs.services import stopping_rules
from apps.runs.services.runs import run_cancel
from apps.runs.services.stopping_rules import (
    Extend,
    Stop,
    decision_store,
    next_decision,
    rule_register,
)
from apps.runs.tests.factories import create_host, create_run

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed here"),
]


class UpTo:
    """So many blocks."""

    name = "up to"

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks
        self.asked = 0

    def applies(self, run: Run) -> bool:
        return True

    def decide(self, run: Run) -> Extend | Stop:
        self.asked += 1
        before = existing_cases(run)
        if before.block >= self.blocks:
            return Stop(f"there are {before.block} blocks")
        return Extend(block_after(run, before, 1))


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> UpTo:
    monkeypatch.setattr(stopping_rules, "_RULES", [])
    rule = UpTo(3)
    rule_register(rule)
    return rule


@pytest.fixture
def scratch(tmp_path: Path, owner: User) -> Directory:
    path = tmp_path / "scratch"
    path.mkdir()
    return Directory.objects.create(host=create_host(), path=str(path), owner=owner)


def blocks(run: Run) -> list[tuple[int, int, str]]:
    rows = run.cases.order_by("sequence").values_list("block", "repeat", "state")
    return [(block, repeat, state) for block, repeat, state in rows]


def test_blocks_are_added_until_the_rule_has_enough(
    engine: Engine, rule: UpTo, owner: User, scratch: Directory
) -> None:
    engine.start()
    run = until(create_run(owner=owner, target=scratch), RunState.SUCCEEDED)
    assert blocks(run) == [(n, n, CaseState.SUCCEEDED) for n in (1, 2, 3)]
    assert (run.case_count, rule.asked) == (3, 3)
    rows = run.extensions.filter(kind="rule").values_list("rule", "last_block", "cases", "reason")
    assert list(rows) == [
        ("up to", 2, 1, "1 case added"),
        ("up to", 3, 1, "1 case added"),
        ("up to", 3, 0, "there are 3 blocks"),
    ]
    assert run.extensions.filter(kind="rule", cases=0).count() == 1
    told = list(run.events.filter(kind="rule").order_by("pk").values_list("text", flat=True))
    assert told == ["1 case added", "1 case added", "there are 3 blocks"]
    assert not list(Path(scratch.path).iterdir())


@pytest.mark.parametrize("stored_first", [False, True])
def test_block_after_a_crash_is_neither_lost_nor_doubled(
    stored_first: bool,
    engine: Engine,
    rule: UpTo,
    owner: User,
    scratch: Directory,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.BENCHLAB_LEASE_SECONDS = 2  # until it lapses, nobody goes on
    falls = iter([True])

    def falling(run: Run, asked: stopping_rules.RuleOutcome) -> bool:
        if not stored_first and next(falls, False):
            raise RuntimeError("before it is stored")
        return decision_store(run, asked)

    def falling_after(lease: object, asked: stopping_rules.RuleOutcome) -> bool:
        more = stored(lease, asked)  # type: ignore[arg-type]  # whatever the engine hands over
        if stored_first and next(falls, False):
            raise RuntimeError("after it was stored")
        return more

    stored = run_services.run_go_on
    monkeypatch.setattr(run_services, "decision_store", falling)
    monkeypatch.setattr(run_driver, "run_go_on", falling_after)
    engine.start()
    run = until(create_run(owner=owner, target=scratch), RunState.SUCCEEDED)
    assert blocks(run) == [(n, n, CaseState.SUCCEEDED) for n in (1, 2, 3)]
    assert [case.attempts.count() for case in run.cases.all()] == [1, 1, 1]


def test_an_answer_is_stored_once(rule: UpTo, owner: User, scratch: Directory) -> None:
    run = create_run(owner=owner, target=scratch)
    run.cases.update(state=CaseState.RUNNING)
    run.cases.update(state=CaseState.SUCCEEDED)
    asked = next_decision(run.pk)
    assert decision_store(Run.objects.get(pk=run.pk), asked)
    assert decision_store(Run.objects.get(pk=run.pk), asked)
    assert Case.objects.filter(run=run).count() == 2
    assert run.extensions.filter(kind="rule").count() == 1


def test_cancelling_ends_it(engine: Engine, rule: UpTo, owner: User, scratch: Directory) -> None:
    rule.blocks = 1_000
    engine.start()
    run = create_run(owner=owner, target=scratch)
    deadline = time.monotonic() + 60
    while not run.extensions.filter(kind="rule").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    run_cancel(run=run, user=owner)
    engine.wake(run.pk)
    run = until(run, RunState.CANCELLED)
    assert run.cases.count() < 10
    assert not run.cases.filter(state__in=[CaseState.PENDING, CaseState.RUNNING]).exists()
