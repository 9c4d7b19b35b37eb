"""A kept answer is found under its question only by the code that gave it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import translation

from apps.common import kept


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the code that a test may change."""
    (tmp_path / "tests").mkdir()
    source = tmp_path / "stats.py"
    source.write_text("ALPHA = 0.05\n")
    monkeypatch.setattr(kept, "APPS", tmp_path)
    kept.code_stamp.cache_clear()
    monkeypatch.setattr(kept, "code_stamp", kept.code_stamp.__wrapped__)
    return source


def test_other_code_asks_for_another_answer(code: Path) -> None:
    before = kept.name_of("compare", 1)
    assert kept.name_of("compare", 1) == before
    code.write_text("ALPHA = 0.01\n")
    assert kept.name_of("compare", 1) != before


def test_a_test_is_not_the_code(code: Path) -> None:
    before = kept.name_of("compare", 1)
    (code.parent / "tests" / "test_stats.py").write_text("pass\n")
    assert kept.name_of("compare", 1) == before


def test_each_language_has_its_own(code: Path) -> None:
    before = kept.name_of("compare", 1)
    with translation.override("de"):
        assert kept.name_of("compare", 1) != before
