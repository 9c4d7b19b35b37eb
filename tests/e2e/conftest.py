"""One benchlab, one host in a box and one loop disk for the end-to-end tests of a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from apps.results.services.summary_table import DIFFERENCE
from tests.e2e.lab import add_box, enrol
from tests.e2e.stack import JSON, Stack
from tests.e2e.template import template
from tests.harness.fixtures import no_box
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost


class Lab(NamedTuple):
    """A running benchlab without a worker, and a host with a disk of its own."""

    stack: Stack
    box: NetnsHost
    node: str
    host: JSON
    disk: JSON


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="session")
def stack(folder: Path) -> Iterator[Stack]:
    with Stack(folder / "benchlab", template(folder / "template")) as running:
        yield running


@pytest.fixture(autouse=True)
def figures_are_checked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compare the figures with their measurements after each test with a stack."""
    running = request.getfixturevalue("stack") if "stack" in request.fixturenames else None
    yield
    if running is not None:
        with psycopg.connect(running.environment["DATABASE_URL"]) as connection:
            assert not connection.execute(DIFFERENCE.encode()).fetchall()


@pytest.fixture(scope="session")
def box(folder: Path) -> Iterator[NetnsHost]:
    if reason := no_box():
        pytest.skip(reason)
    with ExitStack() as ending:
        box = NetnsHost(folder / "box")
        ending.callback(box.stop)
        box.start()
        yield box


@pytest.fixture(scope="session")
def lab(stack: Stack, box: NetnsHost, folder: Path) -> Iterator[Lab]:
    """Enrolled through the API; the worker that helped is gone again, each test starts its own."""
    with loop_disk(64, folder) as node:
        with stack.worker():
            host = add_box(stack, box)
            disk = enrol(stack, host["id"], node)
        yield Lab(stack, box, node, host, disk)
