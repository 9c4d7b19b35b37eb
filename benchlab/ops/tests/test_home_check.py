"""Wrong modes, missing keys and little room are said, each with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchlab.local.paths import Home
from benchlab.ops.findings import Finding
from benchlab.ops.home_check import MIB, disk_space_finding, home_findings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home in order."""
    for name in ("BENCHLAB_ENCRYPTION_KEYS", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)
    for folder in ("secrets", "postgres"):
        (tmp_path / folder).mkdir(mode=0o700)
    for name in ("benchlab_encryption_keys", "secret_key"):
        path = tmp_path / "secrets" / name
        path.touch(mode=0o600)
        path.write_text("a key")
    return Home(tmp_path).make()


def bad(home: Home) -> list[Finding]:
    found = [finding for finding in home_findings(home) if finding.level == "wrong"]
    assert all(finding.todo for finding in found)
    return found


def test_a_home_in_order_is_well(home: Home) -> None:
    assert bad(home) == []


def test_what_others_may_read_is_told(home: Home) -> None:
    (home.root / "secrets/secret_key").chmod(0o640)
    home.logs.chmod(0o755)
    home.root.chmod(0o777)
    told = " ".join(finding.text for finding in bad(home))
    assert "secret_key has mode 0640" in told
    assert "logs has mode 0755" in told
    assert "can be written by everybody" in told


def test_missing_and_empty_keys_are_told(home: Home) -> None:
    (home.root / "secrets/secret_key").write_text("")
    (home.root / "secrets/benchlab_encryption_keys").unlink()
    keys, secret = bad(home)
    assert "is not there" in keys.text
    assert "before bin/up makes a new one" in keys.todo
    assert "is empty" in secret.text


def test_before_the_first_start_no_key_is_missing(tmp_path: Path) -> None:
    assert bad(Home(tmp_path).make()) == []


@pytest.mark.parametrize(
    ("free", "level"), [(100 * MIB, "wrong"), (5_000 * MIB, "note"), (50_000 * MIB, None)]
)
def test_little_room_is_a_note_hardly_any_is_wrong(free: int, level: str | None) -> None:
    found = [finding.level for finding in disk_space_finding("The disk", free, 100_000 * MIB)]
    assert found == ([level] if level else [])
