"""fdatasync in text of several jobs, which does not say how often it was called."""

from pathlib import Path

from apps.tools.fio.parser.normal.text import parse_text

SAMPLES = Path(__file__).parent / "samples"
TEXT = (SAMPLES / "3.33--text-and-terse" / "output.txt").read_bytes()


def test_text_of_several_jobs_does_not_invent_a_mean() -> None:
    # Text does not say how many fdatasync calls there were, so nothing can be weighed.
    found = parse_text(TEXT).measurements[-1]
    assert found.operation == "sync"
    assert (found.latency.min, found.latency.max) == (48000, 4030000)
    assert (found.latency.mean, found.iops, dict(found.latency.percentiles)) == (None, None, {})


def test_fdatasync_calls_do_not_count_as_short_writes() -> None:
    # fio counts them as short reads ("short=28,0,0,0"): the writes are exact all the same.
    write = parse_text(TEXT).measurements[0]
    assert write.values["total_ios"] == 56
    assert write.values["io_bytes"] == 56 * 2300
