"""Every environment variable that the code reads has a heading in the documentation."""

from __future__ import annotations

import re

from benchlab.standalone.paths import PROJECT

READ = re.compile(
    r"(?:env_\w+\(|_kept_secret\(|environ(?:\.get)?[\[(])\s*\"((?:BENCHLAB_)?[A-Z][A-Z_]+)\""
)
FOREIGN = {"PATH", "DJANGO_SETTINGS_MODULE"}


def variables() -> set[str]:
    sources = [
        path
        for top in ("benchlab", "apps/common", "apps/accounts", "apps/execution", "apps/remote")
        for path in (PROJECT / top).rglob("*.py")
        if "tests" not in path.parts
    ]
    found = {name for path in sources for name in READ.findall(path.read_text())}
    found |= set(re.findall(r"\$\{(BENCHLAB_\w+)", (PROJECT / "bin" / "start").read_text()))
    return found - FOREIGN


def test_the_search_finds_variables() -> None:
    assert {"BENCHLAB_HOME", "DATABASE_URL", "SECRET_KEY", "BENCHLAB_PYTHON"} <= variables()


def test_every_variable_has_a_heading_and_every_heading_a_variable() -> None:
    page = (PROJECT / "docs" / "deployment" / "environment.md").read_text()
    assert set(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == variables()
