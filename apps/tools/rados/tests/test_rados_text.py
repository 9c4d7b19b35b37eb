"""rados bench's text with other things around it, cut off, in several runs."""

from pathlib import Path

import pytest

from apps.tools.errors import OutputError, ToolError
from apps.tools.parse_result import Output, Parsed
from apps.tools.rados import TOOL
from apps.tools.rados.parser.call import command
from apps.tools.rados.parser.measure import CUT, NO_SUMMARY, UNKNOWN, WHICH_READ

SAMPLES = Path(__file__).parent / "samples"


def sample(name: str) -> bytes:
    return (SAMPLES / name / "output.txt").read_bytes()


WRITE = sample("12.2--write-after-tuning")
SEQ = sample("12.2--seq-after-tuning")
RAND = sample("12.2--rand-after-tuning")


def parse(data: bytes, stderr: bytes = b"") -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": stderr}))


def test_several_runs_in_one_file_are_all_read() -> None:
    parsed = parse(WRITE + b"now the reads:\n" + SEQ + RAND)
    assert [m.operation for m in parsed.measurements] == ["write", "seq", "rand"]
    assert [m.values["total_ios"] for m in parsed.measurements] == [240, 240, 1333]
    assert parsed.completeness == "whole"


def test_runs_without_command_lines_are_separated() -> None:
    pieces = [data.split(b"\n", 1)[1] for data in (WRITE, SEQ, RAND)]
    parsed = parse(b"".join(pieces))
    assert [m.operation for m in parsed.measurements] == ["write", "seq", "read"]
    assert WHICH_READ in parsed.measurements[2].warnings


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[root@vm my-cluster]# rados bench -p test 10 write --no-cleanup", ("write", 10)),
        ("$ sudo ./bin/rados -p rbd bench 30 seq -no-cleanup", ("seq", 30)),
        ("/usr/bin/rados -c /etc/ceph.conf -p x bench  5 seq --concurrent-ios 128", ("seq", 5)),
        ("rados bench -p rand 60 write -t 32", ("write", 60)),
        ("rados bench -p test 60 [ seq | rand ]", None),
        ("a bench for the rados", None),
        ("rados bench", None),
    ],
)
def test_a_command_line_says_what_is_done(line: str, expected: tuple[str, int] | None) -> None:
    assert command(line) == expected


def test_second_zero_is_no_stall() -> None:
    (before,) = parse(sample("12.2--write-before-tuning")).measurements
    assert before.values["stalls"] == 2
    assert before.values["stalled_seconds"] == [5, 10]
    assert len(before.series[0].values) == 10


def test_a_full_read_did_not_run_out_of_objects() -> None:
    data = SEQ.replace(b"Total time run:       1.91666", b"Total time run:       10.0513")
    parsed = parse(data)
    assert "ran_out_of_objects" not in parsed.measurements[0].values
    assert parsed.warnings == ()


def test_cut_in_the_table_gives_its_last_second() -> None:
    parsed = parse(WRITE[: WRITE.index(b"    4      16")])
    (measurement,) = parsed.measurements
    assert parsed.completeness == "partial"
    assert NO_SUMMARY in measurement.warnings
    assert measurement.iops == pytest.approx(149 / 3)
    assert measurement.bandwidth == pytest.approx(149 * 4194304 / 3)


def test_cut_in_the_summary_is_partial_and_a_loose_last_line_unknown() -> None:
    cut = parse(WRITE[: WRITE.index(b"Max latency")])
    assert cut.completeness == "partial"
    assert CUT in cut.measurements[0].warnings
    loose = parse(WRITE.rstrip()[:-3])
    assert loose.completeness == "unknown"
    assert UNKNOWN in loose.measurements[0].warnings
    assert loose.measurements[0].latency.min is None


def test_a_run_time_without_a_finite_rate_counts_as_cut() -> None:
    data = RAND.replace(b"Total time run:", b"Total time run: 1e-320 #", 1)
    (found,) = parse(data).measurements
    assert found.completeness == "partial"
    assert (found.iops or 0) == pytest.approx(1192 / 9)


def test_windows_line_ends_indentation_and_a_table_of_a_wiki_do_not_matter() -> None:
    expected = parse(WRITE).measurements[0]
    indented = b"\r\n".join(b"    " + line for line in WRITE.split(b"\n")) + b"\r\n"
    assert parse(indented).measurements[0] == expected
    wiki = (
        b"| Total time run | 10.0457 sec |\n| Total writes made | 1878 |\n| Write size | 4096 |\n"
    )
    assert parse(wiki).measurements[0].iops == pytest.approx(1878 / 10.0457)


def test_figures_rados_never_set_are_left_out() -> None:
    (measurement,) = parse(sample("16.2.15--write-show-time")).measurements
    assert "bandwidth_min" not in measurement.values
    odd = WRITE.replace(b"Min IOPS:               0", b"Min IOPS:               -1537890352")
    assert "iops_min" not in parse(odd).measurements[0].values


def test_a_configuration_is_sent_to_where_it_belongs() -> None:
    conf = b"[global]\nauth_cluster_required = none\n[osd]\nosd op threads = 16\n"
    assert TOOL.detect(conf)
    with pytest.raises(OutputError, match="tuning profile"):
        parse(conf)
    assert not TOOL.detect(b"[global]\nioengine=libaio\nrw=read\n")


def test_rados_errors_are_reported() -> None:
    with pytest.raises(ToolError, match="Must write data"):
        parse(b"hints = 1\nMust write data before running a read benchmark!\n")
    with pytest.raises(ToolError, match="error opening pool"):
        parse(b"", b"error opening pool nopool: (2) No such file or directory\n")
    with pytest.raises(OutputError, match="no result"):
        parse(b"hints = 1\n")
