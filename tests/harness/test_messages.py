"""What processes of xdist tell of their tests, and what is told to whoever reads the log."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness.messages import worth_telling

pytest_plugins = ["pytester"]
TESTS = """
import pytest

@pytest.fixture
def broken_before():
    raise ValueError("before")

@pytest.fixture
def broken_after():
    yield
    raise ValueError("after")

def test_passes(): ...
def test_fails(): assert not "during"
def test_is_not_begun(broken_before): ...
def test_is_left_badly(broken_after): ...
@pytest.mark.skip(reason="not here")
def test_is_skipped(): ...
"""


def report(when: str, **other: Any) -> dict[str, Any]:
    told = {"when": when, "outcome": "passed", "sections": [], "duration": 0.01}
    return {"data": told | other}


def test_only_what_says_something_is_told() -> None:
    assert not worth_telling("logstart", {})
    assert not worth_telling("testreport", report("setup"))
    assert not worth_telling("testreport", report("teardown"))
    assert worth_telling("testreport", report("call"))
    assert worth_telling("testreport", report("setup", outcome="skipped"))
    assert worth_telling("testreport", report("teardown", outcome="failed"))
    assert worth_telling("testreport", report("teardown", sections=[["stdout", "words"]]))
    assert worth_telling("testreport", report("setup", duration=2.0))
    assert worth_telling("runtest_protocol_complete", {"item_index": 1, "duration": 0.1})


def test_every_outcome_is_counted_and_said(pytester: pytest.Pytester) -> None:
    """As pytest and xdist really tell it."""
    pytester.makepyfile(test_outcomes=TESTS)
    pytester.makeconftest('pytest_plugins = ["tests.harness.messages"]\n')
    pytester.makeini("[pytest]\n")
    ran = pytester.runpytest_subprocess("-q", "-ra", "-n", "1", "-p", "no:django")
    ran.assert_outcomes(passed=2, failed=1, errors=2, skipped=1)
    ran.stdout.fnmatch_lines(["*ValueError: before", "*ValueError: after", "SKIPPED*not here"])
