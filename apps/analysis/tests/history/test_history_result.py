"""A history is worked out from readings alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from apps.analysis.history.figures import history_chart, timestamps
from apps.analysis.history.readings import HistoryPoint
from apps.analysis.history.result import config_changes, history_of
from tests.harness.documents import Changes

START = datetime(2026, 3, 1, tzinfo=UTC)


def reading(day: int, value: float = 1000.0, **fields: Any) -> HistoryPoint:
    known: Changes = {
        "measurement": day, "case": day, "run": day, "timed": True, "operation": "read",
        "level": "Host defaults", "target": "node1: sdb",
    }  # fmt: skip
    return HistoryPoint(at=START + timedelta(days=day), value=value, **known | fields)


def of(**properties: str) -> Changes:
    return {"properties": tuple(properties.items())}


def test_repeats_of_a_run_are_one_point_of_the_line() -> None:
    rows = [
        reading(5, 30.0),
        *(reading(0, v, run=1, measurement=m) for m, v in ((1, 10.0), (2, 20.0))),
    ]
    found = history_of([*rows, reading(0, 60.0, run=1, measurement=3)])
    (level,) = found.levels
    assert [(point.run, point.value, point.repeats) for point in level.runs] == [
        (1, 20.0, 3), (5, 30.0, 1),
    ]  # fmt: skip
    assert (level.median, level.latest) == (25.0, 1.5)
    assert [row.value for row in found.readings] == [10.0, 20.0, 60.0, 30.0]
    assert found.last == rows[0]


def test_one_run_is_held_against_nothing() -> None:
    (level,) = history_of([reading(1)]).levels
    assert level.latest is None
    assert (history_of([]).levels, history_of([]).last) == ((), None)


def test_tunings_stand_by_name() -> None:
    rows = [reading(n, level=f"depth {n}") for n in (10, 2)]
    assert [level.label for level in history_of(rows).levels] == ["depth 2", "depth 10"]


def test_what_changed_is_marked_where_it_is_first_seen() -> None:
    rows = [
        reading(1, **of(kernel="6.1.0-18", tool="fio-3.33")),
        reading(2, **of(kernel="6.1.0-22", tool="fio-3.33")),
        reading(3, **of(kernel="6.1.0-22", tool="fio-3.36")),
    ]
    assert [(m.at, m.what, m.before, m.after, m.run) for m in config_changes(rows)] == [
        (rows[1].at, "kernel", "6.1.0-18", "6.1.0-22", 2),
        (rows[2].at, "tool", "fio-3.33", "fio-3.36", 3),
    ]


def test_targets_are_tracked_separately_and_unknown_is_no_change() -> None:
    rows = [
        reading(1, **of(kernel="5.10")),
        reading(2, target="node2: sdb", **of(kernel="6.1")),
        reading(3, **of(tool="fio-3.33")),
        reading(4, **of(kernel="5.10")),
    ]
    assert config_changes(rows) == []


def test_a_day_of_import_is_no_place_in_an_order() -> None:
    rows = [
        reading(1, **of(tool="fio-3.33")),
        reading(2, timed=False, **of(tool="fio-2.1")),
        reading(3, **of(tool="fio-3.33")),
    ]
    assert config_changes(rows) == []


def test_the_chart_has_dots_and_a_line_a_tuning_and_numbered_changes() -> None:
    rows = [
        reading(1, 2_000_000.0, **of(kernel="a", tool="1")),
        reading(2, 3_000_000.0, timed=False),
        reading(3, 4_000_000.0, level="none", **of(kernel="b", tool="2")),
    ]
    found = history_of(rows)
    figure = history_chart(found, metric="latency_p99")
    assert [(trace["name"], trace["mode"]) for trace in figure["data"]] == [
        ("Host defaults", "markers"), ("Host defaults", "lines+markers"),
        ("none", "markers"), ("none", "lines+markers"),
    ]  # fmt: skip
    assert figure["data"][0]["y"] == [2.0, 3.0]
    assert figure["data"][0]["marker"]["symbol"] == ["circle", "circle-open"]
    assert figure["layout"]["yaxis"]["title"]["text"].endswith("(ms)")
    assert timestamps(found.marks) == [(rows[2].at, "1-2")]
    (line,) = figure["layout"]["shapes"]
    assert (line["x0"], line["yref"]) == (rows[2].at.isoformat(), "paper")
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["1-2"]
    assert (figure["shown"], figure["total"]) == (3, 3)


def test_many_results_are_downsampled_with_a_note() -> None:
    found = history_of(reading(n) for n in range(4_000))
    figure = history_chart(found, metric="iops")
    assert (figure["shown"], figure["total"]) == (1_500, 4_000)
