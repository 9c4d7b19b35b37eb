"""iozone's output with blanks lost, cut off, copied in part, in several runs."""

import contextlib
from pathlib import Path

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.iozone import TOOL
from apps.tools.iozone.parser.invocation import OPERATIONS, Context
from apps.tools.iozone.parser.run import CUT, NO_END
from apps.tools.iozone.parser.table import NO_COLUMNS
from apps.tools.parse_result import Output, Parsed

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> bytes:
    return (SAMPLES / name / "output.txt").read_bytes()


FLAT = sample("3.408--flattened")
TABLE = sample("3.489--direct-fsync-close")
AUTO = sample("3.489--auto")
BOTH = sample("3.489--table-and-report")


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def remarks(parsed: Parsed) -> set[str]:
    return {text for each in parsed.measurements for text in each.warnings}


def figures(parsed: Parsed) -> list[tuple[str, float | None, float | None]]:
    return [(each.operation, each.bandwidth, each.iops) for each in parsed.measurements]


def test_a_flattened_table_without_its_tests_is_refused() -> None:
    bare = FLAT.replace(b"-i 0 -i 1 ", b"")
    with pytest.raises(OutputError) as caught:
        parse(bare)
    assert str(caught.value) == NO_COLUMNS


def test_any_output_flattened_says_the_same() -> None:
    flat = b" ".join(TABLE.split()) + b"\n"
    assert figures(parse(flat)) == figures(parse(TABLE))


def test_a_flattened_table_cut_in_a_row_loses_that_row() -> None:
    parsed = parse(FLAT.rstrip()[:-3])
    assert len(parsed.measurements) == 48
    assert parsed.completeness == "unknown"
    assert "The last row is incomplete and was left out." in remarks(parsed)


def test_collapsed_blanks_leave_the_count() -> None:
    collapsed = b"\n".join(b" ".join(line.split()) for line in AUTO.split(b"\n"))
    assert figures(parse(collapsed)) == figures(parse(AUTO))
    few = b"\n".join(b" ".join(line.split()) for line in TABLE.split(b"\n"))
    assert figures(parse(few)) == figures(parse(TABLE))


def test_a_row_whose_columns_nobody_can_know_is_left_out() -> None:
    heading = b"KB reclen write rewrite read reread read write\n"
    parsed = parse(heading + b"4096 64 1 2 3 4 5 6\n4096 128 1 2 3\n")
    assert len(parsed.measurements) == 6
    assert parsed.measurements[0].warnings[0].startswith("1 rows were left out")
    with pytest.raises(OutputError, match="cannot be known"):
        parse(heading + b"4096 128 1 2 3\n")


def test_blank_columns_are_blank_operations() -> None:
    parsed = parse(sample("3.420--purge-i0-i2-i5"))
    operations = [each.operation for each in parsed.measurements]
    assert operations == ["write", "rewrite", "random_read", "random_write", "stride_read"]


def test_cut_before_the_end_mark_is_partial() -> None:
    cut = parse(AUTO[: AUTO.index(b"iozone test complete")])
    assert cut.completeness == "partial"
    assert remarks(cut) == {CUT}
    assert figures(cut) == figures(parse(AUTO))


def test_a_last_row_without_its_end_is_left_out() -> None:
    end = AUTO.rindex(b"8955098") + 3
    assert len(parse(AUTO[:end]).measurements) == 130 - 13


def test_a_report_alone_says_what_the_table_says() -> None:
    report = parse(BOTH[BOTH.index(b'"Writer report"') :])
    assert report.format == "report"
    assert remarks(report) == {NO_END}
    assert sorted(figures(report)) == sorted(figures(parse(BOTH)))


def test_several_runs_in_one_file_are_all_read() -> None:
    parsed = parse(TABLE + b"\n$ next\n" + sample("3.489--throughput-mix"))
    assert len(parsed.measurements) == 4 + 7
    assert parsed.measurements[0].params["direct"] is True
    assert parsed.measurements[-1].params["direct"] is False
    assert parsed.completeness == "whole"


def test_a_second_call_without_a_result_is_a_remark() -> None:
    cut = TABLE[: TABLE.index(b"Command line")]
    parsed = parse(TABLE + cut)
    assert (parsed.completeness, len(parsed.warnings)) == ("whole", 1)


def test_iozone_that_only_complained_is_a_tool_error() -> None:
    failed = TABLE[: TABLE.index(b"            1024      64")]
    failed += b"            1024      64\nCan not open temp file: /x\nopen: No such file\n"
    with pytest.raises(ToolError, match="Can not open temp file"):
        parse(failed)
    with pytest.raises(OutputError, match="no result"):
        parse(b"nothing to see here\n")


def test_benchlab_run_uses_last_run_and_requested_operation() -> None:
    layout, test = TABLE, sample("3.489--mmap-stride")
    output = {"stdout": layout + test, "stderr": b""}
    parsed = TOOL.parse(Output(output, 0, {"operation": "stride_read"}))
    assert [each.operation for each in parsed.measurements] == ["stride_read"]
    with pytest.raises(OutputError):
        TOOL.parse(Output({"stdout": layout, "stderr": b""}, 1, {"operation": "fread"}))


@pytest.mark.parametrize(
    ("line", "tests", "file_size", "record_size"),
    [
        ("Command line used: iozone -a -s 4g -i 0 -i 1 -f /tmp/x -Rb o.xls", [0, 1], 4 << 30, None),
        ("$ iozone -i0 -i2 -r 64k -s400m -ecp", [0, 2], 400 << 20, 65536),
        ("   iozone -I -az -s 100M -r 4k", [], 100 << 20, 4096),
        ("see the iozone manual", [], None, None),
    ],
)
def test_a_command_line_is_understood(
    line: str, tests: list[int], file_size: int | None, record_size: int | None
) -> None:
    context = Context()
    context.read(line)
    assert (context.tests, context.file_size, context.record_size) == (
        tests,
        file_size,
        record_size,
    )


def test_a_command_line_tells_the_unit() -> None:
    context = Context()
    context.read("# iozone -i 0 -w -c -O -I -r 4k -s 1g -f /mnt/x -Rb ./write.xls")
    assert context.unit == OPERATIONS
    assert context.flags == {"include_close": True, "direct": True}


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "data",
    [
        b"kB reclen write rewrite " * 50_000,
        b"kB  reclen   write rewrite\n" + b"64 4 1 2\n" * 100_000,
        b"kB reclen write rewrite " + b"1 " * 400_000 + b"\n",
        b"iozone -i 0\nkB reclen write rewrite " + b"1 " * 400_000 + b"\n",
        b"Children see throughput for  1 " + b"aaaa " * 200_000,
        b"Children see throughput for  1 readers = 5.00 kB/sec\n" * 30_000,
        b"iozone " * 200_000,
        b"\t" * 500_000,
        b'"Writer report"\n' + b'"4" ' * 200_000 + b"\n",
        b"Iozone: Performance Test of File I/O\n" * 20_000,
    ],
)
def test_hostile_input_is_read_without_hanging(data: bytes) -> None:
    TOOL.detect(data)
    with contextlib.suppress(OutputError, ToolError):
        parse(data)
