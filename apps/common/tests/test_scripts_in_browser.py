"""The shared scripts in a real browser: polling, live streams, charts, confirmations, the theme.

Chromium asks only an address that answers from this file and from static/: no server, no network.
"""

from __future__ import annotations

import json
import mimetypes
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
STATIC = Path(settings.BASE_DIR) / "static"
SITE = "http://benchlab.test"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'"
)
HEAD = """<!doctype html><html lang="en"><head><script src="/static/js/lib/theme.js"></script>
<script src="/static/vendor/htmx/htmx.min.js" defer></script>
<script src="/static/vendor/idiomorph/idiomorph-ext.min.js" defer></script>
<script type="module" src="/static/js/lib/site.js"></script></head><body>"""
FIGURE = {"data": [{"x": [0, 1, 2], "y": [1, 3, 2]}], "layout": {}, "shown": 3, "total": 4000}
CHART = """<div data-chart id="c" data-figure-url="/figure" data-zoom="1"
  data-plotly="/static/vendor/plotly/plotly-cartesian.min.js" data-note="{shown} of {total} shown">
  <div class="chart-plot" style="width: 400px; height: 300px"></div><div class="chart-note"></div>
  <div data-chart-loading>wait</div><div data-chart-error hidden><span data-chart-reason></span>
  <button data-chart-retry>again</button></div></div>"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
Answer = Callable[[Route], None]


class Site:
    """One page and the answers to what it asks, by path."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.answers: dict[str, Answer] = {}
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self.answer)

    def answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE).split("?")[0]
        if path.startswith("/static/"):
            kind = mimetypes.guess_type(path)[0] or "text/plain"
            route.fulfill(path=STATIC / path.removeprefix("/static/"), content_type=kind)
            return
        self.asked.append(route.request.url.removeprefix(SITE))
        self.answers[path](route)

    def open(self, body: str) -> Page:
        headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html"}
        self.answers["/"] = lambda route: route.fulfill(headers=headers, body=HEAD + body)
        self.page.goto(f"{SITE}/")
        return self.page

    def wait_for_requests(self, word: str, times: int) -> None:
        """Until so many requests had this word in their address."""
        for _ in range(300):
            if sum(word in asked for asked in self.asked) >= times:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"asked only {self.asked}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def site(browser: Browser) -> Iterator[Site]:
    opened = Site(browser.new_page())
    yield opened
    opened.page.close()
    assert opened.errors == []


def wait_until(page: Page, condition: str) -> None:
    """Playwright's own waiting evaluates strings in the page, which the policy forbids."""
    for _ in range(300):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never true: {condition}")


def test_polling_sends_the_tag_says_when_it_is_stale_and_stops(site: Site) -> None:
    tags: list[str | None] = []

    def progress(route: Route) -> None:
        tags.append(route.request.headers.get("if-none-match"))
        if len(tags) == 1:
            route.fulfill(headers={"ETag": '"a"'}, body="<p>half</p>")
        elif len(tags) == 2:
            route.fulfill(status=304)
        elif len(tags) == 3:
            route.abort()
        else:
            route.fulfill(status=286, body="<p>done</p>")

    site.answers["/progress"] = progress
    page = site.open('<div id="p" data-poll-url="/progress" data-poll-seconds="1">start</div>')
    page.wait_for_selector("#p[data-stale*='UTC'] >> text=half")
    page.wait_for_selector("#p:not([data-stale]) >> text=done")
    page.wait_for_timeout(1500)
    assert tags == [None, '"a"', '"a"', '"a"']


def test_a_poll_leaves_boxes_as_somebody_left_them(site: Site) -> None:
    """A group of cases that was opened does not fold again; one nobody touched is the server's."""
    boxes = (
        '<input type="checkbox" id="a"><input type="checkbox" id="c"><input type="checkbox" id="b"'
    )
    site.answers["/groups"] = lambda route: route.fulfill(body=boxes + " checked><i>2</i>")
    page = site.open(
        f'<div id="p" data-poll-url="/groups" data-poll-seconds="3">{boxes}><i>1</i></div>'
    )
    page.check("#a")
    page.check("#c")  # the one with the focus would stay anyway
    page.wait_for_selector("#p >> text=2")
    assert page.is_checked("#a")
    assert page.is_checked("#b")


def test_a_chart_is_drawn_says_what_it_left_out_and_has_no_share_button(site: Site) -> None:
    site.answers["/figure"] = lambda route: route.fulfill(body=json.dumps(FIGURE))
    page = site.open(CHART)
    page.wait_for_selector("text=3 of 4,000 shown")
    buttons = page.eval_on_selector_all(
        ".modebar-btn", "all => all.map(button => button.dataset.title)"
    )
    assert buttons
    assert not [title for title in buttons if "hare" in title or "Plotly" in title]


def test_a_zoom_asks_for_that_part(site: Site) -> None:
    site.answers["/figure"] = lambda route: route.fulfill(body=json.dumps(FIGURE))
    page = site.open(CHART)
    page.wait_for_selector("text=3 of 4,000 shown")
    page.evaluate("Plotly.relayout(document.querySelector('.chart-plot'), {'xaxis.range': [0, 1]})")
    site.wait_for_requests("figure", 2)
    page.evaluate(
        "Plotly.relayout(document.querySelector('.chart-plot'), {'xaxis.autorange': true})"
    )
    site.wait_for_requests("figure", 3)
    assert [ask for ask in site.asked if "figure" in ask] == [
        "/figure",
        "/figure?from=0&to=1",
        "/figure",
    ]


DRAWN = {
    "data": [
        {
            "name": "=1+1", "mode": "markers", "x": [1.5, 3], "y": [0, 0.9], "text": ["a<br>b", ""],
            "error_x": {"type": "data", "array": [0.5, None], "arrayminus": [0.25, None]},
        },
        {"name": "<b>cells</b>, two", "type": "heatmap", "x": ["4 KiB", "1 MiB"], "y": [0],
         "z": [[-1, 0]], "customdata": [[0.1, 1]], "colorbar": {"title": {"text": "%"}}},
    ],
    "layout": {
        "xaxis": {"title": {"text": "Latency (ms)"}},
        "yaxis": {"tickvals": [0, 1], "ticktext": ["deadline", "none"]},
    },
}  # fmt: skip
SERIES = [
    "series,Latency (ms),y,low,high,value (%),note,drawn as",
    "'=1+1,1.5,deadline,1.25,2,,a b,markers",
    "'=1+1,3,none,,,,,markers",
    '"cells, two",4 KiB,deadline,,,0.1,,heatmap',
    '"cells, two",1 MiB,deadline,,,1,,heatmap',
]
FILES = """<div class="chart-files" data-chart-files hidden><button data-chart-file="png">p</button>
  <button data-chart-file="svg">s</button><button data-chart-file="csv">d</button></div></div>"""


def test_a_chart_is_taken_along_as_picture_and_as_data(site: Site) -> None:
    site.answers["/figure"] = lambda route: route.fulfill(body=json.dumps(DRAWN))
    chart = CHART.removesuffix("</div>").replace('plot"', 'plot" aria-label="Reads & writes"')
    page = site.open(chart + FILES)
    found: dict[str, bytes] = {}
    for kind in ("png", "svg", "csv"):
        with page.expect_download() as waited:
            page.click(f"[data-chart-file={kind}]")
        assert waited.value.suggested_filename == f"benchlab-c.{kind}"
        found[kind] = Path(waited.value.path()).read_bytes()
    assert found["png"].startswith(b"\x89PNG")
    assert b"Reads &amp; writes" in found["svg"]
    assert found["csv"].decode().split("\r\n") == [*SERIES, ""]


def test_a_chart_that_cannot_be_had_says_so_and_tries_again(site: Site) -> None:
    site.answers["/figure"] = lambda route: route.fulfill(status=503)
    page = site.open(CHART)
    page.wait_for_selector("[data-chart-error]:not([hidden]) >> text=503")
    site.answers["/figure"] = lambda route: route.fulfill(body=json.dumps(FIGURE))
    page.click("[data-chart-retry]")
    page.wait_for_selector("text=3 of 4,000 shown")
    assert not page.is_visible("[data-chart-error]")


def test_the_theme_follows_the_system_until_it_is_chosen(site: Site) -> None:
    page = site.open("<button data-theme-toggle>theme</button>")
    theme = "document.documentElement.dataset.bsTheme"
    assert page.evaluate(theme) == "light"
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("html[data-bs-theme=dark]")
    page.click("[data-theme-toggle]")
    page.reload()
    assert page.evaluate(theme) == "light"
    page.click("[data-theme-toggle]")
    assert page.evaluate("localStorage.length") == 0


def test_a_table_wider_than_its_card_is_reached_by_the_keyboard(site: Site) -> None:
    page = site.open(
        """<div class="table-responsive" id="wide" style="width: 300px; overflow: auto">
        <table style="width: 900px"><tr><td>1</td></tr></table></div>
        <div class="table-responsive" id="fits" style="width: 300px; overflow: auto">
        <table style="width: 100px"><tr><td>2</td></tr></table></div>"""
    )
    wide, fits = page.locator("#wide"), page.locator("#fits")
    expect(wide).to_have_attribute("tabindex", "0")
    expect(fits).not_to_have_attribute("tabindex", "0")
    page.keyboard.press("Tab")
    expect(wide).to_be_focused()
    page.keyboard.press("Tab")
    expect(fits).not_to_be_focused()
    page.locator("#wide table").evaluate("table => { table.style.width = '200px' }")
    page.locator("#fits table").evaluate("table => { table.style.width = '700px' }")
    expect(fits).to_have_attribute("tabindex", "0")
    expect(wide).not_to_have_attribute("tabindex", "0")
    assert not site.errors


def test_a_table_below_the_screen_is_reached_by_the_keyboard(site: Site) -> None:
    page = site.open(
        """<div style="height: 9000px"></div><section class="card">
        <div class="table-responsive" id="wide" style="width: 300px"><table style="width: 900px">
        <tr><td>1</td></tr></table></div></section>"""
    )
    expect(page.locator("#wide")).to_have_attribute("tabindex", "0")
    page.keyboard.press("Tab")
    expect(page.locator("#wide")).to_be_focused()


def test_a_form_with_a_word_opens_only_for_that_word(site: Site) -> None:
    page = site.open(
        '<form data-confirm="?" data-confirm-word="sda" data-confirm-short="a">'
        '<input name="confirm">'
        '<button type="submit">wipe</button></form>'
    )
    page.wait_for_selector("button:disabled")
    page.fill("input", "sdb")
    assert page.is_disabled("button")
    for word in ("sda", "a"):
        page.fill("input", word)
        assert page.is_enabled("button")


def test_a_refused_question_sends_nothing(site: Site) -> None:
    site.page.on("dialog", lambda dialog: dialog.dismiss())
    page = site.open('<form action="/stop" data-confirm="Stop?"><button>stop</button></form>')
    page.wait_for_load_state("networkidle")
    page.click("button")
    page.wait_for_timeout(300)
    assert site.asked == ["/"]
