"""`manage.py steps` prints the steps of a pasted text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.tools.steps_cli import main


def test_steps_of_a_command_are_printed_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.sh"
    command = "fio --name=a --rw=randread --bs=4k --size=1G --iodepth=32 --ioengine=libaio"
    script.write_text(f"# reads\n{command}\n")

    code = main([str(script)])

    (step,) = json.loads(capsys.readouterr().out)["steps"]
    assert (code, step["tool"], step["line"]) == (0, "fio", 2)
    assert (step["params"]["rw"], step["params"]["iodepth"]) == ("randread", 32)


@pytest.mark.parametrize("arguments", [[], ["one", "two"], ["/nowhere/at/all"]])
def test_steps_without_a_readable_file_exit_with_two(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err
