"""Pasted text is sent as a file, in a real browser: a field of a form could not be as long."""

from __future__ import annotations

import mimetypes
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Route, sync_playwright

CHROMIUM = shutil.which("chromium")
STATIC = Path(settings.BASE_DIR) / "static"
SITE = "http://benchlab.test"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


def test_pasted_text_is_sent_as_a_file(owner_client: Client) -> None:
    # Rendered before the browser starts, whose event loop Django keeps away from the database.
    form = owner_client.get("/imports/new/").content
    sent: list[bytes] = []

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if route.request.method == "POST":
            sent.append(route.request.post_data_buffer or b"")
            route.fulfill(status=200, content_type="text/html", body="<title>read</title>")
        elif path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            route.fulfill(status=200, content_type=kind, body=file.read_bytes())
        else:
            route.fulfill(status=200, content_type="text/html", body=form)

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto(f"{SITE}/imports/new/")
        page.click("#import-form button[type=submit]")
        assert page.inner_text("#import-chosen").startswith("Choose files or a folder, or paste")
        page.fill("#import-text", "1024 bytes copied, 1 s, 1.0 kB/s\n")
        with page.expect_request(lambda request: request.method == "POST"):
            page.click("#import-form button[type=submit]")
        browser.close()
    (body,) = sent
    assert b'name="file"; filename="pasted.txt"' in body
    assert b"1024 bytes copied" in body
    assert b'name="text"' not in body
