"""The commands of the example pipelines are commands of the client."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from benchlab_client.cli import build_parser

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "examples" / "pipelines"
FILES = sorted(FOLDER.iterdir())
# Commands end at a line, at the bracket of a shell, or at the quote of Groovy.
COMMAND = re.compile(r"benchlab ((?:launch|gate) [^\n)']+)")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_commands_of_a_pipeline_are_parsed(file: Path) -> None:
    commands = [shlex.split(text) for text in COMMAND.findall(file.read_text())]
    assert [words[0] for words in commands] == ["launch", "gate"]
    for words in commands:
        plain = ["7" if word.startswith("$") else word for word in words]
        assert build_parser().parse_args(plain).command == words[0]
