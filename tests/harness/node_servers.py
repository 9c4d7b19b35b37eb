"""Servers of npm that tests start: providers of OpenID Connect. They are installed below var/."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "node"
SCRIPTS = Path(__file__).with_name("node")
PACKAGES = ("oauth2-mock-server@9.3.0", "oidc-provider@9.13.3")
START_SECONDS = 20


def needed_node() -> str:
    """The path of node; the test is skipped without it."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    _install()
    return node


def _install() -> None:
    stored = FOLDER / "installed"
    if stored.exists() and stored.read_text() == " ".join(PACKAGES):
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", *PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"npm cannot install {' '.join(PACKAGES)}: {done.stderr[-300:]}")
    stored.write_text(" ".join(PACKAGES))


@contextmanager
def node_server(script: str, *arguments: str) -> Iterator[dict[str, Any]]:
    """A running script of tests/harness/node; gives the JSON line that it prints."""
    node = needed_node()
    path = FOLDER / script
    shutil.copy(SCRIPTS / script, path)  # packages are found from the script's folder
    process = subprocess.Popen(
        [node, str(path), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    late = threading.Timer(START_SECONDS, process.kill)
    late.start()
    try:
        assert process.stdout is not None
        line = next((line for line in process.stdout if line.startswith("{")), "")
        assert line, f"{script} did not start"
        late.cancel()
        yield json.loads(line)
    finally:
        late.cancel()
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()
