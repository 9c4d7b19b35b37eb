"""The demonstration's loop device is gone when bin/demo ends, whatever became of its file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchlab.ops.demo.loopdisk import attached, demo_disk_detach, detach, loop_disk

pytestmark = [
    pytest.mark.needs_root,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root"),
]


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "demo" / "disk.img"
    yield file
    assert detach(file) == []


def is_attached(node: str) -> bool:
    return Path(f"/sys/block/{node.removeprefix('/dev/')}/loop/backing_file").exists()


def test_it_is_detached_at_the_end(file: Path) -> None:
    node = loop_disk(file)
    assert loop_disk(file) == node == attached(file)
    said: list[str] = []
    demo_disk_detach(file.parents[1], said.append)
    assert said == []
    assert not is_attached(node)


def test_it_is_detached_although_its_file_was_deleted(file: Path) -> None:
    node = loop_disk(file)
    file.unlink()
    file.parent.rmdir()
    assert detach(file) == []
    assert not is_attached(node)


def test_the_next_start_removes_what_an_earlier_one_left_over_a_deleted_file(file: Path) -> None:
    node = loop_disk(file)
    file.unlink()
    again = loop_disk(file)
    assert Path(f"/sys/block/{again.removeprefix('/dev/')}/loop/backing_file").read_text() == (
        f"{file}\n"
    )
    if again != node:
        assert not is_attached(node)


def test_one_that_a_test_still_holds_stays_and_is_named(file: Path) -> None:
    node = loop_disk(file)
    holding = os.open(node, os.O_RDONLY | os.O_EXCL)
    said: list[str] = []
    try:
        demo_disk_detach(file.parents[1], said.append)
    finally:
        os.close(holding)
    assert is_attached(node)
    assert node in said[0]
