"""A bundle is whole, and bin/up installs from it alone, without a network."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

from benchlab.local import bundle_wheels
from benchlab.local.bundle_wheels import bundled_wheels, pip_options
from benchlab.local.errors import StartError
from benchlab.ops import bundle as module
from benchlab.ops.bundle import bundle, source_files
from benchlab.version import VERSION
from tests.harness.fixtures import no_box
from tests.harness.net import claim_network, run

NAME = f"benchlab-{VERSION}"


def unpacked(tar: Path, folder: Path) -> Path:
    with tarfile.open(tar) as file:
        file.extractall(folder, filter="data")
    return folder / NAME


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An unpacked bundle with one wheel and a few sources."""

    def collect(folder: Path) -> None:
        (folder / "pip-1-py3-none-any.whl").write_bytes(b"wheel")

    monkeypatch.setattr(module, "collect_wheels", collect)
    monkeypatch.setattr(module, "collect_client", lambda folder: None)
    monkeypatch.setattr(module, "source_files", lambda: ["bin/up", "requirements.txt"])
    assert bundle(tmp_path / "b.tar") == 0
    subprocess.run(["sha256sum", "-c", "--quiet", "b.tar.sha256"], cwd=tmp_path, check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "b.tar.sha256"]
    return unpacked(tmp_path / "b.tar", tmp_path)


def test_sums_are_those_of_every_file(project: Path) -> None:
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=project, check=True)
    listed = {line.split("  ")[1] for line in (project / "SHA256SUMS").read_text().splitlines()}
    files = {path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file()}
    assert files - listed == {"SHA256SUMS"}
    assert len([name for name in files if name.startswith("bundle/agent-")]) == 1
    assert os.access(project / "bin/up", os.X_OK)


def test_wheels_are_the_only_source(project: Path) -> None:
    wheels = bundled_wheels(project)
    assert wheels == project / "bundle/wheels"
    assert {"--isolated", "--no-index"} < set(pip_options(wheels))
    assert bundled_wheels(project.parent) is None
    assert pip_options(None) == []


@pytest.mark.parametrize("damage", ["changed", "added", "missing", "without sums"])
def test_a_damaged_bundle_is_refused(project: Path, damage: str) -> None:
    wheel = project / "bundle/wheels/pip-1-py3-none-any.whl"
    if damage == "changed":
        wheel.write_bytes(b"other")
    elif damage == "added":
        wheel.with_name("evil-1-py3-none-any.whl").write_bytes(b"evil")
    elif damage == "missing":
        wheel.unlink()
    else:
        (project / "SHA256SUMS").unlink()
    with pytest.raises(StartError):
        bundled_wheels(project)


def test_wheels_of_another_python_are_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {"python": "3.99", "machine": "riscv64"}
    monkeypatch.setattr(bundle_wheels, "platform", lambda: here)
    with pytest.raises(StartError, match=r"this is Python 3\.99 on riscv64"):
        bundled_wheels(project)


def test_a_bundle_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "b.tar").write_text("mine")
    with pytest.raises(StartError, match="never overwrites"):
        bundle(tmp_path / "b.tar")
    with pytest.raises(StartError, match="no folder"):
        bundle(tmp_path / "nowhere/b.tar")
    assert (tmp_path / "b.tar").read_text() == "mine"


@pytest.mark.extended
@pytest.mark.needs_root
@pytest.mark.timeout(900)
def test_up_without_a_route(tmp_path: Path) -> None:
    """A network namespace with a loopback device only, and no cache or configuration of pip."""
    if reason := no_box():
        pytest.skip(reason)
    assert bundle(tmp_path / "b.tar") == 0
    project = unpacked(tmp_path / "b.tar", tmp_path)
    assert list((project / "bundle/client").glob("benchlab_client-*.whl"))
    home, network = tmp_path / "home", claim_network()
    name = network.namespace
    run("ip", "netns", "del", name, check=False)
    run("ip", "netns", "add", name)
    run("ip", "-n", name, "link", "set", "lo", "up")
    try:
        assert network.inside("ip", "route") == ""
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(tmp_path),
            "BENCHLAB_HOME": str(home),
            "BENCHLAB_PYTHON": str(getattr(sys, "_base_executable", sys.executable)),
            "BENCHLAB_WEB_PROCESSES": "1",
            "PIP_CONFIG_FILE": os.devnull,
        }
        with (tmp_path / "up.log").open("wb") as log:
            up = subprocess.Popen(
                ["ip", "netns", "exec", name, project / "bin/up"],
                env=environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        try:
            _await_start(up, tmp_path / "up.log")
            page = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000/healthz').status)"
            assert network.inside(sys.executable, "-c", page).strip() == "200"
        finally:
            up.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                up.wait(60)
            up.kill()
    finally:
        network.release()
        shutil.rmtree(home, ignore_errors=True)


def _await_start(process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 600
    while "benchlab is at" not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.5)


def test_only_tracked_files_are_packed(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True, capture_output=True)

    git("init", "-q")
    for name in ("manage.py", "with space", "deleted", "id_ed25519", "dump.sql", "ignored.pyc"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".gitignore").write_text("*.pyc\n")
    git("add", "manage.py", "with space", "deleted", ".gitignore")
    (tmp_path / "deleted").unlink()
    (tmp_path / "manage.py").write_text("changed")
    assert source_files(tmp_path) == [".gitignore", "manage.py", "with space"]


def test_a_bundle_is_made_from_an_unpacked_one(project: Path) -> None:
    (project / "notes.txt").write_text("x")
    assert source_files(project) == ["bin/up", "requirements.txt"]
    (project / "SHA256SUMS").unlink()
    with pytest.raises(StartError, match="neither a checkout"):
        source_files(project)
