"""Options that tools list themselves, asked once for each program."""

from __future__ import annotations

import json
from pathlib import Path

from .client import Client

FIO = """#!/bin/sh
echo "$1" >> {log}
case "$1" in
  --cmdhelp=all) printf 'rw                      : IO direction\\n  bssplit : Set a mix\\n';;
  --enghelp=io_uring) printf 'hipri                   : Use polled IO completions\\n';;
  --enghelp) printf 'Available IO engines:\\n\\tlibaio\\n\\trbd\\n';;
  *) exit 1;;
esac
"""


def test_names_are_read_from_the_beginnings_of_lines(base: Path, tmp_path: Path) -> None:
    tools, log = tmp_path / "tools", tmp_path / "log"
    tools.mkdir()
    (tools / "fio").write_text(FIO.format(log=log))
    (tools / "fio").chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        found = client.good("facts")["facts"]
    assert found["options"] == {
        "fio": ["bssplit", "hipri", "ioengine=libaio", "ioengine=rbd", "rw"]
    }
    assert "--cmdhelp=all" in log.read_text()


def test_cached_options_with_other_arguments_are_read_again(base: Path, tmp_path: Path) -> None:
    tools, log = tmp_path / "tools", tmp_path / "log"
    tools.mkdir()
    (tools / "fio").write_text(FIO.format(log=log))
    (tools / "fio").chmod(0o755)
    with Client(base, {"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        client.good("facts")
        kept = json.loads((base / "options.json").read_text())
        kept["fio"] |= {"arguments": ["--cmdhelp=all"], "options": ["rw"]}
        (base / "options.json").write_text(json.dumps(kept))
        found = client.good("facts")["facts"]
    assert "ioengine=rbd" in found["options"]["fio"]


def test_the_fio_of_this_machine_lists_what_the_table_has(base: Path) -> None:
    with Client(base) as client:
        first = client.good("facts")["facts"]["options"]["fio"]
        again = client.good("facts")["facts"]["options"]["fio"]
    assert first == again
    assert {"bssplit", "verify", "zonemode", "hipri", "sqthread_poll", "hugepage-size"} <= set(
        first
    )
    assert (base / "options.json").is_file()
