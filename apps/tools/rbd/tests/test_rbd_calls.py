"""Several calls of rbd bench in one text: each with its image, lines, remarks and state."""

from __future__ import annotations

import pytest

from apps.tools.parse_result import Output, Parsed
from apps.tools.rbd import TOOL
from apps.tools.rbd.params import RbdParams
from apps.tools.rbd.parser.call import RbdCall, call_of
from apps.tools.values import Parameters

RUN = """bench  type write io_size 16384 io_threads 8 bytes 2147483648 pattern random
  SEC       OPS   OPS/SEC   BYTES/SEC
    1      5120   5130.10    80 MiB/s
    2     10260   5131.90    80 MiB/s
elapsed: 25   ops: 131072   ops/sec: 5135.22   bytes/sec: 80 MiB/s
"""
COMMAND = "# rbd bench --io-type write --io-size 16K --io-total 2G --io-pattern rand pool1/imgA\n"


def parse(text: str) -> Parsed:
    return TOOL.parse(Output({"stdout": text.encode(), "stderr": b""}))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (COMMAND, RbdCall("pool1/imgA")),
        ("$ rbd -p pool2 bench-write img --io-threads=4 | tee x", RbdCall("pool2/img")),
        ("rbd bench --pool a --image b --io-type read", RbdCall("a/b")),
        ("rbd bench p/n/i@s --rbd-cache=false", RbdCall("p/n/i@s", ("--rbd-cache=false",))),
        ("rbd bench --io-type write", RbdCall()),
        ("rbd create img", None),
    ],
)
def test_a_command_names_the_image_and_what_rbd_does_not_print(
    line: str, expected: RbdCall | None
) -> None:
    assert call_of(line) == expected


def test_each_call_has_its_image_number_and_lines() -> None:
    text = COMMAND + "\n" + RUN + COMMAND.replace("pool1/imgA", "imgB") + RUN
    first, second = parse(text).measurements
    assert [(each.call, each.target) for each in (first, second)] == [
        (1, "pool1/imgA"),
        (2, "imgB"),
    ]
    assert (first.lines, second.lines) == ((1, 7), (8, 13))
    assert first.params == second.params


def test_each_run_of_a_loop_has_its_image() -> None:
    loop = "# for i in a b; do rbd bench --io-type write --io-size 16K pool/$i; done\n"
    found = parse(loop + RUN + RUN + RUN).measurements
    assert [each.target for each in found] == ["pool/a", "pool/b", ""]


def test_one_interrupted_call_spoils_only_itself() -> None:
    cut, whole = parse(RUN[: RUN.index("elapsed")] + RUN).measurements
    assert [each.completeness for each in (cut, whole)] == ["partial", "whole"]
    assert (len(cut.warnings), whole.warnings) == (1, ())


def test_a_second_summary_is_a_call_of_unknown_parameters() -> None:
    elapsed = RUN.splitlines()[-1] + "\n"
    first, second = parse(RUN + elapsed.replace("5135.22", "6000.00")).measurements
    assert (first.params["bs"], second.params) == (16384, {})
    assert (second.iops, second.bandwidth) == (6000.0, 80 * 1024**2)
    assert (second.call, second.lines) == (2, (6, 6))


@pytest.mark.parametrize("margin", ["    ", "\t", "  "])
def test_a_margin_in_other_text_does_not_matter(margin: str) -> None:
    indented = "".join(margin + line for line in RUN.splitlines(keepends=True))
    (found,) = parse("As measured:\n\n" + indented + "\nThat was it.\n").measurements
    (expected,) = parse(RUN).measurements
    assert (found.params, found.bandwidth) == (expected.params, expected.bandwidth)
    assert found.completeness == "whole"


@pytest.mark.parametrize(
    ("whole", "wrapped"),
    [
        ("pattern random\n", "pattern\nrandom\n"),
        ("bytes 2147483648 pattern", "bytes\n2147483648 pattern"),
        ("bytes/sec: 80 MiB/s\n", "bytes/sec: 80\nMiB/s\n"),
        ("bytes/sec: 80 MiB/s\n", "bytes/sec:\n80 MiB/s\n"),
        ("--io-total 2G --io-pattern", "--io-total 2G\n--io-pattern"),
        ("--io-pattern rand pool1/imgA", "--io-pattern rand\npool1/imgA"),
        ("--io-pattern rand pool1/imgA", "--io-pattern rand \\\n  pool1/imgA"),
    ],
)
def test_a_line_that_a_mailer_wrapped_is_one(whole: str, wrapped: str) -> None:
    (expected,) = parse(COMMAND + RUN).measurements
    (found,) = parse((COMMAND + RUN).replace(whole, wrapped)).measurements
    assert (found.params, found.bandwidth, found.target) == (
        expected.params,
        expected.bandwidth,
        "pool1/imgA",
    )
    assert found.completeness == "whole"


def test_only_a_mix_depends_on_the_share_of_reads() -> None:
    plain, mixed = (
        RbdParams(reads=70).canonical(),
        RbdParams(mode="readwrite", reads=70).canonical(),
    )
    assert "reads" not in TOOL.operation_params(plain, "write")
    assert TOOL.operation_params(mixed, "read")["reads"] == 70
    known: Parameters = {
        name: value for name, value in plain.items() if value is not None and name != "reads"
    }
    assert TOOL.exact_params(known, "write") == TOOL.operation_params(plain, "write")
    assert TOOL.exact_params(parse(RUN).measurements[0].params, "write") is None
