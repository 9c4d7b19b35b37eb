"""A kept answer is found under its question only by the code that gave it, also a large one."""

from __future__ import annotations

from pathlib import Path

import pytest
import zstandard
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


def test_a_large_answer_is_kept() -> None:
    rows = [f"randread 4 KiB, depth {n}" for n in range(150_000)]
    name = kept.name_of("large", len(rows))
    kept.keep(name, rows)
    assert sum(map(len, rows)) > kept.LARGEST
    assert kept.kept(name, list[str]) == rows


@pytest.mark.parametrize(
    "data", [b"", b"[1]", zstandard.compress(b"0" * (kept.LARGEST_WHOLE + 1)), b"\x28\xb5\x2f\xfd"]
)
def test_what_somebody_else_wrote_is_no_answer(data: bytes) -> None:
    name = kept.name_of("foreign")
    kept._asked(lambda client: client.set(name, data, ex=kept.SECONDS))
    assert kept.kept(name, list[int]) is None
