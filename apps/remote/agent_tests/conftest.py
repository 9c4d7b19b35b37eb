"""An open session with an agent, and loop disks that are always detached again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from apps.remote.agent_tests.gate import Gate
from apps.remote.agent_tests.loops import Loop, attach


@pytest.fixture(autouse=True)
def _root_only(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("needs_root") and os.geteuid() != 0:
        pytest.skip("makes loop devices, which only root may")


@pytest.fixture(autouse=True, scope="session")
def _shared_mounts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make mounts below the temporary folder shared.

    A network namespace of another test copies all mounts; a copy that does not follow an unmount
    holds the loop device below it.
    """
    if os.geteuid() != 0:
        yield
        return
    folder = str(tmp_path_factory.getbasetemp())
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    subprocess.run(["mount", "--make-shared", folder], check=True)
    yield
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A base folder of this test's own."""
    return tmp_path / "base"


@pytest.fixture
def client(base: Path) -> Iterator[Client]:
    """A session that is closed at the end."""
    with Client(base) as session:
        yield session


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    """A closed gate; open at the end, so that nobody is left waiting."""
    gate = Gate(tmp_path / "gate")
    yield gate
    gate.open()


@pytest.fixture
def make_loop(tmp_path: Path) -> Iterator[Callable[..., Loop]]:
    """Make loop disks: `make_loop(name, mebibytes)`."""
    made: list[Loop] = []

    def make(name: str = "disk", mebibytes: int = 32, content: bytes = b"") -> Loop:
        made.append(attach(tmp_path / f"{name}.img", mebibytes, content))
        return made[-1]

    yield make
    for loop in made:
        loop.detach()


@pytest.fixture
def loop(make_loop: Callable[..., Loop]) -> Loop:
    """One empty loop disk of 32 MiB."""
    return make_loop()
