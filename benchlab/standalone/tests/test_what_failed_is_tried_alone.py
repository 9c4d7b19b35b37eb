"""A few tests that failed beside others are tried once more, alone, and named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchlab.standalone import check, halves
from benchlab.standalone.halves import FAST, SLOW, Half

NAME = "tests/test_a.py::test_b"


class Calls:
    """Stands for pytest: gives the exit codes of both halves and, in the same order, of what failed
    in each alone; remembers which were tried alone.
    """

    def __init__(self, fast: int, slow: int, *alone: int) -> None:
        self.fast, self.slow, self.alone = fast, slow, list(alone)
        self.again = list[Half]()

    def run(self, half: Half, nice: Sequence[str] = ()) -> int:
        return self.fast

    def run_quiet(self, half: Half, environment: Mapping[str, str]) -> tuple[int, str]:
        return self.slow, "1 failed in 2.00s"

    def run_failed(self, half: Half) -> int:
        self.again.append(half)
        return self.alone.pop(0)


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest's lists of what failed last: one test of each half."""
    monkeypatch.setattr(halves, "PROJECT", tmp_path)
    for half in (FAST, SLOW):
        write(tmp_path, half, [NAME])


def write(project: Path, half: Half, names: list[str]) -> None:
    path = project / half.cache / "v/cache/lastfailed"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(dict.fromkeys(names, True)))


def run(
    monkeypatch: pytest.MonkeyPatch, *codes: int, static: bool = False
) -> tuple[list[str], Calls]:
    calls = Calls(*codes)
    for name in ("run", "run_quiet", "run_failed"):
        monkeypatch.setattr(halves, name, getattr(calls, name))
    monkeypatch.setattr(check, "run_static_checks", lambda: ["mypy"] if static else [])
    return check.run_everything({}), calls


@pytest.mark.parametrize(("codes", "half"), [((1, 0, 0), FAST), ((0, 1, 0), SLOW)])
def test_what_passes_alone_is_named_and_no_failure(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    codes: tuple[int, ...],
    half: Half,
) -> None:
    result, calls = run(monkeypatch, *codes)
    assert result == []
    assert calls.again == [half]
    said = capsys.readouterr().out
    assert "1 failed in 2.00s" in said
    assert f"unsteady, passed alone: {NAME}" in said


@pytest.mark.parametrize(
    ("codes", "failed"),
    [
        ((1, 0, 1), ["pytest: tests"]),
        ((0, 1, 1), ["pytest: end-to-end and browser tests"]),
        ((1, 1, 0, 1), ["pytest: end-to-end and browser tests"]),
    ],
)
def test_what_fails_twice_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, codes: tuple[int, ...], failed: list[str]
) -> None:
    assert run(monkeypatch, *codes)[0] == failed


@pytest.mark.parametrize("count", [0, 4, 400])
def test_many_failures_are_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    write(tmp_path, SLOW, [f"test_{number}" for number in range(count)])
    assert run(monkeypatch, 0, 1)[0] == ["pytest: end-to-end and browser tests"]


@pytest.mark.parametrize("code", [2, 3, 4, 5])
def test_a_broken_session_is_not_tried_again(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    assert run(monkeypatch, 0, code)[0] == ["pytest: end-to-end and browser tests"]
    assert run(monkeypatch, code, 0)[0] == ["pytest: tests"]


def test_a_static_check_that_fails_stops_no_test(monkeypatch: pytest.MonkeyPatch) -> None:
    found, calls = run(monkeypatch, 1, 0, 1, static=True)
    assert found == ["mypy", "pytest: tests"]
    assert calls.again == [FAST]
