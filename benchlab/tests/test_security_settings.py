"""Behind a proxy with TLS, Django's own list of what production needs has nothing to say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def deploy_check(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_production_settings_pass() -> None:
    done = deploy_check(BENCHLAB_HTTPS="1", ALLOWED_HOSTS="bench.example")
    assert done.returncode == 0, done.stderr


def test_settings_for_developers_do_not() -> None:
    done = deploy_check(BENCHLAB_HTTPS="0", DEBUG="1")
    assert done.returncode != 0
    assert "security.W018" in done.stderr
