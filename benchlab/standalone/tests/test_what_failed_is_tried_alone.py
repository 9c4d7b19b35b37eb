"""A few end-to-end tests that failed beside others are tried once more, alone, and named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from benchlab.standalone import check


class Calls:
    """Stands for pytest: gives the exit codes of the unit tests, of the end-to-end tests beside
    them, and of what failed there alone; remembers what was asked.
    """

    def __init__(self, fast: int, slow: int, alone: int | None = None) -> None:
        self.codes, self.slow = [fast] if alone is None else [fast, alone], slow
        self.asked = list[tuple[str, ...]]()

    def pytest(self, name: str, *arguments: str, nice: Sequence[str] = ()) -> int:
        self.asked.append(arguments)
        return self.codes.pop(0)

    def quiet(self, environment: Mapping[str, str], *arguments: str) -> tuple[int, str]:
        return self.slow, "1 failed in 2.00s"


@pytest.fixture
def failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pytest's list of what failed last."""
    path = tmp_path / "lastfailed"
    monkeypatch.setattr(check, "LAST_FAILED", path)
    return path


def run(
    monkeypatch: pytest.MonkeyPatch, *codes: int, static: bool = False
) -> tuple[list[str], Calls]:
    calls = Calls(*codes)
    monkeypatch.setattr(check, "_pytest", calls.pytest)
    monkeypatch.setattr(check, "_pytest_quiet", calls.quiet)
    monkeypatch.setattr(check, "run_static_checks", lambda: ["mypy"] if static else [])
    return check.run_everything({}), calls


def test_what_passes_alone_is_named_and_no_failure(
    failed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failed.write_text(json.dumps({"tests/e2e/test_a.py::test_b": True}))
    result, calls = run(monkeypatch, 0, 1, 0)
    assert result == []
    assert "--last-failed" in calls.asked[-1]
    said = capsys.readouterr().out
    assert "1 failed in 2.00s" in said
    assert "unsteady, passed alone: tests/e2e/test_a.py::test_b" in said


def test_what_fails_twice_is_a_failure(failed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed.write_text(json.dumps({"tests/e2e/test_a.py::test_b": True}))
    assert run(monkeypatch, 0, 1, 1)[0] == ["pytest: end-to-end and browser tests"]


@pytest.mark.parametrize("count", [0, 4, 400])
def test_many_failures_are_not_tried_again(
    failed: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    failed.write_text(json.dumps({f"test_{number}": True for number in range(count)}))
    assert run(monkeypatch, 0, 1)[0] == ["pytest: end-to-end and browser tests"]


@pytest.mark.parametrize("code", [2, 3, 4, 5])
def test_a_broken_session_is_not_tried_again(
    failed: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    failed.write_text(json.dumps({"tests/e2e/test_a.py::test_b": True}))
    assert run(monkeypatch, 0, code)[0] == ["pytest: end-to-end and browser tests"]


def test_unit_tests_get_one_chance(failed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, 1, 0)[0] == ["pytest: tests"]


def test_a_static_check_that_fails_stops_no_test(
    failed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, calls = run(monkeypatch, 1, 0, static=True)
    assert found == ["mypy", "pytest: tests"]
    assert len(calls.asked) == 1
