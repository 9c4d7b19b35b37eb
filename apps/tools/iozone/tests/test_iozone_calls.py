"""Several calls of iozone in one text, and what each of them states of its test."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.tools.iozone import TOOL
from apps.tools.iozone.params import IozoneParams
from apps.tools.parse_result import Measurement, Output, Parsed
from apps.tools.values import Parameters

SAMPLES = Path(__file__).parent / "samples"
TABLE = (SAMPLES / "3.489--direct-fsync-close" / "output.txt").read_text()
MIX = (SAMPLES / "3.489--throughput-mix" / "output.txt").read_text()
HEAD = "\tIozone: Performance Test of File I/O\n\tRun began: Thu Nov 26 02:42:24 2026\n\n"
ROWS = (
    "              kB  reclen    write  rewrite    read    reread\n"
    "            2048      64  3638560  4697018  7036283  7999524\n"
)
END = "\niozone test complete.\n"


def parse(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


def of_call(words: str, header: str = "") -> list[Measurement]:
    command = f"\tCommand line used: iozone {words}\n" if words else ""
    text = HEAD + header + command + "\tTime Resolution = 0.000001 seconds.\n" + ROWS + END
    return list(parse(text).measurements)


def exact(found: Measurement) -> Parameters | None:
    if found.unread_options:
        return None
    return TOOL.exact_params(found.params, found.operation)


def test_each_call_has_its_number_file_lines_and_state() -> None:
    cut = TABLE[: TABLE.index("iozone test complete")]
    parsed = parse(f"notes\n{TABLE}$ next\n{cut}{MIX}")
    first, second, third = (
        [each for each in parsed.measurements if each.call == call] for call in (1, 2, 3)
    )
    lines = TABLE.count("\n")
    begin = TABLE[: TABLE.index("Iozone: Perf")].count("\n")
    assert first[0].lines == (2 + begin, 1 + lines)
    assert (second[0].lines or (0, 0))[0] == lines + 3 + begin
    assert [each[0].target for each in (first, second, third)] == ["t", "t", "t1 t2"]
    assert [each[0].completeness for each in (first, second, third)] == [
        "whole",
        "partial",
        "whole",
    ]
    assert [len(each[0].warnings) for each in (first, second, third)] == [0, 1, 0]
    assert (parsed.completeness, parsed.warnings) == ("partial", ())


def test_command_after_table_does_not_change_it() -> None:
    one = f"$ iozone -s 2m -r 64k -i 0 -i 1 -f /a\n{ROWS}"
    two = f"$ iozone -I -s 2m -r 64k -i 0 -i 1 -f /b -p\n{ROWS}"
    found = parse(one + two).measurements
    assert [(each.call, each.target, each.params["direct"]) for each in found[::4]] == [
        (1, "/a", False),
        (2, "/b", True),
    ]
    assert (found[0].lines, found[4].lines) == ((1, 3), (4, 6))
    assert found[4].unread_options == ("-p",)


def test_a_header_without_its_banner_begins_a_call() -> None:
    header = "\tRun began: Thu\n\tPurge Mode On\n\tInclude fsync in write timing\n"
    first = "\tCommand line used: iozone -I -i 0 -i 1\n" + ROWS
    found = parse(first + header + ROWS).measurements
    assert [each.call for each in found[::4]] == [1, 2]
    assert (found[0].unread_options, found[0].params["include_fsync"]) == ((), False)
    assert (found[4].unread_options, found[4].params["include_fsync"]) == (("-p",), True)
    assert "direct" not in found[4].params


def test_a_second_table_below_one_command_is_a_call_with_its_options() -> None:
    found = parse(f"$ iozone -I -s 2m -r 64k -i 0 -i 1\n{ROWS}after:\n{ROWS}").measurements
    assert [each.call for each in found] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert found[0].params == found[4].params
    banner = parse(f"{HEAD}\tCommand line used: iozone -I -i 0 -i 1\n{ROWS}{END}{ROWS}")
    assert "direct" not in banner.measurements[4].params


def test_a_block_that_comes_again_is_of_another_call() -> None:
    block = "\tChildren see throughput for  2 initial writers \t= 100.00 kB/sec\n"
    found = parse(block + block.replace("100.00", "200.00")).measurements
    assert [(each.call, each.bandwidth) for each in found] == [(1, 102400), (2, 204800)]


@pytest.mark.parametrize(
    ("words", "header", "unread"),
    [
        ("-i 0 -p", "\tPurge Mode On\n", "-p"),
        ("", "\tPurge Mode On\n", "-p"),
        ("-i 0 -ecp -K", "", "-K"),
        ("-i 0 -+p 30", "\tPercent read in mix test is 30\n", "-+p 30"),
        ("", "\tPercent read in mix test is 30\n", "-+p 30"),
        ("-i 0 -+D", "\t>>> O_DSYNC mode enabled. <<<\n", "-+D"),
        ("-i 0 -V 5", "\tVerify Mode. Pattern 5050505\n", "-V 5"),
        ("-i 0 -d 10", "", "-d 10"),
        ("-i 0 -+b 64,1", "", "-+b 64,1"),
        ("-i 0", "\tMagic mode of tomorrow enabled\n", "Magic mode of tomorrow enabled"),
    ],
)
def test_mode_without_plan_parameter_is_unread(words: str, header: str, unread: str) -> None:
    found = of_call(words, header)
    assert unread in found[0].unread_options
    assert exact(found[0]) is None


@pytest.mark.parametrize(
    ("words", "header"),
    [
        ("-a -i 0 -g 4m -n 1m -y 4k -q 64k -f /x", "\tAuto Mode\n\tUsing maximum file size of 4\n"),
        ("-i 0 -w -R -b o.xls -+u", "\tSetting no_unlink\n\tExcel chart generation enabled\n"),
        ("-i 0 -M -O -v", "\tMachine = Linux vm 6.1\n\tOPS Mode. Output is in operations\n"),
        ("-i 0 -M > /tmp/log 2>&1", "\tNo compute time for reads.\n"),
        ("-i 0 -F /a /b | tee -p out", ""),
    ],
)  # fmt: skip
def test_what_chooses_sizes_files_or_units_is_no_mode(words: str, header: str) -> None:
    assert of_call(words, header)[0].unread_options == ()


@pytest.mark.parametrize(
    ("files", "target"),
    [
        ("-f /data/iz.tmp", "/data/iz.tmp"),
        ("-t 2 -F /data/a /data/b -w", "/data"),
        ("-t 2 -F /mnt/a/x /mnt/b/x", "/mnt/a/x /mnt/b/x"),
        ("-w", ""),
    ],
)
def test_the_command_names_the_target(files: str, target: str) -> None:
    assert of_call(f"-i 0 {files}")[0].target == target


@pytest.mark.parametrize(
    ("operation", "planned"),
    [("write", "write"), ("rewrite", "write"), ("read", "read"), ("reread", "read")],
)
def test_an_operation_with_direct_io_is_that_of_a_planned_test(
    operation: str, planned: str
) -> None:
    found = next(each for each in of_call("-i 0 -i 1 -I -e") if each.operation == operation)
    raw = {"file_size": "2M", "record_size": "64k", "direct": True, "include_fsync": True}
    params = IozoneParams.from_raw({"operation": planned, **raw}).canonical()
    assert exact(found) == TOOL.operation_params(params, operation)
    assert exact(found) != TOOL.operation_params(params | {"direct": False}, operation)


def test_a_read_of_what_the_same_call_left_in_the_page_cache_is_no_planned_one() -> None:
    write, _, read, _ = of_call("-i 0 -i 1")
    assert (write.unread_options, read.unread_options) == ((), ("-i 0",))
    assert (exact(write) is None, exact(read)) == (False, None)
    assert of_call("-i 1")[2].unread_options == ()


def test_one_process_in_throughput_mode_is_no_planned_test() -> None:
    block = "\tChildren see throughput for  {} readers \t= 100.00 kB/sec\n"
    sizes = "\tEach process writes a 1024 kByte file in 64 kByte records\n"
    command = "\tCommand line used: iozone -t {0} -i 1 -s 1m -r 64k\n"
    one, two = (parse(command.format(n) + sizes + block.format(n)).measurements[0] for n in (1, 2))
    assert (one.unread_options, two.unread_options) == (("-t 1",), ())
    assert exact(two) is not None


def test_a_command_line_that_a_mailer_wrapped_is_one() -> None:
    words = "-s 2m -r 64k -i 0 -i 1 -+n -w -f /data/a/rather/long/name/of/a/file"
    wrapped = of_call(f"{words}\n-I -p")
    assert (wrapped[0].params["direct"], wrapped[0].unread_options) == (True, ("-p",))
    continued = parse(f"$ iozone -i 0 \\\n  -I -f /x\n{ROWS}").measurements[0]
    assert (continued.params["direct"], continued.target) == (True, "/x")
