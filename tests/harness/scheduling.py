"""Which tests xdist's processes share out with `--dist loadgroup`: whole files, and whole groups of
files.

What a file's tests share (hosts in boxes, an archive) is then made once, not in every process, and
so is what the files of an `xdist_group` share, such as the Ceph. xdist 3.8 itself marks the tests
of a group in their ids, which pytest 9.2 no longer lets it change: its groups are not kept.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.scheduler.protocol import Scheduling

GROUP = re.compile(r'xdist_group\("([^"]+)"\)')
ROOT = Path(__file__).resolve().parents[2]
WAITING = (
    "tests/",
    "apps/execution/",
    "apps/remote/",
    "apps/tools/iozone/tests/test_iozone_command.py",
    "benchlab/local/",
    "benchlab/ops/tests/test_backup.py",
)
"""Where tests wait for hosts, tools and servers more than they work: files or folders."""


class FilesAndGroups(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Begun in the order of their names on the command line, groups before single files."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return unit(nodeid.partition("::")[0])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Groups are begun first: one process has all files of a group, and the Ceph's take longest of
    all. Then what waits, while others have work for the processors; at the end nobody else has. It
    is the processes of xdist that say in which order tests stand.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: _turn(item.nodeid.partition("::")[0]))


@functools.cache
def _turn(file: str) -> int:
    if unit(file) != file:
        return 0
    return 1 if file.startswith(WAITING) else 2


@functools.cache
def unit(file: str) -> str:
    """What a file of tests is shared out with: the group that it names, else the file alone."""
    found = GROUP.search((ROOT / file).read_text())
    return found[1] if found else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """The scheduler of `--dist loadgroup`; None leaves any other to xdist."""
    return FilesAndGroups(config, log) if config.getvalue("dist") == "loadgroup" else None
