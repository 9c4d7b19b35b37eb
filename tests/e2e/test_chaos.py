"""A few runs, each with a fault out of bin/chaos: nothing stuck, nothing twice, nothing wrong,
everything given back. And the check itself sees what it is for.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.chaos.check import checked
from tests.chaos.fault import Fault, nothing
from tests.chaos.faults import FAULTS
from tests.chaos.finding import Finding
from tests.chaos.round import Round
from tests.chaos.scene import Scene, scene
from tests.chaos.session import chosen, last, rounds
from tests.e2e.lab import READ, ended, launch, plan
from tests.harness.fixtures import no_box

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_root,
    pytest.mark.xdist_group("chaos"),
    pytest.mark.timeout(1200),
]
ROUNDS = 12
SEED = 11
OF_SERVERS = {"PostgreSQL killed", "Valkey emptied", "everything killed"}
NONE = Fault("none", nothing)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    if reason := no_box():
        pytest.skip(reason)
    with pytest.MonkeyPatch.context() as environment:
        for name in ("DATABASE_URL", "REDIS_URL"):  # the scene's own servers take their place
            environment.delenv(name, raising=False)
        with scene(tmp_path_factory.mktemp("chaos")) as made:
            yield made


def test_faults_of_servers_cost_nothing_they_may_not_cost(stage: Scene) -> None:
    """Those that no other test brings about."""
    play(stage, [fault for fault in FAULTS if fault.name in OF_SERVERS], Random(SEED))


@pytest.mark.extended
def test_a_dozen_faults_cost_nothing_they_may_not_cost(stage: Scene) -> None:
    random = Random(SEED)
    play(stage, chosen(FAULTS, ROUNDS, random), random)


def play(stage: Scene, faults: Sequence[Fault], random: Random) -> None:
    played: list[Round] = list(rounds(stage, faults, random))
    assert [each.findings for each in played] == [()] * len(faults)
    assert last(stage) == []


def kinds(findings: list[Finding]) -> set[str]:
    return {finding.kind for finding in findings}


@pytest.fixture(scope="module")
def after_a_run(stage: Scene) -> Scene:
    """A run that nothing happened to. What a test changes of its traces it changes back."""
    stage.run = launch(stage.stack, plan(stage.stack, stage.disk, READ, repeats=1))
    ended(stage.stack, stage.run)
    return stage


@pytest.fixture
def clean_run(after_a_run: Scene, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The check finds nothing, and does not wait long for things to come right."""
    monkeypatch.setattr("tests.chaos.check.CALM_SECONDS", 1.0)
    assert checked(after_a_run, NONE) == []
    return after_a_run


def test_the_check_sees_a_second_start(clean_run: Scene) -> None:
    log: Path = clean_run.starts.log
    lines = log.read_text().splitlines()
    log.write_text("\n".join([*lines, lines[-1], ""]))
    assert kinds(checked(clean_run, NONE)) == {"twice"}
    log.write_text("\n".join([*lines, ""]))


def test_the_check_sees_other_bytes_and_another_end(clean_run: Scene) -> None:
    copy = max(clean_run.starts.copies.iterdir(), key=lambda path: path.stat().st_mtime)
    kept = copy.read_bytes()
    copy.write_bytes(kept[:-1])
    assert kinds(checked(clean_run, NONE)) == {"wrong"}
    copy.write_bytes(kept)
    assert kinds(checked(clean_run, Fault("none", nothing, ends=frozenset({"lost"})))) == {"wrong"}


def test_the_check_sees_a_setting_and_a_claim_that_stay(clean_run: Scene) -> None:
    setting = clean_run.queue / "read_ahead_kb"
    setting.write_text("64")
    with contextlib.ExitStack() as ending:
        ending.callback(setting.write_text, clean_run.at_boot["read_ahead_kb"])
        ending.enter_context(holding(clean_run.node))
        assert kinds(checked(clean_run, NONE)) == {"not restored", "left"}


@contextlib.contextmanager
def holding(node: str) -> Iterator[None]:
    """The disk open exclusively, as a process that was forgotten would have it."""
    held = os.open(node, os.O_RDWR | os.O_EXCL)
    try:
        yield
    finally:
        os.close(held)
