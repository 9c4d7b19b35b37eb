"""A file that holds text and terse lines: of each job the richer one is read."""

from pathlib import Path

from apps.tools.fio.parser.output import parse_output
from apps.tools.parse_result import Output

SAMPLES = Path(__file__).parent / "samples"
BOTH = (SAMPLES / "3.33--text-and-terse" / "output.txt").read_bytes()
TERSE = (SAMPLES / "3.33--terse-mixed" / "output.txt").read_bytes()


def read(data: bytes) -> list[tuple[str, bool]]:
    """Operations, and whether their parameters are known."""
    parsed = parse_output(Output({"stdout": data, "stderr": b""}))
    return [(m.operation, "rw" in m.params) for m in parsed.measurements]


def test_the_terse_line_of_a_job_that_text_tells_is_left_out() -> None:
    assert read(BOTH) == [("write", True), ("sync", True)]


def test_terse_line_of_another_job_is_a_result() -> None:
    found = read(TERSE + BOTH)
    assert found[:2] == [("write", True), ("sync", True)]
    assert found[2:] == read(TERSE)
    assert found[2:]


def test_second_terse_run_of_the_same_name_is_a_result() -> None:
    # One line more than the text has results: both jobs' lines stand once more.
    again = b"".join(line + b"\n" for line in BOTH.split(b"\n") if line.startswith(b"3;"))
    assert read(BOTH + again) == [("write", True), ("sync", True), ("write", False)]


def test_terse_lines_below_unfinished_text_are_read() -> None:
    text = BOTH[: BOTH.index(b"3;fio-3.33")]
    terse = BOTH[BOTH.index(b"3;fio-3.33") : BOTH.index(b"\netcd: (groupid=0")]
    assert read(text + terse) == [("write", False)]
