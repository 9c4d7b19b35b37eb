"""Every page passes axe, in both languages, themes and widths; no page is wider than its screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import Page, ViewportSize

from apps.accounts.models import User
from benchlab.tests.access import PAGES
from benchlab.tests.addresses import address
from benchlab.tests.api_world import create_world
from tests.browser.rendered_pages import CHROMIUM, render_pages, served
from tests.browser.visitor import chromium

SETTLE_MS = 300
"""Time for fragments and charts, which are answered from memory."""
LOAD_MS = 120_000
"""For a page on a machine that runs other tests; Playwright's own limit is 30 s."""
# axe would read all style sheets anew each time for css-orientation-lock, a rule that is off.
OPTIONS = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db,
    pytest.mark.timeout(600),
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.mark.parametrize(
    ("language", "width", "theme"),
    [
        ("en", 1280, "light"),
        pytest.param("zh-hans", 390, "dark", marks=pytest.mark.extended),
    ],
)
def test_pages_in_browser_have_no_barriers(
    owner: User, admin: User, admin_client: Client,
    language: str, width: int, theme: Literal["light", "dark"],
) -> None:  # fmt: skip
    admin.language = language
    admin.save()
    world = create_world(owner)
    paths = [address(name, world) for name, (get, _post) in PAGES.items() if get is not None]
    bodies = render_pages(admin_client, paths)
    documents = [path for path in paths if "<html" in bodies[path]]
    assert len(documents) > 70
    with served(bodies) as site, chromium(str(CHROMIUM)) as browser:
        page = browser.new_page(base_url=site, color_scheme=theme, reduced_motion="reduce")
        page.set_default_timeout(LOAD_MS)
        page.set_viewport_size(ViewportSize(width=width, height=900))
        findings = [text for path in documents for text in _findings(page, path)]
    assert not findings, "\n".join(findings)


def _findings(page: Page, path: str) -> Iterator[str]:
    """Yield what axe finds on a page, and its excess width."""
    page.goto(path)
    page.wait_for_timeout(SETTLE_MS)
    for rule in Axe().run(page, options=OPTIONS).response["violations"]:
        for node in rule["nodes"][:3]:
            yield f"{path}: {rule['id']} ({rule['impact']}): {node['html'][:160]}"
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wider > 0:
        yield f"{path}: {wider} px wider than the screen"
