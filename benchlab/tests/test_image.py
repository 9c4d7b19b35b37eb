"""Dockerfile: labels with the version of the code, sources that the context has, no root."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from benchlab.version import VERSION

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
LABEL = "org.opencontainers.image."


def instructions(name: str) -> list[str]:
    return [line.removeprefix(f"{name} ") for line in LINES if line.startswith(f"{name} ")]


def test_labels_name_version_and_commit() -> None:
    (line,) = instructions("LABEL")
    labels = dict(word.split("=", 1) for word in shlex.split(line))
    assert labels[f"{LABEL}version"] == "$BENCHLAB_VERSION"
    assert labels[f"{LABEL}revision"] == "$BENCHLAB_REVISION"
    assert "Apache License" in (ROOT / "LICENSE").read_text()
    assert labels[f"{LABEL}licenses"] == "Apache-2.0"
    base = labels[f"{LABEL}base.name"].rpartition("/")[2]
    assert instructions("FROM")[-1] == base
    # An argument is known from its line on, and in its stage only.
    last_stage = LINES[max(i for i, line in enumerate(LINES) if line.startswith("FROM ")) :]
    for name in ("BENCHLAB_VERSION", "BENCHLAB_REVISION"):
        declared = next(i for i, line in enumerate(last_stage) if line.startswith(f"ARG {name}="))
        assert declared < next(i for i, line in enumerate(last_stage) if f"${name}" in line)


@pytest.mark.parametrize(("version", "code"), [("", 0), (VERSION, 0), ("9.9.9", 1)])
def test_a_version_that_is_not_the_code_s_makes_no_image(version: str, code: int) -> None:
    (line,) = [line for line in instructions("RUN") if "$BENCHLAB_VERSION" in line]
    done = subprocess.run(
        ["sh", "-c", line.replace("python ", f"{sys.executable} ", 1)],
        cwd=ROOT, env={"BENCHLAB_VERSION": version}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert done.stderr == (f"BENCHLAB_VERSION is 9.9.9, the code is {VERSION}\n" if code else "")


def test_the_context_has_what_the_image_copies() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    admitted = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copies = [line for line in instructions("COPY") if not line.startswith("--from")]
    sources = {word for line in copies for word in line.split()[:-1]}
    assert sources == admitted
    assert all((ROOT / source).exists() for source in sources)


def test_the_image_runs_without_root() -> None:
    users = [i for i, line in enumerate(LINES) if line.startswith("USER ")]
    assert LINES[users[-1]] == "USER benchlab"
    assert users[-1] < next(i for i, line in enumerate(LINES) if line.startswith("CMD "))
    assert not re.search(r"USER root", "\n".join(LINES))
