"""fio before 3.26 loses a carry when it shortens a number: 11.99 becomes "11.0".

The lines were posted by people (source: public repositories); what they mean was worked out by hand
from the other figures of the same line.
"""

import pytest

from apps.tools.fio.parser.normal.text import parse_text


@pytest.mark.parametrize(
    ("line", "bandwidth"),
    [
        # 1024 x 1048576 bytes in 48.788 s; 20.99 MiB/s
        ("write: IOPS=5373, BW=20.0MiB/s (22.0MB/s)(1024MiB/48788msec)", 22008318.11),
        # 3593 MiB in 300.002 s; 11.98 MiB/s
        ("write: IOPS=3065, BW=11.0MiB/s (12.6MB/s)(3593MiB/300002msec)", 12558361.50),
        # Nothing was lost: the printed figure stays.
        ("write: IOPS=5030, BW=19.6MiB/s (20.6MB/s)(4096MiB/208446msec)", 19.6 * 1024**2),
        ("read: IOPS=3846, BW=15.0MiB/s (15.8MB/s)(4096MiB/272605msec)", 15 * 1024**2),
        # Before 3.0 there is one unit, with six digits.
        ("read : io=10240MB, bw=22626KB/s, iops=22 , runt=463447msec", 22626 * 1024),
    ],
)
def test_the_other_figures_of_the_line_say_what_the_bandwidth_was(
    line: str, bandwidth: float
) -> None:
    (found,) = parse_text(f"  {line}\n".encode()).measurements
    assert found.bandwidth == pytest.approx(bandwidth, rel=1e-9)


@pytest.mark.parametrize(
    ("line", "low", "high"),
    [
        # 49.1 MB/s in 4096 bytes each are 11,994; 11,000 would be blocks of 4,466 bytes.
        ("read: IOPS=11.0k, BW=46.9MiB/s (49.1MB/s)(3070MiB/65525msec)", 11950, 12000),
        ("read: IOPS=20.0k, BW=78.3MiB/s (82.1MB/s)(3070MiB/39227msec)", 20000, 20000),
        ("write: IOPS=10.0k, BW=39.1MiB/s (41.0MB/s)(4096MiB/104775msec)", 10000, 10000),
    ],
)
def test_without_the_operations_a_block_size_says_what_the_iops_were(
    line: str, low: float, high: float
) -> None:
    (found,) = parse_text(f"  {line}\n".encode()).measurements
    assert low <= (found.iops or 0) <= high
    assert found.values["printed"]["iops"] == pytest.approx(low, rel=0.1)


def test_bytes_that_lost_their_carry_follow_from_bandwidth_and_time() -> None:
    # 443 MiB/s for 30.009 s are 12.98 GiB, printed as 12.0GiB.
    line = b"write: IOPS=7090, BW=443MiB/s (465MB/s)(12.0GiB/30009msec)\n"
    (found,) = parse_text(line).measurements
    assert 12.95 * 1024**3 <= found.values["io_bytes"] < 13 * 1024**3
    assert found.values["printed"]["transferred"] == 12 * 1024**3


def test_figures_that_contradict_each_other_are_taken_as_printed() -> None:
    line = b"read: IOPS=3846, BW=15.0MiB/s (99.8MB/s)(7MiB/272605msec)\n"
    (found,) = parse_text(line).measurements
    assert found.bandwidth == 15 * 1024**2
