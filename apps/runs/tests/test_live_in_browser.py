"""A running run's page in a real browser: live figures without gaps or doubles, and the rest of the
page also without them.
"""

from __future__ import annotations

import functools
import json
import mimetypes
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, sync_playwright

from apps.accounts.models import User
from apps.runs.models import AttemptState, Run, RunState
from apps.runs.tests.factories import create_attempt, create_run

CHROMIUM = shutil.which("chromium")
SITE = "http://benchlab.test"
STATIC = Path(settings.BASE_DIR) / "static"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
T = TypeVar("T")
Entries = list[dict[str, object]]
Answers = Callable[[int], Entries | None]
Chromium = Callable[[Callable[[Browser], Any]], Any]
MISSING: tuple[int, dict[str, str], bytes] = (404, {}, b"")


class RunningPage:
    """A run's page as Django made it, with live entries of the test's own."""

    def __init__(self, run: Run, client: Client, chromium: Chromium) -> None:
        self.chromium = chromium
        self.attempt = str(
            create_attempt(
                run.cases.get(),
                state=AttemptState.RUNNING,
                ended_at=None,
                host_files_removed_at=None,
            ).pk
        )
        Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
        self.path = reverse("run_detail", args=[run.pk])
        self.bodies = {self.path: client.get(self.path)}
        for part in ("status", "cases", "facts", "events"):
            address = reverse("run_fragment", args=[run.pk, part])
            self.bodies[address] = client.get(address)
        self.polls: list[str] = []
        self.asked: list[str] = []
        self.errors: list[str] = []

    def asks_every(self, seconds: int) -> None:
        """The parts of the page ask for themselves so seldom."""
        page = self.bodies[self.path]
        said = f'data-poll-seconds="{seconds}"'.encode()
        page.content, count = re.subn(rb'data-poll-seconds="\d+"', said, page.content)
        assert count >= len(TRUTHS)

    def entry(self, kind: str, **data: object) -> dict[str, object]:
        return {"kind": kind, "data": {"attempt": self.attempt, **data}}

    def sample(self, second: float, iops: float) -> dict[str, object]:
        operations = {"read": {"iops": iops, "bandwidth": iops * 4096, "latency": 1e6}}
        return self.entry("sample", t=second, operations=operations)

    def opened(self, answers: Answers, look: Callable[[Page], T]) -> T:
        """Opens the page in the browser and returns the answer of `look` to it."""

        def fulfill(route: Route) -> None:
            address = route.request.url.removeprefix(SITE)
            status, headers, body = self.answer(address, answers)
            route.fulfill(status=status, headers=headers, body=body)

        def visit(browser: Browser) -> T:
            page = browser.new_page()
            page.on("pageerror", lambda error: self.errors.append(str(error)))
            page.route("**/*", fulfill)
            page.goto(SITE + self.path)
            try:
                return look(page)
            finally:
                page.close()

        seen: T = self.chromium(visit)
        assert self.errors == []
        return seen

    def answer(self, address: str, answers: Answers) -> tuple[int, dict[str, str], bytes]:
        path = address.partition("?")[0]
        if path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            kind = mimetypes.guess_type(path)[0] or "text/plain"
            return (200, {"Content-Type": kind}, file.read_bytes()) if file.exists() else MISSING
        if path.endswith("/live/"):
            self.polls.append(address.partition("?after=")[2])
            entries = answers(len(self.polls))
            if entries is None:
                return 503, {}, b"{}"
            document = {"entries": entries, "last": f"{len(self.polls)}-0", "ended": False}
            return 200, {"Content-Type": "application/json"}, json.dumps(document).encode()
        self.asked.append(path)
        if path not in self.bodies:
            return MISSING
        made = self.bodies[path]
        policy = made.headers["Content-Security-Policy"]
        kept = {"Content-Type": "text/html", "Content-Security-Policy": policy}
        return 200, kept, made.content


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """A browser for all tests here, whose start costs as much as a test. It lives in a thread:
    where its event loop runs, Django refuses the database.
    """
    with ThreadPoolExecutor(1) as thread:
        playwright = thread.submit(sync_playwright().start).result()
        launch = functools.partial(playwright.chromium.launch, executable_path=CHROMIUM)
        browser = thread.submit(launch, args=["--no-sandbox"]).result()
        yield lambda visit: thread.submit(visit, browser).result()
        thread.submit(browser.close).result()
        thread.submit(playwright.stop).result()


@pytest.fixture
def running(owner: User, owner_client: Client, chromium: Chromium) -> RunningPage:
    return RunningPage(create_run(owner=owner), owner_client, chromium)


def test_live_figures_are_read_after_the_last_entry(running: RunningPage) -> None:
    device = running.entry("device", t=3, name="loop7", utilisation=97.5, queue=31.2)
    said = {
        1: [running.sample(1, 100), running.sample(2, 200)],
        2: [running.sample(2, 200), running.sample(3, 345), device],
    }

    def look(page: Page) -> None:
        page.get_by_text("read 345 IOPS").wait_for()
        page.get_by_text("loop7 97.5 %").wait_for()
        page.get_by_text("read 1 ms").wait_for()
        assert page.locator("[data-panel=iops] canvas").count() == 1

    running.opened(lambda turn: said.get(turn, []), look)
    assert running.polls[:2] == ["", "1-0"]


def test_live_panel_with_earlier_repeats_shows_their_median(running: RunningPage) -> None:
    status = reverse("run_fragment", args=[running.path.split("/")[2], "status"])
    for address in (running.path, status):
        page = running.bodies[address]
        medians = b'data-medians="{&quot;iops&quot;: {&quot;read&quot;: 321}}"'
        page.content = page.content.replace(b'data-medians="{}"', medians)
        assert medians in page.content

    def look(page: Page) -> str | None:
        page.get_by_text("read 200 IOPS").wait_for()
        return page.locator("[data-panel=iops] .live-unit").text_content()

    text = running.opened(lambda turn: [running.sample(turn, 200)] if turn == 1 else [], look)
    assert "321 IOPS" in str(text)


TWICE = """async () => {
    const { AttemptView } = await import("/static/js/pages/run_detail.js");
    const view = new AttemptView();
    for (const t of [1, 2, 2.004, 3, 2]) view.add("iops", "read", t, t * 10);
    view.addLog({ offset: 0, end: 4, text: "one " });
    view.addLog({ offset: 4, end: 8, text: "two " });
    view.addLog({ offset: 0, end: 6, text: "one tw" });
    view.addLog({ offset: 6, end: 14, text: "o three " });
    const log = view.log.map((piece) => piece.text).join("");
    return [[...view.lines.iops.get("read").keys()], log];
}"""


def test_a_point_that_comes_twice_is_one_point(running: RunningPage) -> None:
    counted = running.opened(lambda _turn: [], lambda page: page.evaluate(TWICE))
    assert counted == [[1, 2, 3], "one two three "]


def test_what_the_tool_says_is_text(running: RunningPage) -> None:
    said = "<img src=x onerror=alert(1)>\n"
    entry = running.entry("log", offset=0, end=len(said), text=said)

    def look(page: Page) -> None:
        page.locator("[data-live-log] pre").get_by_text("onerror").wait_for()
        assert page.locator("[data-live-log] img").count() == 0

    running.opened(lambda turn: [entry] if turn == 1 else [], look)


TRUTHS = {"status", "cases", "facts", "events"}


def test_a_change_of_state_asks_for_the_truth(running: RunningPage) -> None:
    """At once: here the parts of the page would not ask by themselves for ten minutes."""
    running.asks_every(600)
    entry = running.entry("state", state="running")

    def look(page: Page) -> bool:
        for _ in range(600):
            if {path.split("/")[-2] for path in running.asked[1:]} >= TRUTHS:
                return True
            page.wait_for_timeout(100)
        return False

    said = running.opened(lambda turn: [entry] if turn == 1 else [], look)
    assert said, (running.asked, running.polls)


def test_without_live_figures_the_page_says_so_and_polls(running: RunningPage) -> None:
    def look(page: Page) -> None:
        page.get_by_text("No live figures at the moment").wait_for(timeout=15_000)
        assert page.get_by_text("Running now").is_visible()
        with page.expect_response("**/parts/status/", timeout=15_000):
            pass

    running.opened(lambda _turn: None, look)


def test_chosen_column_of_maxima_stays_over_polls(running: RunningPage) -> None:
    """Columns of maxima are hidden at first; the parts of the page replace the table's rows."""
    head = "th[data-column=iops_max_over_time]"

    def look(page: Page) -> list[bool]:
        states = [page.locator(head).is_visible()]
        with page.expect_response("**/parts/cases/**", timeout=15_000):
            pass
        states.append(page.locator(head).is_visible())
        page.locator(".list-tools button").click()
        page.locator("[data-columns-menu] label", has_text="IOPS, max").locator("input").check()
        states.append(page.locator(head).is_visible())
        with page.expect_response("**/parts/cases/**", timeout=15_000):
            pass
        page.wait_for_timeout(200)
        states.append(page.locator(head).is_visible())
        labels = page.locator("[data-columns-menu] label").count()
        assert labels == page.locator("th[data-column]").count() - 1
        return states

    assert running.opened(lambda _turn: [], look) == [False, False, True, True]
