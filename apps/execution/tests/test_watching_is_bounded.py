"""A tool that prints without end costs a bounded amount of memory, and the page says where live
figures and words end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db.models import prefetch_related_objects

from apps.execution.attempt import live_metrics
from apps.execution.attempt.live_metrics import (
    DISKS,
    ENOUGH,
    LINE,
    NO_FIGURES,
    SHOWN,
    LiveMetricsReader,
)
from apps.execution.attempt.live_publisher import LivePublisher
from apps.execution.runtime.budget import MemoryBudget
from apps.remote.status import FilePiece
from apps.runs.models import Attempt
from apps.runs.tests.factories import create_attempt, create_run

MIB = 1 << 20
LIVE = "result.json"


class Page(LivePublisher):
    """Counts what would be shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, Mapping[str, Any]]] = []

    async def publish(self, run_id: int, kind: str, data: Mapping[str, Any]) -> None:
        self.shown.append((kind, data))


@pytest.fixture
def attempt(owner: Any) -> Attempt:
    made = create_attempt(create_run(owner=owner).cases.get())
    prefetch_related_objects([made], "jobs__host", "case__workload")  # as a worker does
    return made


@pytest.fixture
def budget(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryBudget]:
    """Of ten MiB; all of it is there again at the end."""
    budget = MemoryBudget(10 * MIB)
    monkeypatch.setattr(live_metrics, "WATCHING", budget)
    yield budget
    assert budget.left == 10 * MIB


async def endless(watcher: LiveMetricsReader, file: str, size: int) -> None:
    """One line without an end."""
    for begin in range(0, size, MIB):
        await watcher.feed(FilePiece(file, begin, b"x" * min(MIB, size - begin)))


async def test_what_is_no_document_is_followed_no_longer(
    attempt: Attempt, budget: MemoryBudget
) -> None:
    watcher = LiveMetricsReader(Page(), 1, attempt)
    await endless(watcher, LIVE, 7 * MIB)
    assert (budget.left, watcher.remarks()) == (3 * MIB, [])
    await endless(watcher, LIVE, 300 * MIB)
    assert LIVE not in watcher.offsets
    assert (budget.left, watcher.remarks()) == (10 * MIB, [NO_FIGURES])


async def test_all_attempts_share_one_budget(attempt: Attempt, budget: MemoryBudget) -> None:
    watchers = [LiveMetricsReader(Page(), 1, attempt) for _ in range(20)]
    for watcher in watchers:
        await endless(watcher, LIVE, 4 * MIB)
    assert [LIVE in each.offsets for each in watchers] == [True, True] + [False] * 18
    assert budget.left == 2 * MIB
    for watcher in watchers:
        watcher.close()


async def test_of_stderr_the_beginning_is_shown(attempt: Attempt, budget: MemoryBudget) -> None:
    page = Page()
    watcher = LiveMetricsReader(page, 1, attempt)
    await watcher.feed(FilePiece("stderr", 0, b"one\n"))
    await watcher.feed(FilePiece("stderr", 4, b"y" * MIB))
    await watcher.feed(FilePiece("stderr", 4 + MIB, b"z" * MIB))
    places = [(data["offset"], data["end"]) for _kind, data in page.shown]
    assert places == [(0, 4), (4, SHOWN)]
    assert sum(len(data["text"]) for _kind, data in page.shown) == SHOWN
    assert "stderr" not in watcher.offsets
    assert watcher.remarks() == [ENOUGH]


def test_of_several_hosts_nobodys_stderr_is_fetched(attempt: Attempt, budget: MemoryBudget) -> None:
    assert "stderr" not in LiveMetricsReader(Page(), 1, attempt, "east").offsets


async def test_lines_of_a_log_that_never_end_are_forgotten(
    attempt: Attempt, budget: MemoryBudget
) -> None:
    attempt.jobs.all()[0].spec["ceph"] = True
    watcher = LiveMetricsReader(Page(), 1, attempt)
    for file in ("device.log", "ceph-health.log"):
        await endless(watcher, file, 3 * MIB)
    assert len(watcher._device) <= LINE
    assert len(watcher._health) <= LINE


async def test_a_host_cannot_have_disks_without_end(attempt: Attempt, budget: MemoryBudget) -> None:
    watcher = LiveMetricsReader(Page(), 1, attempt)
    stat = "[" + ", ".join(["1"] * 11) + "]"
    log = "".join(f'{{"t": 1.0, "name": "d{n}", "stat": {stat}}}\n' for n in range(DISKS + 500))
    await watcher.feed(FilePiece("device.log", 0, log.encode()))
    assert len(watcher._last) == DISKS
