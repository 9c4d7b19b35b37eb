"""bin/test gives each call of pytest the files of its marks."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.harness import marked_files
from tests.harness.marked_files import SLOW, files_with


def test_files_of_a_mark_are_found_by_their_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marked_files, "ROOT", tmp_path)
    (tmp_path / "apps/tests").mkdir(parents=True)
    for name, text in {
        "a": "pytestmark = pytest.mark.e2e",
        "b": "# e2e",
        "c": "mark.browser",
    }.items():
        (tmp_path / f"apps/tests/test_{name}_marked.py").write_text(text)
    marked_files.marks_in.cache_clear()
    assert files_with(SLOW) == ["apps/tests/test_a_marked.py", "apps/tests/test_c_marked.py"]


def test_a_mark_that_the_file_does_not_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marked_files, "ROOT", tmp_path)
    (tmp_path / "test_imported_mark.py").write_text("from elsewhere import pytestmark")
    item: Any = SimpleNamespace(
        nodeid="test_imported_mark.py::test_it",
        location=("test_imported_mark.py", 1, "test_it"),
        get_closest_marker=lambda name: name == "e2e",
    )
    with pytest.raises(pytest.UsageError, match=r"test_imported_mark\.py has the mark e2e"):
        marked_files.pytest_collection_modifyitems([item])
