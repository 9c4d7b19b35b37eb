"""The zipapp: the same bytes from the same sources, on every Python it promises."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.loops import until
from apps.remote.build import SOURCES, agent, zipapp


def test_zipapp_built_twice_has_the_same_hash(tmp_path: Path) -> None:
    assert agent().sha256 == hashlib.sha256(agent().data).hexdigest()
    assert agent().name == f"agent-{agent().sha256}.pyz"
    copy = tmp_path / "agent"
    shutil.copytree(SOURCES, copy)
    for path in copy.glob("*.py"):
        os.utime(path, (1, 1))
    assert zipapp(copy) == agent().data
    (copy / "errors.py").write_text("")
    assert zipapp(copy) != agent().data


def test_only_the_package_is_inside() -> None:
    names = zipfile.ZipFile(io.BytesIO(agent().data)).namelist()
    assert "__main__.py" in names
    assert not [name for name in names if "test" in name or "pyc" in name]
    # It is copied to each host once a version; at 100 Mbit/s these are 18 ms. Arrays took 6 kB.
    assert len(agent().data) < 222_000


def old_pythons() -> list[str]:
    """Interpreters of this machine that are older than ours."""
    found = [shutil.which(f"python3.{minor}") for minor in range(6, 11)]
    found += [str(p) for p in Path.home().glob(".pyenv/versions/3.[6-9].*/bin/python3.?")]
    return [path for path in found if path and works(path)]


def works(path: str) -> bool:
    """A shim may stand for an interpreter that is not there."""
    return subprocess.run([path, "-c", "import json"], capture_output=True).returncode == 0


@pytest.mark.parametrize("python", old_pythons() or [None])
def test_an_old_python_runs_it(base: Path, python: str | None) -> None:
    if python is None:
        pytest.skip("no Python older than 3.11 is installed here")
    with Client(base, python=python, program_bytes=agent().data) as client:
        done = client.run(["sh", "-c", "echo ok; exit 3"])
        assert (done["exit"]["codes"], client.read(done["attempt"], "stdout")) == ([3], b"ok\n")
        assert client.good("facts")["facts"]["errors"] == {}
        done = client.run(["@drop-caches"], tuning=[])
        assert done["exit"]["ran"] == [0]
        held = client.start(["echo", "held"], hold={"seconds": 60})
        until(lambda: client.good("status", attempt=held)["phase"] == "ready")
        assert client.good("start_held", attempt=held, start_at=0)["state"] == "scheduled"
        assert client.good("wait", attempt=held)["exit"]["codes"] == [0]
        setting = {"kind": "sysctl", "identity": "", "name": "vm.no_such", "value": "1"}
        assert client.run(["true"], tuning=[setting])["state"] == "refused"
        attempt = client.start(["sleep", "30"])
        assert client.good("cancel", attempt=attempt, grace=1)["survivors"] == []
        client.good("delete_job", attempt=attempt)
        client.good("restore_settings", attempts=[])
