"""Whole texts: prompts, several results, errors, cuts, hostile input."""

import pytest

from apps.tools.dd import TOOL
from apps.tools.dd.parser.invocation import find_invocation
from apps.tools.dd.parser.sizes import parse_size
from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Output, Parsed
from apps.tools.values import Scalar

RECORDS = "2+0 records in\n2+0 records out\n"
RESULT = RECORDS + "2097152 bytes (2.1 MB) copied, 0.5 s, 4.2 MB/s\n"


def parse(text: str | bytes, exit_code: int | None = None, **params: Scalar) -> Parsed:
    data = text if isinstance(text, bytes) else text.encode()
    return TOOL.parse(Output({"stdout": b"", "stderr": data}, exit_code, params))


def test_several_results_each_with_its_command() -> None:
    text = (
        "$ dd if=/dev/zero of=/dev/sdb bs=1M count=2 oflag=direct,dsync\n"
        + RESULT
        + "# sudo /usr/bin/dd if=/dev/sdb of=/dev/null bs=1M count=2\n"
        + RESULT
        + "$ echo done\n"
    )
    write, read = parse(text).measurements
    assert (write.operation, read.operation) == ("write", "read")
    assert write.params == {
        **{"rw": "write", "bs": 1024**2, "size": 2 * 1024**2},
        **{"direct": True, "sync": False, "dsync": True, "fdatasync": False},
    }
    assert read.params["direct"] is False
    assert write.bandwidth == read.bandwidth == 2097152 / 0.5
    assert write.iops == 4.0


@pytest.mark.parametrize(
    ("command", "direction", "warned"),
    [
        ("dd if=/dev/zero of=/dev/sdb", "write", False),
        ("dd of=/mnt/f if=/dev/urandom bs=1M", "write", False),
        ("dd if=/mnt/f of=/dev/null", "read", False),
        ("dd if=/mnt/f bs=1M > /dev/null", "read", False),
        ("dd if=/dev/sda of=/dev/sdb", "copy", True),
        ("dd if=/dev/zero of=/dev/null", "memory", True),
        ("dd if=/dev/sda bs=1M | gzip", "unknown", True),
        ("dd if=/dev/sda bs=1M | ssh host dd bs=1M of=/dev/sdb", "copy", True),
        ("time sudo LC_ALL=C dd if=/dev/zero \\\n  of=/dev/sdb bs=1M", "write", False),
        ("add if=/dev/zero of=/dev/sdb", "unknown", True),
    ],
)
def test_the_direction_is_what_the_command_says(command: str, direction: str, warned: bool) -> None:
    parsed = parse(f"$ {command}\n{RESULT}")
    (measurement,) = parsed.measurements
    assert measurement.values["direction"] == direction
    assert measurement.operation == ("read" if direction == "read" else "write")
    assert bool(measurement.warnings) is warned


COMMANDS = (
    "dd if=/dev/zero of=/mnt/f bs=1M count=15000 oflag=direct\n"
    "dd if=/mnt/f of=/dev/null bs=1M iflag=direct\n"
)
LINE = "15728640000 bytes (16 GB) copied, {} s, {} MB/s\n"


def test_labelled_results_after_the_commands_have_their_directions() -> None:
    lines = (("W", "100", "157"), ("R", "50", "315"), ("W", "80", "197"), ("R", "40", "393"))
    text = COMMANDS + "".join(f"{name}: " + LINE.format(*rest) for name, *rest in lines)
    found = parse(text).measurements
    assert [each.operation for each in found] == ["write", "read", "write", "read"]
    assert [each.bandwidth for each in found] == [157286400, 314572800, 196608000, 393216000]
    assert found[0].params["size"] == 15000 * 1024**2
    assert [each.params["direct"] for each in found] == [True] * 4


def test_as_many_results_as_commands_follow_their_order() -> None:
    found = parse(COMMANDS + LINE.format("100", "157") + LINE.format("50", "315")).measurements
    assert [each.operation for each in found] == ["write", "read"]


def test_more_results_than_commands_without_a_word_are_of_unknown_direction() -> None:
    parsed = parse(COMMANDS + LINE.format("100", "157") * 3)
    assert {each.values["direction"] for each in parsed.measurements} == {"unknown"}
    assert [len(each.warnings) for each in parsed.measurements] == [1, 1, 1]


def test_a_label_alone_says_the_direction() -> None:
    (found,) = parse("read: " + LINE.format("100", "157")).measurements
    assert (found.operation, found.params) == ("read", {"rw": "read"})


def test_a_command_that_failed_has_no_result() -> None:
    first, second = COMMANDS.splitlines()
    text = f"{first}\ndd: failed to open '/mnt/f': Read-only file system\n{second}\n{RESULT}"
    (found,) = parse(text).measurements
    assert found.operation == "read"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("4k", 4096), ("4K", 4096), ("32M", 32 * 1024**2), ("1m", 1024**2), ("512", 512)),
        *(("1MB", 10**6), ("1kB", 1000), ("1MiB", 1024**2), ("2b", 1024), ("2x1k", 2048)),
        *(("8w", 16), ("1T", 1024**4), ("", None), ("$((1024", None), ("1q", None), ("0", None)),
        ("9" * 15 + "E", None),
    ],
)
def test_sizes_as_dd_reads_them(text: str, size: int | None) -> None:
    assert parse_size(text) == size


def test_words_that_only_look_like_a_command() -> None:
    assert find_invocation("add if=x") is None
    assert find_invocation("dd: failed to open") is None


def test_error_makes_result_partial_and_alone_raises() -> None:
    full = "dd: error writing '/dev/sdb': No space left on device\n"
    parsed = parse(full + RESULT, 1)
    assert parsed.completeness == "partial"
    (found,) = parsed.measurements
    assert "error writing '/dev/sdb': No space left on device" in found.warnings
    with pytest.raises(ToolError, match="No space left"):
        parse(full, 1)
    with pytest.raises(ToolError, match="exit code 127"):
        parse("nothing\n", 127)
    warned = parse("dd: warning: partial read (8192 bytes); suggest iflag=fullblock\n" + RESULT)
    assert warned.completeness == "whole"


def test_nothing_copied_and_no_time_are_errors() -> None:
    with pytest.raises(OutputError, match="copied nothing"):
        parse("0+0 records in\n0+0 records out\n0 bytes copied, 6.9e-05 s, 0.0 kB/s\n")
    with pytest.raises(OutputError, match="no time"):
        parse(RECORDS)


@pytest.mark.parametrize("seconds", ["1e-320", "0"])
def test_a_time_without_a_finite_rate_gives_no_rate(seconds: str) -> None:
    parsed = parse(RESULT.replace("0.5 s", f"{seconds} s"))
    (found,) = parsed.measurements
    assert (found.bandwidth, found.iops, parsed.completeness) == (None, None, "partial")


def test_fewer_bytes_than_requested_is_partial() -> None:
    short = parse(RESULT, 0, rw="write", bs=1024**2, size=10 * 1024**2)
    assert short.completeness == "partial"
    assert "dd copied 2097152 of 10485760 bytes." in short.measurements[0].warnings


def test_a_run_that_was_cut_off_is_partial() -> None:
    progress = "\r1048576 bytes (1.0 MB) copied, 1 s, 1.0 MB/s\r3145728 bytes copied, 2 s, 1.6 MB/s"
    cut = parse(progress)
    assert cut.completeness == "partial"
    assert cut.measurements[0].values["bytes"] == 3145728
    whole = parse(progress + "\n" + RESULT.replace("2097152", "4194304"))
    assert whole.completeness == "whole"
    (series,) = whole.measurements[0].series
    assert series.values == (1048576.0, 2097152.0)
    assert parse(RESULT + RECORDS).warnings
    own = parse(RESULT + RECORDS, 0, rw="write", bs=1024**2, size=2 * 1024**2)
    assert own.completeness == "partial"


def test_progress_copied_from_a_terminal_is_no_result() -> None:
    progress = "1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.2 s, 5.2 MB/s\n"
    command = "$ dd if=/dev/zero of=/dev/sdb bs=1M count=2 status=progress\n"
    (found,) = parse(command + progress + RESULT).measurements
    assert (found.values["bytes"], found.completeness, found.lines) == (2097152, "whole", (1, 5))
    two = parse(RESULT + "and:\n" + progress + "then:\n" + RESULT).measurements
    assert len(two) == 3


@pytest.mark.parametrize(
    ("whole", "wrapped"),
    [
        ("copied, 0.5 s, 4.2 MB/s", "copied, 0.5\ns, 4.2 MB/s"),
        ("(2.1 MB) copied", "(2.1 MB)\ncopied"),
        ("copied, 0.5 s, 4.2 MB/s", "copied, 0.5 s,\n4.2 MB/s"),
        ("count=2 oflag=direct", "count=2\noflag=direct"),
    ],
)
def test_a_line_that_a_mailer_wrapped_is_one(whole: str, wrapped: str) -> None:
    text = "$ dd if=/dev/zero of=/dev/sdb bs=1M count=2 oflag=direct\n" + RESULT
    (expected,) = parse(text).measurements
    (found,) = parse(text.replace(whole, wrapped)).measurements
    assert (found.params, found.bandwidth, found.iops, found.lines) == (
        expected.params,
        expected.bandwidth,
        expected.iops,
        (1, 5),
    )


def test_a_result_line_alone_leaves_the_question_open() -> None:
    assert parse("2097152 bytes (2.1 MB) copied, 0.5 s, 4.2 MB/s\n").completeness == "unknown"


def test_figures_that_do_not_fit_each_other_are_pointed_out() -> None:
    parsed = parse(RESULT.replace("0.5 s", "0.7 s"))
    assert any("are not the" in warning for warning in parsed.measurements[0].warnings)


@pytest.mark.parametrize(
    "data",
    [
        b"1 " * 500_000,
        b"1" * 1_000_000,
        b"1+1 " * 300_000,
        b"(" * 1_000_000,
        b"dd " + b"if=x " * 200_000,
        b"\r" * 500_000,
        b"1 s, 1 B/s\n" * 50_000,
        b"\xff\xfe\xff" * 100_000 + b"/\n",
        b"\\\n" * 200_000,
        (b"\xa3" * 50 + b"/\n") * 10_000,
    ],
)
@pytest.mark.timeout(60)  # a guard against hanging, no measure of speed
def test_hostile_input_is_refused_without_hanging(data: bytes) -> None:
    with pytest.raises((OutputError, ToolError)):
        parse(data)
    TOOL.detect(data)


@pytest.mark.parametrize(
    ("command", "operands", "lost"),
    [
        ("dd if=a count=$((1024*2)) bs=1M", {"if": "a", "count": "$((1024*2))", "bs": "1M"}, ""),
        ("dd if=a count=`nproc` bs=1M", {"if": "a", "count": "`nproc`", "bs": "1M"}, ""),
        ("dd if=a count=$(nproc) bs=1M", {"if": "a", "count": "$(nproc)", "bs": "1M"}, ""),
        ('dd if="a b" of=\'c d\'"e" bs=1M', {"if": "a b", "of": "c d'\"e", "bs": "1M"}, ""),
        ("`dd if=a bs=1M` and `dd`", {"if": "a", "bs": "1M"}, ""),
        ("(dd if=a bs=1M) bs=4k", {"if": "a", "bs": "1M"}, ""),
        ("dd if=a some words bs=1M", {"if": "a"}, "bs=1M"),
        ("dd if=a; x bs=1M", {"if": "a"}, ""),
    ],
)
def test_words_of_a_shell_are_one_operand(
    command: str, operands: dict[str, str], lost: str
) -> None:
    found = find_invocation(command)
    assert found is not None
    assert (dict(found.operands), found.lost) == (operands, lost)


def test_each_result_of_a_loop_has_its_word() -> None:
    loop = "# for d in sda sdb; do dd if=/dev/$d of=/dev/null bs=1M count=2; done\n"
    assert [each.target for each in parse(loop + RESULT + RESULT).measurements] == [
        "/dev/sda",
        "/dev/sdb",
    ]
    assert [each.target for each in parse(loop + RESULT).measurements] == [""]


def test_reports_on_the_way_of_one_command_are_no_results() -> None:
    report = "1+0 records in\n1+0 records out\n1048576 bytes (1.0 MB) copied, 0.2 s, 5.2 MB/s\n"
    text = "# dd if=/dev/zero of=/dev/sdb bs=1M count=2\n" + report + RESULT
    (found,) = parse(text).measurements
    assert (found.values["bytes"], found.lines) == (2097152, (1, 7))
    assert len(parse(text.replace("count=2", "")).measurements) == 2


@pytest.mark.parametrize(
    "commands",
    [
        "# dd if=/dev/zero of=/mnt/f bs=1M count=2; dd if=/mnt/f of=/dev/null bs=1M\n",
        "# dd if=/dev/zero of=/mnt/f bs=1M count=2 && dd if=/mnt/f of=/dev/null bs=1M\n",
        "dd if=/dev/zero of=/mnt/f bs=1M count=2\ndd if=/mnt/f of=/dev/null bs=1M\n",
    ],
)
def test_commands_that_stand_together_are_those_of_the_results_in_order(commands: str) -> None:
    write, read = parse(commands + RESULT + RESULT).measurements
    assert [(each.operation, each.target) for each in (write, read)] == [
        ("write", "/mnt/f"),
        ("read", "/mnt/f"),
    ]
    assert write.unread_options == ()


def test_commands_inside_a_loop_print_for_each_word_in_their_order() -> None:
    body = "dd if=/dev/zero of=/mnt/$d bs=1M count=2; dd if=/mnt/$d of=/dev/null bs=1M"
    for loop in (f"for d in a b; do {body}; done\n", f"for d in a b; do\n  {body}\ndone\n"):
        found = parse(loop + 4 * RESULT).measurements
        assert [(each.operation, each.target) for each in found] == [
            *(("write", "/mnt/a"), ("read", "/mnt/a"), ("write", "/mnt/b"), ("read", "/mnt/b")),
        ]
        assert {each.target for each in parse(loop + 3 * RESULT).measurements} == {""}
