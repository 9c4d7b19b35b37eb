"""The command palette in a real browser: keys, filter, suggestions, and a narrow screen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Browser, Page, expect

from apps.common.tests.test_page_shell import shell_urls, user
from apps.common.tests.test_scripts_in_browser import Site, browser

__all__ = ["browser", "shell_urls"]  # fixtures of every test here
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed"),
]
ROW = '<a role="option" aria-selected="false" id="hit" href="/hosts/?name=node-a">node-a</a>'


@pytest.fixture
def site(browser: Browser) -> Iterator[Site]:
    site = Site(browser.new_page(viewport={"width": 390, "height": 800}))
    site.answers["/search/suggestions/"] = lambda route: route.fulfill(body=ROW)
    for path in ("/plans/new/", "/hosts/", "/search/"):
        site.answers[path] = lambda route: route.fulfill(body="<p>opened</p>")
    yield site
    site.page.close()
    assert site.errors == []


def opened(site: Site) -> Page:
    context = {"request": RequestFactory().get("/"), "csrf_token": "token"}
    html = render_to_string("base.html", {**context, "user": user(is_operator=True)})
    site.answers["/"] = lambda route: route.fulfill(body=html, content_type="text/html")
    site.page.goto("http://benchlab.test/")
    return site.page


@pytest.mark.parametrize("key", ["Control+k", "/"])
def test_key_opens_the_palette_and_escape_closes_it(site: Site, key: str) -> None:
    page = opened(site)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_hidden()
    page.keyboard.press(key)
    expect(page.get_by_role("combobox")).to_be_focused()
    expect(page.get_by_role("option", name="New plan")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_typed_words_filter_pages_and_enter_opens_the_first(site: Site) -> None:
    page = opened(site)
    page.keyboard.press("Control+k")
    page.keyboard.type("new pl")
    expect(page.get_by_role("option", name="New plan")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("option", name="Hosts")).to_be_hidden()
    page.keyboard.press("Enter")
    page.wait_for_url("**/plans/new/")


def test_arrow_keys_reach_a_suggestion(site: Site) -> None:
    page = opened(site)
    page.keyboard.press("/")
    page.keyboard.type("host")
    expect(page.get_by_role("option", name="node-a")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("combobox")).to_have_attribute("aria-activedescendant", "hit")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hosts/?name=node-a")


def test_search_field_opens_the_palette_on_a_narrow_screen(site: Site) -> None:
    page = opened(site)
    page.get_by_role("link", name="Search").click()
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert (box["x"] >= 0, box["x"] + box["width"] <= 390) == (True, True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_words_without_an_option_open_the_search_page(site: Site) -> None:
    site.answers["/search/suggestions/"] = lambda route: route.fulfill(body="")
    page = opened(site)
    page.keyboard.press("/")
    page.keyboard.type("nowhere")
    expect(page.get_by_role("status")).not_to_be_empty()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=nowhere")
