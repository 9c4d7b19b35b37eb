"""A whole benchlab with a worker, a host in a box with a loop disk, and a browser that visits."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from tests.browser.visitor import WIDE, Visitor, chromium
from tests.e2e.conftest import box, folder
from tests.e2e.stack import Stack, kill
from tests.e2e.template import template
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

__all__ = ["Site", "box", "folder"]  # The two are fixtures: pytest finds them by their names here.


class Site(NamedTuple):
    """A benchlab that nobody has used yet, and what there is to be added to it."""

    stack: Stack
    box: NetnsHost
    node: str


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ends with its file: while it is open, its event loop runs in this process, and no test of
    another file could run one.
    """
    executable = shutil.which("chromium")
    if executable is None:
        pytest.skip("Chromium is not installed")
    with chromium(executable) as started:
        yield started


@pytest.fixture(scope="module")
def site(box: NetnsHost, folder: Path) -> Iterator[Site]:
    with (
        loop_disk(64, folder) as node,
        Stack(folder / "site", template(folder / "site-template"), shipped=True) as stack,
    ):
        # The web server serves the files that a release serves: collected, hashed, compressed.
        stack.manage("collectstatic", "--noinput", "-v0")
        kill(stack.web)
        stack.start_web()
        with stack.worker():
            yield Site(stack, box, node)


@pytest.fixture
def visitor(browser: Browser, site: Site) -> Iterator[Visitor]:
    context = browser.new_context(
        # A button half way from one theme to the other has colours of neither.
        reduced_motion="reduce",
        viewport={"width": WIDE, "height": 900},
        color_scheme="light",
        accept_downloads=True,
    )
    yield Visitor(context.new_page(), site.stack.address)
    context.close()
