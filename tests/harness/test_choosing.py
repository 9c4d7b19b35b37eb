"""A call with `-m` reads the files that can hold what it asks for, and misses none of its tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchlab.standalone.halves import FAST, SLOW
from tests.harness.choosing import may_hold

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("wanted", "marked", "plain"),
    [
        (SLOW.mark, True, False),
        (FAST.mark, True, True),
        ("e2e", True, False),
        ("browser", False, False),
        ("e2e and not browser", True, False),
        ("django_db", True, True),
        ("not django_db or e2e", True, True),
    ],
)
def test_a_file_is_passed_by_when_none_of_its_tests_can_be_meant(
    wanted: str, marked: bool, plain: bool, tmp_path: Path
) -> None:
    (tmp_path / "test_marked.py").write_text("pytestmark = [pytest.mark.e2e]")
    (tmp_path / "test_plain.py").write_text("'''An e2e test is elsewhere.'''")
    held = [may_hold(tmp_path / f"test_{name}.py", wanted) for name in ("marked", "plain")]
    assert held == [marked, plain]


@pytest.fixture
def tests(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest('pytest_plugins = ["tests.harness.choosing"]\n')
    pytester.makeini("[pytest]\nmarkers =\n  e2e: x\n  browser: x\n  needs_root: x\n")
    pytester.makepyfile(
        test_whole="import pytest\npytestmark = pytest.mark.e2e\ndef test_it(): ...",
        test_plain="open('read', 'a').write('x')\ndef test_it(): ...",
    )
    return pytester


def test_as_pytest_collects_them(tests: pytest.Pytester) -> None:
    tests.runpytest_subprocess("-m", "e2e", "-p", "no:django").assert_outcomes(passed=1)
    assert not (tests.path / "read").exists()
    ran = tests.runpytest_subprocess("-m", "e2e", "test_plain.py", "-p", "no:django")
    ran.assert_outcomes(deselected=1)


def test_a_mark_from_elsewhere_is_refused(tests: pytest.Pytester) -> None:
    tests.makepyfile(
        lent="import pytest\nSLOW = pytest.mark.e2e",
        test_borrows="from lent import SLOW\npytestmark = SLOW\ndef test_it(): ...",
    )
    ran = tests.runpytest_subprocess("-p", "no:django")
    ran.stderr.fnmatch_lines(["*test_borrows.py has tests marked e2e and does not say so*"])
