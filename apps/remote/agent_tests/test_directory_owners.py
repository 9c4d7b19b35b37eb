"""Nobody on the host can lead a test's files elsewhere and have root write there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.remote.agent.targets import scratch
from apps.remote.agent.targets.allowed_paths import path_reasons
from apps.remote.agent_tests.client import Client

pytestmark = pytest.mark.needs_root

WRITE = ["dd", "if=/dev/zero", "of={target}/t.bin", "bs=64k", "count=4"]


def owned_by_somebody(place: Path) -> None:
    os.chown(place, 1234, 0)


def writable_for_a_group(place: Path) -> None:
    place.chmod(0o775)


def writable_for_all(place: Path) -> None:
    place.chmod(0o777)


@pytest.mark.parametrize("spoil", [owned_by_somebody, writable_for_a_group, writable_for_all])
@pytest.mark.parametrize("above", [False, True])
def test_a_place_that_others_rule_is_refused(
    client: Client, tmp_path: Path, spoil: Callable[[Path], None], above: bool
) -> None:
    """Its ruler could put a link to /etc where the subfolder is, between check and start."""
    place = tmp_path / "theirs" / "scratch"
    place.mkdir(parents=True)
    spoil(place.parent if above else place)
    target = {"kind": "directory", "path": str(place), "needs": 1, "write": True}
    done = client.run(WRITE, target=target)
    assert "lead the test's files elsewhere" in done["refused"]["reasons"][0]
    assert not list(place.iterdir())


def test_the_sticky_bit_makes_a_shared_place_safe(client: Client, tmp_path: Path) -> None:
    place = tmp_path / "shared"
    place.mkdir()
    place.chmod(0o1777)
    target = {"kind": "directory", "path": str(place), "needs": 1, "write": True}
    assert client.run(WRITE, target=target)["exit"]["codes"] == [0]


@pytest.mark.parametrize("name", ["a:b", "$HOME", "a`b", "a\\b", "a\nb"])
def test_names_that_tools_read_as_their_own_are_refused(tmp_path: Path, name: str) -> None:
    """fio would take "a:b" for two directories, the second one relative to where it runs."""
    (tmp_path / name).mkdir()
    assert "character" in path_reasons(str(tmp_path / name), "/var/lib/benchlab")[0]


def test_tidying_empties_our_own_folder_whatever_its_name_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exchanged after it was found to be ours: what is there now is not touched."""
    ours, theirs = tmp_path / "scratch" / "benchlab", tmp_path / "precious"
    (ours.parent).mkdir()
    os.close(scratch.open_or_make_folder(str(ours.parent)))
    (ours / "t.bin").write_text("test")
    (ours / "deep" / "er").mkdir(parents=True)
    theirs.mkdir()
    (theirs / "t.bin").write_text("mine")
    real = scratch.open_own_folder

    def exchanged(folder: str) -> int | None:
        fd = real(folder)
        shutil.move(ours, tmp_path / "moved")
        ours.symlink_to(theirs)
        return fd

    monkeypatch.setattr(scratch, "open_own_folder", exchanged)
    base = tmp_path / "base"
    (base / "jobs").mkdir(parents=True)
    assert scratch.cleanup_directories(str(base), {"directory": str(ours.parent)}) == {"removed": 2}
    assert (theirs / "t.bin").read_text() == "mine"
    assert list((tmp_path / "moved").iterdir()) == []
