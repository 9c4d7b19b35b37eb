"""Installing: a short list of packages, the manager's own output, its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent.host.install import install_commands
from apps.remote.agent_tests.client import Client

MANAGER = """#!/bin/sh
echo "manager $@"
case "$*" in *install*) sleep 0.5; echo installed; exit 7;; esac
"""


def test_only_listed_packages_are_installed(client: Client) -> None:
    for package in ("bash", "fio; reboot", "--help", ""):
        answer = client.ask("install", package=package)
        assert answer["error"] == "bad-request"
        assert "fio" in answer["message"]


def test_output_streams_and_the_last_exit_code_counts(base: Path, tmp_path: Path) -> None:
    """With a package manager of our own in front of the host's: the test changes no host."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "apt-get").write_text(MANAGER)
    (tools / "apt-get").chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        frames = client.pieces("install", package="fio")
    text = b"".join(payload for _, payload in frames).decode()
    assert frames[-1][0]["exit_code"] == 7
    assert text.splitlines()[-1] == "installed"
    assert text.index("update") < text.index("install -y --no-install-recommends fio")
    assert len(frames) >= 3


@pytest.mark.parametrize("installer", ["dnf", "yum"])
def test_red_hats_names_differ(installer: str, base: Path) -> None:
    ((_, *words),) = install_commands(installer, "iozone3", str(base))
    assert words == ["-y", "install", "iozone"]
