"""Completion in the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchlab_client.cli import COMMANDS, build_parser
from benchlab_client.commands.completion import bash, zsh

ASK_BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _benchlab; printf '%s\\n' "${COMPREPLY[@]}"
"""
ASK_ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D'
zpty -w shell "source $1; zstyle ':completion:*' list-colors ''; bindkey '^I' list-choices"
zpty -w shell 'echo RE''ADY'
zpty -r shell out '*READY*'
zpty -w -n shell "$2"$'\\t'
zpty -r -m shell out "*$3*" && print -r -- "$out"
"""


def completed(script: Path, *words: str) -> list[str]:
    done = subprocess.run(
        ["bash", "-c", ASK_BASH, "bash", str(script), *words],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (("benchlab", ""), [*COMMANDS, "--help", "--version"]),
        (("benchlab", "wa"), ["watch", "wait"]),
        (("benchlab", "launch", "--pri"), ["--priority"]),
        (("benchlab", "launch", "--priority", ""), ["low", "normal", "high"]),
        (("benchlab", "export", "--format", "p"), ["parquet"]),
        (("benchlab", "completion", "z"), ["zsh"]),
        (("benchlab", "wait", "--timeout", ""), []),
    ],
)
def test_bash_completes(tmp_path: Path, words: tuple[str, ...], result: list[str]) -> None:
    script = tmp_path / "benchlab.bash"
    script.write_text(bash(build_parser()))
    assert completed(script, *words) == result


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
@pytest.mark.parametrize(
    ("line", "result"),
    [("benchlab wa", "watch"), ("benchlab launch --priority ", "normal"),
     ("benchlab export --for", "--format")],
)  # fmt: skip
def test_zsh_completes(tmp_path: Path, line: str, result: str) -> None:
    script = tmp_path / "_benchlab"
    script.write_text(zsh(build_parser()))
    done = subprocess.run(
        ["zsh", "-f", "-c", ASK_ZSH, "zsh", str(script), line, result],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result in done.stdout, done.stderr
