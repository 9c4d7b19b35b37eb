"""Faults that `bin/visual-check` detects."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from tests.browser.visual_check.faults import FACTS, faults

CHROMIUM = shutil.which("chromium")
FINE: dict[str, Any] = {
    "wider": 0, "tilted": [], "empty": [], "cut": [], "crossing": 0, "flat": 0, "headlines": 1,
    "charts": 1,
}  # fmt: skip
CHART = """<div class="chart" id="one" style="width: 300px"><div class="js-plotly-plot">
<svg class="main-svg" width="300" height="200"><rect class="nsewdrag" width="200" height="150"/>
<g class="xaxislayer-above">{ticks}</g></svg></div></div>"""
TICK = '<g class="xtick"><text x="{x}" y="180" {more}>{text}</text></g>'


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"wider": 3}, "it is 3 px wider than the screen"),
        ({"tilted": ["4 KiB"]}, "labels are tilted: 4 KiB"),
        ({"cut": ["host"]}, "labels are cut off: host"),
        ({"crossing": 2}, "2 labels of an axis lie over each other"),
        ({"empty": ["ranking"]}, "charts are empty: ranking"),
        ({"flat": 1}, "1 charts are lower than 60 px"),
        ({"headlines": 0}, "it has no headline"),
        ({"charts": 0}, "it has no chart"),
    ],
)
def test_faults_with_a_faulty_page_yield_one_sentence(facts: dict[str, Any], sentence: str) -> None:
    assert list(faults("fleet", FINE, [])) == []
    assert list(faults("fleet", FINE | facts, [])) == [sentence]
    assert list(faults("fleet", FINE, ["no such file"])) == ["browser error: no such file"]
    assert list(faults("home", FINE | {"headlines": 0, "charts": 0}, [])) == []


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_facts_of_a_faulty_page_in_chromium_name_its_faults() -> None:
    from playwright.sync_api import sync_playwright

    tilted = TICK.format(x=20, text="4 KiB", more='transform="rotate(30,20,180)"')
    over = TICK.format(x=100, text="16 KiB", more="") + TICK.format(x=110, text="64 KiB", more="")
    cut = TICK.format(x=280, text="1024 KiB", more="")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 600})
        page.set_content(CHART.format(ticks=tilted + over + cut))
        found = page.evaluate(FACTS)
        page.set_content('<p class="result-headline">Yes.</p><div style="width: 500px">-</div>')
        other = page.evaluate(FACTS)
        browser.close()
    assert (found["tilted"], found["crossing"], found["cut"]) == (["4 KiB"], 1, ["1024 KiB"])
    assert (found["empty"], found["flat"], found["headlines"], found["charts"]) == (
        ["one"],
        0,
        0,
        1,
    )
    assert (other["wider"] > 0, other["headlines"], other["charts"]) == (True, 1, 0)
