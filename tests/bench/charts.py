"""The first chart of a page in Chromium, with an empty cache."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from statistics import median
from typing import Any

from tests.bench.figure import CannotMeasure, Figure, Options, timed
from tests.bench.pages import CASES, archive
from tests.browser.visitor import FLAGS
from tests.browser.visual_check.faults import READY

ROUNDS, LIMIT = 5, 1.5
PAGES = {
    "history": "/history/?workload={workload}",
    "comparison": "/compare/?run={small}",
    "fleet": "/analysis/fleet/?workload={workload}",
}


def measure(options: Options) -> Iterator[Figure]:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        raise CannotMeasure("Chromium is missing: apt-get install chromium.")
    with archive(options, CASES) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, path in PAGES.items():
            address = site.address + path.format(**site.known)
            spent = [_first_chart(browser, site.known["session"], address) for _ in range(ROUNDS)]
            yield Figure(f"charts of {name}, {site.known['cases']:,} cases", median(spent), LIMIT)
        browser.close()


def _first_chart(browser: Any, session: str, address: str) -> float:
    """A context of its own has an empty cache."""
    context = browser.new_context(locale="en-GB")
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page = context.new_page()

    def drawn() -> None:
        page.goto(address, wait_until="commit")
        page.wait_for_selector(".chart .main-svg", state="attached", timeout=60_000)
        page.wait_for_function(READY)

    spent = timed(drawn)
    context.close()
    return spent
