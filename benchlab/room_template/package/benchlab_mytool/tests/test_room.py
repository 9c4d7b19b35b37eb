"""The room of mytool against outputs that a person read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apps.tools.base import Output, OutputError, ParamsError, ToolError, ToolTarget

from .. import TOOL  # noqa: TID252 # a copy has another name
from ..params import MytoolParams  # noqa: TID252 # as above

SAMPLES = sorted((Path(__file__).parent / "samples").iterdir())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_sample_says_what_a_person_reads_in_it(sample: Path) -> None:
    data = (sample / "output.txt").read_bytes()
    expected = json.loads((sample / "expected.json").read_text())
    assert TOOL.recognises(data)
    parsed = TOOL.parse(Output({"stdout": data, "stderr": b""}))
    (found,) = parsed.measurements
    assert (parsed.version, parsed.completeness) == (expected["version"], expected["completeness"])
    assert found.operation == expected["operation"]
    assert found.iops == pytest.approx(expected["iops"])
    assert found.bandwidth == pytest.approx(expected["bandwidth"])
    for name, value in expected["latency"].items():
        assert getattr(found.latency, name) == pytest.approx(value), name
    assert dict(found.latency.percentiles) == pytest.approx(expected["percentiles"])


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_what_is_cut_off_is_never_called_whole(sample: Path) -> None:
    data = (sample / "output.txt").read_bytes()
    for end in range(len(data)):
        try:
            parsed = TOOL.parse(Output({"stdout": data[:end], "stderr": b""}))
        except (OutputError, ToolError):
            continue
        assert parsed.completeness == "partial", f"the first {end} bytes"


@pytest.mark.parametrize("data", [b"", b"\n", b"\0\0", b"mytool 1.0\n", b"\xff\xfe"])
def test_nothing_is_an_error(data: bytes) -> None:
    with pytest.raises(OutputError):
        TOOL.parse(Output({"stdout": data, "stderr": b""}))


def test_its_own_words_are_passed_on() -> None:
    with pytest.raises(ToolError, match="there is no option --wrong"):
        TOOL.parse(Output({"stdout": b"", "stderr": b"mytool: there is no option --wrong\n"}))


def test_the_command_line() -> None:
    params = MytoolParams.from_raw({"operation": "read", "block": "64k", "seconds": "5s"})
    (command,) = TOOL.procedure(params, ToolTarget("directory", "x")).commands
    assert command.argv == (
        *("mytool", "--operation=read", "--block=65536", "--depth=1", "--seconds=5"),
        "--file={target}/benchlab-mytool",
    )
    assert params.describe() == "read 64 KiB, QD 1"


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(ParamsError, match="a multiple of 512"):
        MytoolParams.from_raw({"block": "1000"})
