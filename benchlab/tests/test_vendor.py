"""The browser libraries are the ones the manifest names; Plotly's halves are of one version."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import plotly
import pytest
from django.conf import settings

VENDOR = Path(settings.BASE_DIR) / "static" / "vendor"
MANIFEST: list[dict[str, str]] = json.loads((VENDOR / "manifest.json").read_text())
WRITTEN_BY_HAND = {"manifest.json", "tabler/LICENSE"}  # Tabler's package carries no licence text
VERSION = re.compile(r"plotly\.js(?: \([^)]*\))? v([\d.]+)")


def plotly_version(path: Path) -> str:
    """The version in the banner of a plotly.js bundle."""
    found = VERSION.search(path.read_text(encoding="utf-8")[:400])
    assert found, f"{path} has no version in its banner"
    return found[1]


@pytest.mark.parametrize("row", MANIFEST, ids=lambda row: row["file"])
def test_a_file_is_the_one_that_was_fetched(row: dict[str, str]) -> None:
    content = (VENDOR / row["file"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == row["sha256"]
    assert row["licence"] in {"MIT", "0BSD", "Apache-2.0"}


def test_no_file_is_unaccounted_for() -> None:
    there = {path.relative_to(VENDOR).as_posix() for path in VENDOR.rglob("*") if path.is_file()}
    assert there - {row["file"] for row in MANIFEST} == WRITTEN_BY_HAND


def test_every_package_brings_its_licence() -> None:
    for folder in {row["file"].split("/")[0] for row in MANIFEST}:
        assert (VENDOR / folder / "LICENSE").stat().st_size > 300


def test_the_figures_and_the_browser_speak_one_plotly() -> None:
    bundled = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    assert plotly_version(VENDOR / "plotly" / "plotly-cartesian.min.js") == plotly_version(bundled)


def test_no_vendored_file_points_to_a_source_map() -> None:
    for row in MANIFEST:
        assert b"sourceMappingURL=" not in (VENDOR / row["file"]).read_bytes()
