"""The figure filters: the other unit on hover, an honest dash where nothing was measured."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.template import Context, Template

from apps.common.templatetags import benchlab_format as fmt

NOW = datetime(2026, 11, 21, 3, 22, 13, tzinfo=UTC)


def render(source: str, **values: object) -> str:
    return Template("{% load benchlab_format %}" + source).render(Context(values))


def test_bandwidth_shows_binary_and_offers_decimal() -> None:
    html = render("{{ v|bandwidth }}", v=1024 * 2**20)
    assert html == '<span class="figure" title="1,073.7 MB/s">1,024.0 MiB/s</span>'


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("bandwidth_both", 1024 * 2**20, "1,024.0 MiB/s (1,073.7 MB/s)"),
        ("network", 1.25e9, "10.00 Gbit/s (1,250.0 MB/s)"),
        ("iops", 131072, "131,072 IOPS"),
        ("latency", 97_213, "97.21 µs"),
        ("bytes", 4096, "4 KiB"),
        ("duration", 303, "5 min 3 s"),
        ("count", 1234, "1,234"),
        ("ratio", 1.032, "+3.2 %"),
        ("share", 0.97, "97.0 %"),
    ],
)
def test_each_filter_gives_its_unit(name: str, value: float, text: str) -> None:
    assert f">{text}</span>" in render(f"{{{{ v|{name} }}}}", v=value)


FILTERS = [fmt.bandwidth, fmt.bandwidth_both, fmt.network, fmt.iops, fmt.latency, fmt.bytes_]
FILTERS += [fmt.duration, fmt.count, fmt.ratio, fmt.share]


@pytest.mark.parametrize("filter_", FILTERS)
@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_no_figure_is_a_dash_with_words(filter_: fmt.FigureFilter, value: float | None) -> None:
    html = filter_(value)
    assert "–" in html
    assert 'title="no figure"' in html
    assert '<span class="visually-hidden">no figure</span>' in html


@pytest.mark.parametrize("filter_", FILTERS)
def test_zero_is_a_figure(filter_: fmt.FigureFilter) -> None:
    assert "missing" not in filter_(0)


@pytest.mark.parametrize(
    ("unit", "text"),
    [("B/s", "1.465 KiB/s"), ("1/s", "1,500 IOPS"), ("ns", "1.500 µs"), ("%", "1,500 %")],
)
def test_figure_follows_the_stored_unit(unit: str, text: str) -> None:
    assert f">{text}</span>" in fmt.figure(1500, unit)


def test_missing_says_why_and_escapes_it() -> None:
    html = render("{% missing reason %}", reason="<b>dd</b> does not say")
    assert "&lt;b&gt;dd&lt;/b&gt; does not say" in html
    assert "<b>" not in html


def test_when_is_utc_with_the_age_left_to_the_browser() -> None:
    east = NOW.astimezone(timezone(timedelta(hours=8)))
    assert fmt.when(east) == (
        '<time class="figure" datetime="2026-11-21T03:22:13+00:00" data-ago="title">'
        "2026-11-21 03:22:13 UTC</time>"
    )


def test_ago_has_the_time_itself_on_hover() -> None:
    html = fmt.ago(NOW)
    assert 'title="2026-11-21 03:22:13 UTC" data-ago="text"' in html


def test_no_time_says_not_yet_or_never() -> None:
    assert "not yet" in fmt.when(None)
    assert "never" in fmt.ago(None)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        fmt.when(datetime(2026, 11, 21))
