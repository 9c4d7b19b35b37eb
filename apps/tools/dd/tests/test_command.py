"""Parameters and target -> dd's command line, and what the real dd makes of it."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from apps.tools.dd import TOOL
from apps.tools.dd.params import DdParams
from apps.tools.errors import ParamsError
from apps.tools.parse_result import Output
from apps.tools.procedure import Procedure
from apps.tools.targets import ToolTarget

DISK = ToolTarget("disk", "wwn:0x5000", 1024**4)
FOLDER = ToolTarget("directory", "/scratch")


def plan(target: ToolTarget = DISK, **raw: Any) -> Procedure:
    return TOOL.build_procedure(DdParams.from_raw(raw), target)


def test_the_teams_test_as_a_command() -> None:
    (command,) = plan(bs="4k", size="1228800000").commands
    assert command.argv == (
        *("dd", "if=/dev/zero", "of={target}", "bs=4096", "count=300000", "oflag=direct"),
    )


def test_flags_go_to_the_side_that_is_measured() -> None:
    (command,) = plan(dsync=True, fdatasync=True).commands
    assert command.argv[-2:] == ("oflag=direct,dsync", "conv=fdatasync")
    (command,) = plan(fsync=True).commands
    assert command.argv[-1] == "conv=fsync"
    (command,) = plan(rw="read").commands
    assert command.argv[1:3] == ("if={target}", "of=/dev/null")
    assert command.argv[-1] == "iflag=direct"


def test_only_reading_a_disk_writes_nothing() -> None:
    assert plan().writes
    assert plan(FOLDER, rw="read").writes
    assert plan(FOLDER, rw="read").bytes_written == 1024**3
    assert not plan(rw="read").writes
    assert plan(rw="read").bytes_written == 0
    assert plan(FOLDER).space_needed == 1024**3


def test_a_buffered_read_starts_with_a_cold_cache() -> None:
    roles = [command.role for command in plan(FOLDER, rw="read", direct=False).commands]
    assert roles == ["layout", "drop-caches", "main"]
    assert [command.role for command in plan(direct=False).commands] == ["main"]


def test_a_disk_must_be_large_enough() -> None:
    with pytest.raises(ParamsError, match="the test needs 1 GiB"):
        plan(ToolTarget("disk", "x", 10**9))


@pytest.mark.parametrize(
    "raw",
    [
        {"rw": "write", "bs": "64k", "size": "1M"},
        {"rw": "write", "bs": "4k", "size": "64k", "dsync": True, "fdatasync": True},
        {"rw": "read", "bs": "4k", "size": "1M"},
        {"rw": "read", "bs": "1000", "size": "10000"},
    ],
)
def test_the_real_dd_obeys_and_its_report_is_read(raw: dict[str, object], tmp_path: Path) -> None:
    params = DdParams.from_raw({"direct": False} | raw)
    build_procedure = TOOL.build_procedure(params, FOLDER)
    stderr = b""
    for command in build_procedure.commands:
        if command.role == "drop-caches":
            continue
        words = [word.replace("{target}", str(tmp_path)) for word in command.argv]
        environment = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(words, env=environment, capture_output=True, check=True)
        stderr += done.stderr
    files = {"stdout": b"", "stderr": stderr}
    parsed = TOOL.parse(Output(files, 0, params.canonical()))
    (measurement,) = parsed.measurements
    assert parsed.completeness == "whole"
    assert parsed.warnings == ()
    assert measurement.operation == raw["rw"]
    assert measurement.values["bytes"] == params.size
    assert measurement.params == params.canonical()
    assert measurement.values["records_out"] == {"full": params.count, "partial": 0}
    assert (tmp_path / "benchlab-dd").stat().st_size == params.size
