"""Reading a file by bin/manage loads no Django."""

from __future__ import annotations

import subprocess
import sys

from benchlab.local.paths import PROJECT

SAMPLE = PROJECT / "apps/tools/dd/tests/samples/9.1--one-byte/output.txt"


def test_parse_loads_the_parsers_only() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "benchlab/local", "manage", "parse", str(SAMPLE)],
        cwd=PROJECT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert '"tool": "dd"' in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "apps.tools.registry" in loaded
    assert not loaded & {"django", "celery"}
