"""vdbench's text stopped, in HTML, with loops, and with intervals over midnight."""

from pathlib import Path

import pytest

from apps.tools.errors import OutputError
from apps.tools.parse_result import Output, Parsed
from apps.tools.vdbench import TOOL
from apps.tools.vdbench.parser.columns import columns_of, row_of
from apps.tools.vdbench.parser.output import CUT

SAMPLES = Path(__file__).parent / "samples"
QUICK = (SAMPLES / "5.04.07--quick-test" / "screen.txt").read_bytes()


def parse(data: bytes) -> Parsed:
    return TOOL.parse(Output({"stdout": data, "stderr": b""}))


def test_intervals_are_series_and_formatting_is_no_result() -> None:
    (result,) = parse(QUICK).measurements
    iops = next(each for each in result.series if each.metric == "iops")
    assert (list(iops.values), iops.start, iops.interval) == (
        [84.0, 103.0, 103.0, 106.0, 106.0],
        0.0,
        1.0,
    )


def test_a_definition_that_was_stopped_is_partial() -> None:
    again = QUICK[QUICK.index(b"16:24:31.001") : QUICK.index(b"16:24:36.053")]
    parsed = parse(QUICK[: QUICK.index(b"16:24:37.008")] + again)
    assert (parsed.completeness, parsed.warnings) == ("partial", (CUT,))
    assert len(parsed.measurements) == 1


def test_tags_of_html_and_what_a_definition_loops_over() -> None:
    html = QUICK.replace(b"For loops: None", b"For loops: xfersize=8k threads=16 rdpct=50")
    html = b"<pre>\n" + html.replace(b"Starting RD=rd1", b'<a name="x"><b>Starting RD=rd1</b></a>')
    (result,) = parse(html).measurements
    assert result.job == "rd1"
    assert result.params == {
        **{"operation": "mixed", "bs": 8192, "rate": 100},
        **{"threads": 16, "read_percent": 50},
    }


@pytest.mark.parametrize(("share", "operation"), [("0.00", "write"), ("100.00", "read")])
def test_one_direction(share: str, operation: str) -> None:
    (result,) = parse(QUICK.replace(b"50.72", share.rjust(5).encode())).measurements
    assert result.operation == operation
    assert "read_latency_mean" not in result.values


def test_a_row_that_lost_a_column_is_no_row() -> None:
    columns = columns_of("interval i/o MB/sec bytes", "rate 1024**2 i/o")
    assert columns == ("i/o rate", "MB/sec 1024**2", "bytes i/o")
    assert row_of("16:24:36.053     avg_2-5      104.5     0.10    1024", columns) is not None
    assert row_of("16:24:36.053     avg_2-5      104.5     0.10", columns) is None


def test_without_an_average_there_is_no_result() -> None:
    with pytest.raises(OutputError):
        parse(QUICK[: QUICK.index(b"16:24:30.181")])
