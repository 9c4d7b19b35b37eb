"""Windows of a test that an output only sums up, in place of a series."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from apps.tools.parse_result import Measurement, Output, Series
from apps.tools.registry import TOOLS
from apps.tools.series.stated import stated_series

SAMPLE = Path(__file__).parents[1] / "fio/tests/samples/3.1--randwrite-4k-qd128/output.txt"


def measured() -> Measurement:
    (found,) = TOOLS["fio"].parse(Output({"stdout": SAMPLE.read_bytes()})).measurements
    return found


def test_fio_text_states_minimum_mean_maximum_and_window() -> None:
    # iops        : min=    2, max=12280, avg=2900.77, stdev=2737.69, samples=584, in 300484 msec
    iops, bandwidth = stated_series(measured(), "numjobs")
    assert (iops.metric, iops.interval, len(iops.values)) == ("iops", 0.5, 0)
    assert iops.windows is not None
    assert (iops.windows.count, iops.windows.minimum, iops.windows.maximum) == (584, 2, 12_280)
    assert (iops.windows.mean, iops.windows.stddev) == (2900.77, 2737.69)
    assert bandwidth.windows is not None
    assert bandwidth.windows.maximum == 49_120 * 1024


def test_own_series_of_a_metric_counts_more() -> None:
    found = replace(measured(), series=(Series("iops", (1.0, 2.0)),))
    assert [one.metric for one in stated_series(found, "numjobs")] == ["bandwidth"]


def test_without_samples_no_window_is_stated() -> None:
    found = measured()
    values = {name: value for name, value in found.values.items() if "samples" not in name}
    assert list(stated_series(replace(found, values=values), "numjobs")) == []
    assert list(stated_series(replace(found, values={}), "numjobs")) == []
