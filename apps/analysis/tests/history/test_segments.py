"""Changes of a history: what they are, what is said of them, what changed in the lab meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from apps.analysis.history.analysis import change_points_table, headline
from apps.analysis.history.change_text import change_point_text, changed_text
from apps.analysis.history.figures import history_chart
from apps.analysis.history.readings import HistoryPoint
from apps.analysis.history.result import History, history_of
from apps.common.domain.verdicts import VerdictKind

START = datetime(2026, 3, 1, tzinfo=UTC)
MS = 1_000_000.0


def reading(day: int, value: float, kernel: str = "", *, timed: bool = True) -> HistoryPoint:
    return HistoryPoint(
        measurement=day,
        case=day,
        run=day,
        at=START + timedelta(days=day),
        timed=timed,
        operation="read",
        value=value,
        level="Host defaults",
        target="node1: sdb",
        properties=(("kernel", kernel),) if kernel else (),
    )


def wave(day: int) -> float:
    """Noise of 2 % that is the same each time."""
    return 1 + 0.02 * ((day * 7 % 11) - 5) / 5


def slower(at: int = 11, kernel_at: int = 11) -> History:
    """Thirty days, the latency half as much again from `at` on, a kernel from `kernel_at` on."""
    return history_of(
        reading(
            day, MS * wave(day) * (1.5 if day >= at else 1), "6.6" if day >= kernel_at else "6.1"
        )
        for day in range(30)
    )


def test_a_change_says_since_when_how_much_and_what_else_changed() -> None:
    (point,) = slower().change_points
    assert point.after.first.run == 11
    assert (point.before.runs, point.after.runs) == (11, 19)
    assert 1.45 < point.ratio < 1.55
    words = change_point_text(point, "latency_p99")
    assert words.startswith("Host defaults: since 12 March 2026 Latency p99 is 50 % higher (")
    assert words.endswith("; that day the kernel went from 6.1 to 6.6.")
    (texts,) = headline(slower(), "latency_p99", network=False)
    assert (texts.text, texts.kind) == (words, VerdictKind.WORSE)
    (texts,) = headline(slower(), "iops", network=False)
    assert texts.kind is VerdictKind.BETTER


def test_medians_have_exact_intervals_from_six_runs_on() -> None:
    (point,) = slower().change_points
    for segment in (point.before, point.after):
        assert segment.median_interval is not None
        low, high = segment.median_interval
        assert low < segment.median < high
    few = history_of(reading(day, MS * wave(day)) for day in range(5))
    assert few.levels[0].segments[0].median_interval is None


def test_the_level_sentence_has_no_values() -> None:
    (level,) = slower().levels
    text = changed_text(level)
    assert "12 March 2026" in text
    assert "ms" not in text
    assert "%" not in text


def test_what_changed_near_it_is_named_with_its_day() -> None:
    (point,) = slower(kernel_at=9).change_points
    assert change_point_text(point, "latency_p99").endswith(
        "; on 10 March 2026 the kernel went from 6.1 to 6.6."
    )
    (point,) = slower(kernel_at=25).change_points
    assert point.marks == ()
    assert "kernel" not in change_point_text(point, "latency_p99")


def test_without_a_change_the_last_run_is_a_finding() -> None:
    history = history_of(reading(day, MS * wave(day)) for day in range(30))
    assert history.change_points == ()
    (texts,) = headline(history, "latency_p99", network=False)
    assert texts.kind is None
    assert "no change in 30 runs" in texts.text
    assert change_points_table(history, "latency_p99", network=False).rows == ()


def test_runs_without_measurement_time_change_nothing() -> None:
    history = history_of(
        reading(day, MS * wave(day) * (2 if day >= 15 else 1), timed=day < 15) for day in range(30)
    )
    assert history.change_points == ()
    assert history.levels[0].segments[0].runs == 15


def test_the_band_holds_nearly_all_runs_between_changes() -> None:
    (level,) = slower().levels
    for stretch in level.segments:
        own = [p.value for p in level.runs if stretch.first.at <= p.at <= stretch.last.at]
        inside = [value for value in own if stretch.low <= value <= stretch.high]
        assert len(inside) >= 0.9 * len(own)
    shapes = history_chart(slower(), metric="latency_p99")["layout"]["shapes"]
    assert [shape["type"] for shape in shapes] == ["rect", "line", "rect", "line", "line"]


def test_the_arrow_says_how_much() -> None:
    arrows = [
        one
        for one in history_chart(slower(), metric="latency_p99")["layout"]["annotations"]
        if one.get("arrowhead")
    ]
    assert [one["text"] for one in arrows] == ["+50 %"]
