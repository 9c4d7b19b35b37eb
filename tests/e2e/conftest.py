"""A benchlab, a host in a box and a loop disk for each end-to-end test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.lab import add_box, enrol
from tests.e2e.stack import JSON, Stack, make_template
from tests.harness.box import Box


class Lab(NamedTuple):
    """A running benchlab without a worker, and a host with a disk of its own."""

    stack: Stack
    box: Box
    node: str
    host: JSON
    disk: JSON


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_template(tmp_path_factory.mktemp("template"))


@pytest.fixture
def stack(tmp_path: Path, template: str) -> Iterator[Stack]:
    with Stack(tmp_path / "benchlab", template) as running:
        yield running


@pytest.fixture
def lab(stack: Stack, box: Box, make_loop: Callable[[int], str]) -> Lab:
    """Enrolled through the API; the worker that helped is gone again."""
    node = make_loop(64)
    with stack.worker():
        host = add_box(stack, box)
        disk = enrol(stack, host["id"], node)
    return Lab(stack, box, node, host, disk)
