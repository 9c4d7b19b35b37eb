"""A history of a whole lab: many tunings and places on one page."""

from __future__ import annotations

from apps.analysis.history.analysis import MAX_FINDINGS, headline
from apps.analysis.history.figures import MAX_LEVELS, history_chart
from apps.analysis.history.result import History, history_of, top_levels
from apps.analysis.tests.history.test_history_result import reading
from apps.common.domain.charts import GREY


def lab(levels: int) -> History:
    """Levels of two runs each, two days apart; the last three have three."""
    return history_of(
        reading(n + levels * turn, level=f"disk {n}")
        for n in range(levels)
        for turn in range(3 if n >= levels - 3 else 2)
    )


def test_chart_has_lines_for_top_levels_and_grey_dots_for_others() -> None:
    others, *own = history_chart(lab(MAX_LEVELS + 10), metric="iops")["data"]
    assert (others["name"], others["marker"]["color"]) == ("10 others", GREY)
    assert len(others["x"]) == 20
    assert others["text"][0].startswith("disk 21 #")
    named = [trace["name"] for trace in own]
    assert named[::2] == named[1::2]
    assert named[::2] == [f"disk {n}" for n in (*range(21), 31, 32, 33)]


def test_lines_up_to_the_limit_have_distinct_styles() -> None:
    figure = history_chart(lab(MAX_LEVELS), metric="iops")
    assert len(figure["data"]) == 2 * MAX_LEVELS
    assert figure["shown"] == figure["total"] == 2 * MAX_LEVELS + 3


def test_of_many_lines_changed_ones_have_a_finding_each() -> None:
    texts = headline(lab(40), "iops", network=False)
    assert [one.text for one in texts] == ["No change in 40 lines: the table of tunings has all."]
    assert len(headline(lab(MAX_FINDINGS), "iops", network=False)) == MAX_FINDINGS
    quiet = [reading(n, level=f"disk {n % 20}") for n in range(40)]
    jump = [reading(100 + n, level="disk x", value=9.0 if n < 10 else 30.0) for n in range(20)]
    texts = headline(history_of([*quiet, *jump]), "iops", network=False)
    assert [one.text.partition(":")[0] for one in texts] == [
        "disk x",
        "No change in 20 lines",
    ]


def test_changes_beyond_a_dozen_are_counted() -> None:
    many = [
        reading(100 * level + n, level=f"disk {level}", value=9.0 if n < 10 else 30.0)
        for level in range(MAX_FINDINGS + 2)
        for n in range(20)
    ]
    texts = headline(history_of(many), "iops", network=False)
    assert [one.text for one in texts[MAX_FINDINGS:]] == ["2 further lines changed."]


def test_top_levels_keep_their_order() -> None:
    assert [level.label for level in top_levels(lab(9).levels, 4)] == [
        "disk 0", "disk 6", "disk 7", "disk 8",
    ]  # fmt: skip
