"""Phases and figures of a disturbance, from a log that the agent's timeline makes of recorded
answers of a cluster (apps/remote/agent_tests/samples, Ceph 16.2).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apps.remote.agent_tests
from apps.plans.schemas.disturbance import Disturbance
from apps.remote.agent.disturbance.cluster_state import parse_status
from apps.remote.agent.disturbance.request import validate_disturbance
from apps.remote.agent.disturbance.timeline import Timeline
from apps.results.domain.disturbance_figures import ClientSeries, client_series, document_of
from apps.results.domain.disturbance_log import Phase, phases_of, read_log
from apps.results.presenters.disturbance import disturbance_chart, phase_rows
from apps.results.selectors.disturbances import DisturbedRepeat
from apps.results.services.disturbances import _figures as metric_figures
from apps.tools.parse_result import HistogramSeries, Measurement, Series

FOLDER = Path(apps.remote.agent_tests.__file__).parent
RECORDED = FOLDER / "samples" / "ceph-status-osd-out.jsonl"
WANTED: dict[str, Any] = {
    "kind": "osd_out", "command": 0, "fsid": "5a10368a-fb6c-40b0-9456-dccb03cde605", "osd": 1,
    "before": 5, "down": 0, "after": 4, "timeout": 600,
}  # fmt: skip
CLEAN = {"pgmap": {"pgs_by_state": [{"state_name": "active+clean", "count": 16}]}}


def log_text(seconds: int = 200) -> bytes:
    """The log of an `osd out` and `in`, with the recorded recovery after each."""
    wanted = validate_disturbance(WANTED, 1)
    assert wanted
    line = Timeline(wanted, lambda: False)
    recovery = [json.loads(row)["status"] for row in RECORDED.read_text().splitlines()]
    statuses = [CLEAN] * 5 + recovery + [CLEAN] * 6 + recovery + [CLEAN] * 20
    rows: list[dict[str, Any]] = []
    moved = 0
    for second, status in enumerate(statuses[:seconds]):
        sample = parse_status(status)
        moved += sample["recovery_bytes"]
        known = set(line.marks)
        act = line.step(float(second), sample)
        rows.append({**sample, "t": float(second), "moved": moved})
        rows += [{"mark": name, "t": line.marks[name]} for name in set(line.marks) - known]
        if act == "done":
            rows.append({"mark": "done", "t": float(second)})
            break
        if act:
            line.done(act, float(second))
            mark = "disturbed" if act == "disturb" else "restored"
            rows.append({"mark": mark, "t": float(second)})
    return "\n".join(json.dumps(row) for row in rows).encode()


def client(seconds: int = 100) -> ClientSeries:
    """100 IOPS, half of it for 32 s from second 7, and none in second 20."""
    values = np.full(seconds, 100.0)
    values[7:37] = 50.0
    values[20] = 0.0
    return ClientSeries(values)


def test_phases_go_by_objects_and_marks() -> None:
    log = read_log(log_text())
    assert log.is_complete("osd_out")
    phases = phases_of(log, "osd_out", 100.0)
    names = [one.name for one in phases]
    assert names == ["before", "degraded", "recovering", "clean", "returning", "after"]
    marks = log.marks
    assert phases[1] == Phase("degraded", 5.0, 7.0), "two seconds until a sample shows recovery"
    assert phases[2] == Phase("recovering", 7.0, marks["clean"])
    assert phases[3].end == marks["restored"] == marks["clean"] + 4
    assert phases[-1] == Phase("after", marks["returned"], marks["done"])


def test_figures_of_the_phases() -> None:
    document = document_of(read_log(log_text()), "osd_out", "osd.1 out", client(), 80.0)
    by_name = {one.name: one for one in document.phases}
    assert by_name["before"].iops == 100.0
    assert by_name["recovering"].iops == pytest.approx(50.0 * 28 / 29)
    assert document.worst_iops == 0.0
    assert document.below_seconds == 30.0
    assert document.time_to_clean == 31.0
    assert document.time_to_return is not None
    assert document.recovered_bytes is not None
    assert document.recovered_bytes > 1 << 20
    rows = phase_rows(document)
    assert [rows[0].start, rows[0].share, rows[1].start] == [-5.0, 100.0, 0.0]
    assert document_of(read_log(log_text()), "osd_out", "", client(), None).below_seconds is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe not json\n[1, 2]\nnull",
        b'{"mark": "done", "t": "soon"}',
        b'{"states": {"active+clean": 1}, "t": 1e999, "moved": -3, "checks": 7}',
        b'{"states": [], "t": 1}\n{"mark": ["done"]}',
    ],
)
def test_bad_log_of_a_host_is_no_error(data: bytes) -> None:
    document = document_of(read_log(data), "osd_out", "", client(50), None)
    assert document.time_to_clean is None
    assert [one.name for one in document.phases] == ["before"]


def test_stop_is_degraded_until_the_start() -> None:
    rows = [
        {"t": float(t), "states": {"active+undersized+degraded": 1}, "degraded": 5}
        for t in range(30)
    ]
    rows[20]["states"] = {"active+recovering": 1}
    marks = {"disturbed": 3.0, "restored": 18.0, "clean": 25.0, "done": 29.0}
    lines = [*rows, *({"mark": name, "t": t} for name, t in marks.items())]
    log = read_log("\n".join(map(json.dumps, lines)).encode())
    assert phases_of(log, "osd_stop", 40.0) == (
        Phase("before", 0.0, 3.0),
        Phase("degraded", 3.0, 20.0),
        Phase("recovering", 20.0, 25.0),
        Phase("after", 25.0, 29.0),
    )
    assert document_of(log, "osd_stop", "", client(40), None).time_to_clean == 7.0


@pytest.mark.parametrize("re_added", [False, True])
def test_rebuild_of_an_array_and_a_re_add(re_added: bool) -> None:
    """A re-add with a bitmap skips what did not change: its position is no number of bytes."""
    rows: list[dict[str, Any]] = [
        {"t": 2.0, "states": {"active+clean": 1}, "moved": 0},
        {"t": 12.0, "states": {"active+recovering": 1}, "moved": 4096, "degraded": 9},
        {"t": 20.0, "states": {"active+clean": 1}, "moved": 8192},
    ]
    marks = {"disturbed": 3.0, "restored": 10.0, "clean": 20.0, "done": 25.0}
    lines = [*rows, *({"mark": n, "t": t, "re_added": re_added} for n, t in marks.items())]
    log = read_log("\n".join(map(json.dumps, lines)).encode())
    assert log.is_complete("md_fail")
    document = document_of(log, "md_fail", "md member", client(40), None)
    names = [one.name for one in document.phases]
    assert names == ["before", "degraded", "recovering", "after"]
    assert document.recovered_bytes == (None if re_added else 8192)
    figures = dict(metric_figures(document))
    assert figures.get("time_to_clean_seconds") == (None if re_added else 10.0)


def test_percentile_comes_from_added_histograms() -> None:
    """Two operations: 1 of 100 is slow in one of them, so p99 of both is fast."""
    log = read_log(log_text())
    fast = HistogramSeries((960, 2_048, 4_096), [[100, 0, 0]] * 100)
    slow = HistogramSeries((960, 2_048, 4_096), [[98, 0, 2]] * 100)
    both = ClientSeries(client().values, histograms=(fast, slow))
    alone = ClientSeries(client().values, histograms=(slow,))
    for series, expected in ((both, 1_024.0), (alone, 4_608.0)):
        document = document_of(log, "osd_out", "", series, None)
        assert {one.latency_p99 for one in document.phases} == {expected}


def test_series_of_operations_are_added() -> None:
    def measured(operation: str, *values: float | None) -> Measurement:
        return Measurement(operation, None, None, series=(Series("iops", values),))

    both = client_series([measured("read", 1.0, None, 3.0), measured("write", 10.0, 20.0, 30.0)])
    assert both is not None
    assert both.values.tolist() == [11.0, 23.0, 33.0], "the third is the mean over the gap"
    assert client_series([Measurement("read", None, None)]) is None
    assert client_series([]) is None


def windowed(operation: str, *values: float | None, start: float = 0.0) -> Measurement:
    iops = Series("iops", values, start=start)
    return Measurement(operation, None, None, series=(iops,), values={"windows": 1.0})


def test_seconds_without_an_operation_are_the_worst_ones() -> None:
    """fio logs no window in which nothing completed; a client that hangs is what counts."""
    both = client_series(
        [windowed("read", 9.0, None, None, 7.0, 5.0), windowed("write", 1.0, 1.0, start=1.0)]
    )
    assert both is not None
    assert both.values.tolist() == [9.0, 1.0, 1.0, 7.0], "the last window is not whole"
    alone = client_series([windowed("read", *[9.0] * 7, None, None, *[9.0] * 40)])
    assert alone is not None
    document = document_of(read_log(log_text()), "osd_out", "", alone, 5.0)
    assert document.worst_iops == 0.0
    assert document.below_seconds == 2.0


def test_chart_is_aligned_at_the_disturbance() -> None:
    document = document_of(read_log(log_text()), "osd_out", "", client(), None)
    repeats = [DisturbedRepeat(n, "slow", document, n == 2) for n in (1, 2)]
    figure = disturbance_chart(repeats)
    assert len(figure["data"]) == 4
    assert figure["data"][0]["x"][0] == -4.5
    assert figure["layout"]["shapes"][0]["x0"] == 0.0


def test_text_of_a_disturbance_names_what_distinguishes_it() -> None:
    one = Disturbance("osd_out", osd=3)
    assert one.text == "osd.3 out, 60 s before, 60 s after"
    assert Disturbance("osd_stop", osd=3).text != one.text
    assert Disturbance().text == ""
    assert not Disturbance()
    assert one.min_load_seconds == 180


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000,
        '{"t":' * 100_000,
        '{"t": 1, "mark": "done", "degraded": 1' + "0" * 400 + "}",
        '{"t": 1' + "0" * 400 + ', "mark": "done"}',
        '{"t": 1, "states": {}, "degraded": 1' + "0" * 400 + "}",
        '{"t": 1, "states": {}, "moved": Infinity}',
        '{"t": -1e308, "states": {"\\u0000": 1}, "checks": ["\\u0000"], "degraded": -5}',
        '{"t": 1e308, "mark": "disturbed", "reason": "\\u0000"}',
    ],
)
def test_lie_in_the_log_breaks_no_reader(line: str) -> None:
    log = read_log(log_text() + b"\n" + line.encode() + b"\n")
    assert log.is_complete("osd_out")
    assert "\0" not in log.reason + "".join(text for one in log.samples for text in one.checks)
    assert all(0 <= one.degraded <= 1e18 for one in log.samples)
    client = ClientSeries(np.ones(200))
    document_of(log, "osd_out", "text", client, None)
