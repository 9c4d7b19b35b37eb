"""The version is the newest released one of the changelog, or a later development one."""

from __future__ import annotations

import re

from benchlab.local.paths import PROJECT
from benchlab.version import VERSION


def test_version_is_newest_release_or_later() -> None:
    headings = re.findall(r"^## (\d+)\.(\d+)\.(\d+)", (PROJECT / "CHANGELOG.md").read_text(), re.M)
    newest = tuple(map(int, headings[0]))
    release, _, development = VERSION.partition(".dev")
    version = tuple(map(int, release.split(".")))
    assert version > newest if development else version == newest
