"""Every start sets the installation up; static files are collected only when they changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchlab.local.errors import StartError
from benchlab.local.paths import Home
from benchlab.ops import setup as module
from benchlab.ops.setup import SOURCES, fingerprint, setup


class Steps:
    """Stands for the supervisor: collects static files, and records the command's options."""

    def __init__(self, home: Home, code: int = 0) -> None:
        self.home, self.code = home, code
        self.options: list[list[str]] = []

    def step(self, argv: list[str], env: object) -> int:
        self.options.append(argv[3:])
        (self.home.root / "static").mkdir(exist_ok=True)
        (self.home.root / "static/staticfiles.json").touch()
        return self.code


def project(folder: Path) -> Path:
    for name in SOURCES:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a")
    return folder


def test_static_files_are_collected_when_they_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PROJECT", project(tmp_path / "project"))
    home = Home(tmp_path)
    steps = Steps(home)
    for source in ("", "", SOURCES[0], ""):
        if source:
            (tmp_path / "project" / source).write_text("changed")
        setup(steps, home)  # type: ignore[arg-type]  # only `step` is called
    (home.root / "static/staticfiles.json").unlink()
    setup(steps, home)  # type: ignore[arg-type]  # only `step` is called
    assert steps.options == [[], ["--no-static"], [], ["--no-static"], []]


def test_failed_set_up_raises_and_is_repeated_at_the_next_start(tmp_path: Path) -> None:
    steps = Steps(Home(tmp_path), code=3)
    for _ in range(2):
        with pytest.raises(StartError, match="code 3"):
            setup(steps, Home(tmp_path))  # type: ignore[arg-type]  # only `step` is called
    assert steps.options == [[], []]


def test_fingerprint_covers_files_in_folders(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "static").unlink()
    (tmp_path / "static/css").mkdir(parents=True)
    before = fingerprint(tmp_path)
    (tmp_path / "static/css/site.css").write_text("a{}")
    assert fingerprint(tmp_path) != before
