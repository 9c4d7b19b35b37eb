"""Percentiles recomputed from fio's bins are fio's own, also after adding jobs."""

from pathlib import Path

import orjson
import pytest

from apps.tools.histogram import merge, percentiles
from apps.tools.parse_cli import parse_bytes
from apps.tools.parse_result import Measurement

SAMPLES = Path(__file__).parents[1] / "fio/tests/samples"
PLUS = sorted(SAMPLES.glob("*json+*/result.json"))


def measurements(path: Path) -> tuple[Measurement, ...]:
    return parse_bytes("fio", path.read_bytes()).measurements


@pytest.mark.parametrize("path", PLUS, ids=lambda path: path.parent.name)
def test_recomputed_percentiles_are_equal(path: Path) -> None:
    for each in measurements(path):
        assert each.histogram is not None
        # At the end of a ramp fio may count an operation's latency but not the operation.
        assert abs(sum(each.histogram.counts) - each.values["total_ios"]) <= 1
        names = each.latency.percentiles
        assert names
        assert percentiles(each.histogram, names) == dict(names)


def test_two_jobs_are_pooled_from_their_added_bins() -> None:
    (path,) = [path for path in PLUS if "json+-two-jobs" in str(path)]
    (total,) = measurements(path)
    jobs = orjson.loads(path.read_bytes())["jobs"]
    # The slowest operation of all is the slower job's; no average of percentiles could give it.
    slowest = max(job["read"]["lat_ns"]["percentile"]["99.990000"] for job in jobs)
    assert total.latency.percentiles["99.99"] == slowest
    between = sorted(job["read"]["lat_ns"]["percentile"]["50.000000"] for job in jobs)
    assert between[0] <= total.latency.percentiles["50"] <= between[1]


def test_nothing_is_merged_with_the_unknown() -> None:
    (first, *_) = measurements(PLUS[0])
    assert merge([first.histogram, None]) is None
