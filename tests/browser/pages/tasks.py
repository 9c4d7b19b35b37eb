"""Tasks of a storage engineer on the pages, each within a number of clicks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

COUNTER = """addEventListener("click", (event) => {
  if (event.isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)"""


def count_clicks(visitor: Visitor) -> None:
    """Count the clicks of every page that is opened from now on."""
    visitor.page.add_init_script(COUNTER)


@contextmanager
def within_clicks(visitor: Visitor, limit: int, path: str) -> Iterator[None]:
    """A task that begins on a page and takes at most `limit` clicks."""
    page = visitor.open(path)
    page.evaluate("sessionStorage.clicks = 0")
    yield
    check_clicks(visitor, limit)


def check_clicks(visitor: Visitor, limit: int) -> None:
    """Fail when more clicks are counted than this."""
    clicks = visitor.page.evaluate("Number(sessionStorage.clicks)")
    assert clicks <= limit, f"{clicks} clicks, at most {limit} are wanted"


def read_the_verdict(visitor: Visitor, run: str) -> None:
    with within_clicks(visitor, 0, f"/runs/{run}/"):
        first = visitor.page.locator(".run-findings.is-first")
        expect(first.locator(".state")).to_be_visible()


def send_a_report(visitor: Visitor, run: str) -> None:
    page = visitor.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with within_clicks(visitor, 3, f"/runs/{run}/"):
        page.get_by_role("button", name="Share").click()
        page.get_by_role("button", name="Make a link").click()
        page.get_by_role("button", name="Copy").click()
        address = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"/shared/[\w-]+/$", address)
    page.goto(address)
    expect(page.locator("body")).to_contain_text("Which scheduler")


def find_the_slow_disk(visitor: Visitor) -> None:
    page = visitor.page
    with within_clicks(visitor, 2, "/"):
        page.get_by_role("link", name="Hosts").first.click()
        page.get_by_role("link", name="Fleet").first.click()
        expect(page.locator("#content table tbody tr").first).to_be_visible()


def run_again_with_a_change(visitor: Visitor, run: str) -> None:
    page = visitor.page
    with within_clicks(visitor, 3, f"/runs/{run}/"):
        page.get_by_role("link", name="Run again with a change").click()
        page.locator("#plan-form input[name=name]").fill("Which scheduler, once")
        page.get_by_label("Repeats").fill("1")
        page.get_by_role("button", name="Save the plan").click()
        page.locator("#launch").get_by_role("button", name="Launch").click()
        expect(page).to_have_url(re.compile(r"/runs/\d+/$"))
        expect(page.locator("#run-status")).to_contain_text("4 cases")
    page.locator("#run-status").get_by_role("button", name="Cancel").click()
    expect(page.locator("#run-status .state").first).to_have_attribute("data-state", "cancelled")
