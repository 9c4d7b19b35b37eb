"""Which version upgrades which database, and the path that a refusal names."""

from __future__ import annotations

from itertools import pairwise

import pytest
from packaging.version import Version

from benchlab.ops.upgrade_rules import StoredVersion, upgrade_refusal
from benchlab.version import STOPS, VERSION

CODE = StoredVersion("3.1.0", "new")
STOPS_OF_CODE = ("1.0.0", "2.0.0")


def refusal(stored: StoredVersion, code: StoredVersion = CODE) -> str:
    finding = upgrade_refusal(stored, code, STOPS_OF_CODE)
    return " | ".join([finding.text, finding.todo]) if finding else ""


@pytest.mark.parametrize(
    ("version", "migrations"),
    [("3.1.0", "new"), ("2.0.0", "old"), ("3.0.9", "old"), ("3.1.0.dev0", "new")],
)
def test_versions_from_the_last_stop_on_are_upgraded(version: str, migrations: str) -> None:
    assert refusal(StoredVersion(version, migrations)) == ""


def test_an_older_version_is_led_over_every_stop() -> None:
    assert "Upgrade to 2.0.0, then 3.1.0." in refusal(StoredVersion("1.9.9", "old"))
    assert "Upgrade to 1.0.0, then 2.0.0, then 3.1.0." in refusal(StoredVersion("0.9.0", "old"))


def test_versions_are_compared_as_numbers() -> None:
    assert refusal(StoredVersion("2.10.0", "old"), StoredVersion("2.9.0", "new")).startswith(
        "the database is of benchlab 2.10.0, which is newer than this, 2.9.0"
    )
    assert refusal(StoredVersion("2.9.0", "old"), StoredVersion("2.10.0", "new")) == ""


@pytest.mark.parametrize("version", ["3.1.0", "3.1.0.dev0", "3.0.0.dev0", "", "nonsense"])
def test_other_migrations_of_the_same_or_a_development_version(version: str) -> None:
    assert "another development version" in refusal(StoredVersion(version, "old"))


def test_an_unfinished_upgrade_continues_with_the_code_that_began_it_only() -> None:
    unfinished = StoredVersion("3.0.0", "old", "3.1.0", "new")
    assert refusal(unfinished) == ""
    text = refusal(unfinished, StoredVersion("3.0.0", "old"))
    assert "from benchlab 3.0.0 to 3.1.0 has not ended" in text
    assert "or restore the backup" in text
    assert "are others" in refusal(unfinished, StoredVersion("3.1.0", "mended"))


def test_stops_are_in_order_and_released() -> None:
    stops = [Version(stop) for stop in STOPS]
    assert all(earlier < later for earlier, later in pairwise(stops))
    assert stops[-1] <= Version(Version(VERSION).base_version)
