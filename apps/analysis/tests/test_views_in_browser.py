"""Each view in a real browser, of an archive that has something for it: its chart is drawn with
points, and the browser has nothing to say against the page.
"""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import Page, ViewportSize

from apps.accounts.models import User
from apps.analysis.registry import VIEWS
from apps.analysis.tests.archive import archive_fill
from tests.browser.rendered_pages import CHROMIUM, render_pages, served
from tests.browser.visitor import chromium

PHONE = ViewportSize(width=390, height=844)
WITHOUT_A_CHART = {"config-diff"}
OF_A_REPORT = {"medians"}
"""Rooms whose answer stands in the report of a run."""
SEEN = """[...document.querySelectorAll(".chart")].filter((one) => one.checkVisibility())"""
DRAWN = f"""() => {SEEN}.map(
  (one) => (one.querySelector(".js-plotly-plot")?.calcdata ?? []).flat().length)"""
TILTED = r"""[...document.querySelectorAll(".xtick text")].filter(
  (one) => /rotate\((?!0[,)])/.test(one.getAttribute("transform") ?? "")).length"""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.mark.django_db
def test_every_view_draws_what_it_shows(owner: User, viewer_client: Client) -> None:
    addresses = archive_fill(owner)
    assert set(VIEWS) <= {*addresses, *OF_A_REPORT}
    bodies = render_pages(viewer_client, addresses.values())
    with served(bodies) as site, chromium(str(CHROMIUM)) as browser:
        page = browser.new_page(base_url=site)
        texts: list[str] = []
        page.on("console", lambda line: texts.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: texts.append(str(error)))
        for view, path in addresses.items():
            _opened(page, path)
            drawn = page.evaluate(DRAWN)
            assert bool(drawn) == (view not in WITHOUT_A_CHART), view
            assert all(drawn), (view, drawn)
            assert texts == [], view
        page.set_viewport_size(PHONE)
        for view in ("compare", "fleet", "bottleneck", "distribution"):
            _opened(page, addresses[view])
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, view
            assert page.evaluate(TILTED) == 0, view
        legend, plot = _places(page)
        assert legend["top"] > plot["bottom"]
        assert plot["height"] > 150


def _opened(page: Page, path: str) -> None:
    """The page with all its charts drawn."""
    page.goto(path)
    page.wait_for_function("""() => !document.querySelector("[data-deferred]")""")
    page.wait_for_function(f"() => {SEEN}.every((one) => one.querySelector('.main-svg'))")


def _places(page: Page) -> list[dict[str, float]]:
    """The boxes of the first chart's legend and of its plot."""
    found: list[dict[str, float]] = page.evaluate(
        """() => [".legend", ".nsewdrag"].map(
          (name) => document.querySelector(`.chart ${name}`).getBoundingClientRect().toJSON())"""
    )
    return found
