"""What a person sees of a run, of its cases and of a comparison."""

from __future__ import annotations

import hashlib
import re

from playwright.sync_api import Locator, expect

from tests.browser.visitor import Visitor

LIVE = re.compile(r"(read|write) [\d,.]+ ")
NUMBER = r"[\d,.]+"
RUN_SECONDS = 90


def watch(visitor: Visitor, cases: int) -> None:
    """Live figures appear, then the count of ended cases moves, then the run has succeeded."""
    page = visitor.page
    expect(page.locator("[data-panel=iops]")).to_contain_text(LIVE)
    expect(page.locator("[data-panel=iops] canvas")).to_have_count(1)
    expect(page.locator("#run-status")).to_contain_text("Running now")
    expect(page.locator("#run-events")).to_contain_text("1")
    visitor.judge()
    some = re.compile(rf"\b[1-{cases - 1}] of {cases} cases")
    expect(page.locator("#run-status .run-line")).to_contain_text(some, timeout=60_000)
    bar = page.locator("#run-status [role=progressbar]")
    assert 0 < int(bar.get_attribute("aria-valuenow") or 0) < 100
    done = page.locator("#run-status .state[data-state=succeeded]")
    expect(done).to_be_visible(timeout=RUN_SECONDS * 1000)
    expect(page.locator("#run-status .run-line")).to_contain_text(f"{cases} of {cases} cases")


def read_cases(visitor: Visitor, cases: int) -> None:
    """The table of cases has a figure with its unit in every row, once its groups are opened. The
    page is asked for anew when all cases have ended in it: its last poll folds what is open.
    """
    rows = "#run-cases tbody tr:not(.case-group)"
    ended = visitor.page.locator(f"{rows} .state[data-state=succeeded]")
    expect(ended).to_have_count(cases, timeout=30_000)
    visitor.page.reload()
    for fold in visitor.page.locator("#run-cases .case-fold input").all():
        fold.check()
    table = visitor.page.locator(rows)
    expect(table).to_have_count(cases)
    expect(table.locator("td:nth-child(5)").first).to_contain_text(re.compile(NUMBER))
    for text in table.locator("td:nth-child(6)").all_inner_texts():
        # Below the mean stands the most, where the test has a series.
        mean = text.strip().partition("\n")[0]
        assert re.fullmatch(rf"{NUMBER} [KMG]i?B/s", mean), text
    for text in table.locator("td:nth-child(7)").all_inner_texts():
        assert re.fullmatch(rf"{NUMBER} (ns|µs|ms|s)", text.strip()), text


def open_case(visitor: Visitor) -> None:
    """Its figures with their units, its distribution drawn, its raw output as it was."""
    page = visitor.page
    page.locator("#run-cases tbody tr:not(.case-group) a").first.click()
    figures = page.locator(".figure-table").first
    expect(figures.get_by_role("row").filter(has_text="Bandwidth")).to_contain_text("MiB/s")
    expect(figures.get_by_role("row", name=re.compile(r"^p99\.99 "))).to_contain_text(
        re.compile(rf"{NUMBER} (µs|ms)")
    )
    drawn(page.locator("#chart-percentiles"))
    drawn(page.locator("#chart-time"))
    visitor.judge_in_both_themes()
    _raw_output_is_whole(visitor)


def _raw_output_is_whole(visitor: Visitor) -> None:
    row = visitor.page.get_by_role("row").filter(has_text="result.json")
    with visitor.page.expect_download() as waiting:
        row.get_by_role("link").click()
    content = waiting.value.path().read_bytes()
    assert b'"fio version"' in content
    assert hashlib.sha256(content).hexdigest() in row.inner_text()


def drawn(chart: Locator) -> None:
    """Plotly has drawn at least one line, bar or point."""
    chart.scroll_into_view_if_needed()
    expect(chart.locator(".main-svg").first).to_be_visible()
    shapes = chart.locator(".main-svg .trace path, .main-svg .errorbar path")
    expect(shapes.first).to_be_attached()
    expect(chart.locator("[data-chart-error]")).to_be_hidden()


def compare(visitor: Visitor) -> None:
    """From the run's page: what is said of two repeats, and the charts."""
    page = visitor.page
    page.go_back()
    page.locator("#run-status").get_by_role("link", name="Compare").click()
    answer = page.locator(".result")
    expect(answer).to_contain_text(re.compile("too few repeats", re.IGNORECASE))
    assert not answer.locator(".state[data-state=better], .state[data-state=worse]").count()
    drawn(page.locator("#bars"))
    drawn(page.locator("#forest"))
    visitor.judge_in_both_themes()


def address_keeps_the_choice(visitor: Visitor) -> None:
    """The metric of the chart and the opened workload are there again after a reload."""
    page = visitor.page
    page.get_by_label("Metric of the chart").select_option(index=1)
    chosen = page.get_by_label("Metric of the chart").input_value()
    page.locator(".matrix a").first.click()
    page.locator("details.distribution summary").first.click()
    drawn(page.locator("details.distribution .chart").first)
    page.reload()
    expect(page.get_by_label("Metric of the chart")).to_have_value(chosen)
    expect(page.locator("details.distribution[open]")).to_have_count(1)
    drawn(page.locator("details.distribution[open] .chart").first)
    visitor.judge()


def lay_over(visitor: Visitor, run: str) -> None:
    """Cases chosen on the run's page are seen over time and as facts; the ceiling of one disk says
    why there is none.
    """
    page = visitor.open(f"/runs/{run}/")
    for fold in page.locator("#run-cases .case-fold input").all():
        fold.check()
    chosen = page.locator("#run-cases input[form=chosen-cases]")
    chosen.nth(0).check()
    chosen.nth(1).check()
    page.get_by_role("button", name="Over time").click()
    expect(page).to_have_url(re.compile(r"/analysis/timeseries/\?case=\d+&case=\d+"))
    drawn(page.locator(".chart").first)
    visitor.judge_in_both_themes()
    visitor.open(f"/analysis/config-diff/?run={run}")
    expect(page.locator("#content table").first).to_be_visible()
    visitor.judge_in_both_themes()
    visitor.open(f"/analysis/bottleneck/?run={run}")
    expect(page.locator("#content")).to_contain_text("group")
    visitor.judge()


def keep_report(visitor: Visitor, run: str) -> None:
    """The run's report is kept; its answers come one by one, until none is waited for."""
    page = visitor.open(f"/runs/{run}/")
    page.get_by_role("button", name="Share").click()
    expect(page).to_have_url(re.compile(r"/reports/\d+/"))
    drawn(page.locator(".chart").first)
    expect(page.locator("[data-deferred]")).to_have_count(0)
    visitor.judge_in_both_themes()
