"""IOMeter's file stopped, cut, appended to, damaged."""

from pathlib import Path
from typing import cast

import pytest

from apps.tools.errors import OutputError, ParamsError
from apps.tools.fields import Params
from apps.tools.iometer import TOOL
from apps.tools.iometer.parser.output import CUT
from apps.tools.parse_result import Output, Parsed
from apps.tools.targets import ToolTarget

SAMPLES = Path(__file__).parent / "samples"
TWO = (SAMPLES / "1.1.0-rc1--two-tests" / "results.csv").read_bytes()
ONE = (SAMPLES / "2006.07.27--one-disk" / "results.csv").read_bytes()


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def test_components_accompany_the_total() -> None:
    read = parse(TWO).measurements[0]
    parts = [(part["type"], part["name"], part["iops"]) for part in read.values["parts"]]
    assert parts == [
        ("MANAGER", "STORAGE02", 1400.0),
        ("WORKER", "Worker 1", 800.0),
        ("DISK", 'E: "Data"', 800.0),
        ("WORKER", "Worker 2", 600.0),
        ("DISK", 'F: "Logs"', 600.0),
    ]


def test_a_mix_gives_reads_and_writes_and_their_sum() -> None:
    read, write = parse(TWO).measurements[:2]
    assert (read.operation, write.operation) == ("read", "write")
    assert read.iops is not None
    assert write.iops is not None
    assert read.values["total"]["iops"] == read.iops + write.iops


def test_without_the_end_mark_the_file_is_partial() -> None:
    cut = parse(TWO[: TWO.index(b"'End Test")])
    assert cut.completeness == "partial"
    assert CUT in cut.warnings
    assert len(cut.measurements) == 3


def test_a_test_appended_later_needs_an_end_of_its_own() -> None:
    assert parse(TWO + ONE).completeness == "whole"
    assert parse(TWO + ONE[: ONE.index(b"'End Test")]).completeness == "partial"


def test_a_row_without_its_end_is_left_out() -> None:
    end = ONE.index(b"ALL,All") + 60
    with pytest.raises(OutputError, match="no result"):
        parse(ONE[:end])


def test_megabytes_are_binary_and_made_exact_by_the_size() -> None:
    (read,) = parse(ONE).measurements
    assert read.bandwidth == 93.25 * 4096
    assert read.values["printed"]["bandwidth"] == pytest.approx(0.364258 * 1024**2)
    unnamed = ONE.replace(b"\r\n4096,100,100,100,0,1,0,0", b"")
    assert parse(unnamed).measurements[0].bandwidth == pytest.approx(0.364258 * 1024**2)


def test_minus_one_is_an_ambiguous_setting_and_no_depth() -> None:
    (read,) = parse(ONE.replace(b",0,2097152,1,", b",0,2097152,-1,")).measurements
    assert "queue_depth" not in read.params


def test_failed_operations_give_a_warning() -> None:
    failed = ONE.replace(b",0,0,0,22917120", b",7,7,0,22917120", 1)
    assert parse(failed).warnings == ("IOMeter counted 7 failed operations.",)


def test_this_plugin_runs_nothing() -> None:
    with pytest.raises(ParamsError, match="runs on Windows"):
        TOOL.build_procedure(cast(Params, None), ToolTarget("directory", "/scratch"))
    assert TOOL.params is None


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "data",
    [
        b"'Target Type,Target Name,Access Specification Name,\n" * 100_000,
        b"'Target Type,Target Name,Access Specification Name," + b"," * 5_000_000,
        b"'Target Type,Target Name,Access Specification Name,\n" + b"ALL,,,,,,,\n" * 200_000,
        b"'Access specification name,default assignment\n" + b"x,1\n" * 300_000,
    ],
)
def test_hostile_input_is_refused_without_hanging(data: bytes) -> None:
    with pytest.raises(OutputError):
        parse(data)
