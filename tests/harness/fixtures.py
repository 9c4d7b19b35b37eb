"""Fixtures for tests with a host in a box or a loop disk: `pytest_plugins =
["tests.harness.fixtures"]`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .loops import loop_disk
from .net import claim_network
from .netns_host import NetnsHost, missing


@functools.lru_cache(maxsize=1)
def no_box() -> str:
    """Why there can be no box: tools, root, or a kernel that does not allow namespaces."""
    if reason := missing():
        return reason
    network = claim_network()
    try:
        network.make()
    except RuntimeError as error:
        return f"cannot make a network namespace: {error}"
    finally:
        network.release()
    return ""


@pytest.fixture
def make_box(tmp_path: Path) -> Iterator[Callable[..., NetnsHost]]:
    """A function that starts hosts in boxes: `make_box(config="MaxStartups 2", shell="/bin/tcsh",
    sudo=True)`.
    """
    if reason := no_box():
        pytest.skip(reason)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o011)  # The box's ordinary user walks through them.
    with ExitStack() as stack:

        def make(**options: Any) -> NetnsHost:
            box = NetnsHost(tmp_path / f"box{len(list(tmp_path.glob('box*')))}", **options)
            stack.callback(box.stop)
            box.start()
            return box

        yield make


@pytest.fixture
def box(make_box: Callable[..., NetnsHost]) -> NetnsHost:
    """A running host in a box, root's shell bash."""
    return make_box()


@pytest.fixture
def make_loop(tmp_path: Path) -> Iterator[Callable[[int], str]]:
    """A function that lends loop disks of so many MiB until the test ends."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    with ExitStack() as stack:
        yield lambda size_mb: stack.enter_context(loop_disk(size_mb, tmp_path))
