"""Files and groups of files are what the processes of bin/test share out."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from xdist.remote import Producer

from tests.harness import scheduling
from tests.harness.scheduling import FilesAndGroups, unit

pytest_plugins = ["pytester"]
FILE = """
import os
import pytest

@pytest.fixture(scope="module")
def made():
    open("made", "a").write("x")

{mark}
@pytest.mark.parametrize("number", range(8))
def test_it(made, number, worker_id):
    open("{name}", "a").write(worker_id + "\\n")
"""


def test_a_file_or_the_group_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "ROOT", tmp_path)
    (tmp_path / "test_a.py").write_text('pytestmark = [e2e, pytest.mark.xdist_group("box")]')
    (tmp_path / "test_b.py").write_text("def test_b(): ...")
    assert (unit("test_a.py"), unit("test_b.py")) == ("box", "test_b.py")


def test_groups_are_begun_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "ROOT", tmp_path)
    for name, text in {
        "a": "",
        "b": 'xdist_group("box")',
        "c": "",
        "d": 'xdist_group("x")',
    }.items():
        (tmp_path / f"test_in_{name}.py").write_text(text)
    items: Any = [SimpleNamespace(nodeid=f"test_in_{name}.py::test_it") for name in "abcd"]
    config: Any = SimpleNamespace(workerinput={})
    scheduling.pytest_collection_modifyitems(config, items)
    assert [item.nodeid[8] for item in items] == ["b", "d", "a", "c"]


def test_what_waits_is_begun_before_what_works() -> None:
    files = [
        "apps/tools/fio/tests/test_progress.py",
        "apps/remote/agent_tests/test_cancel.py",
        "apps/runs/tests/test_extension.py",
        "apps/execution/tests/test_stopping_rules.py",
    ]
    items: Any = [SimpleNamespace(nodeid=f"{file}::test_it") for file in files]
    config: Any = SimpleNamespace(workerinput={})
    scheduling.pytest_collection_modifyitems(config, items)
    begun = [item.nodeid.partition("::")[0] for item in items]
    assert begun == [files[number] for number in (1, 3, 0, 2)]


def test_every_place_where_tests_wait_is_there() -> None:
    assert all((scheduling.ROOT / place).exists() for place in scheduling.WAITING)


def test_only_by_request(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Producer("test", enabled=False)
    make = scheduling.pytest_xdist_make_scheduler
    monkeypatch.setattr(pytestconfig.option, "dist", "load")
    assert make(pytestconfig, log) is None
    monkeypatch.setattr(pytestconfig.option, "dist", "loadgroup")
    monkeypatch.setattr(pytestconfig.option, "tx", ["2*popen"])
    assert isinstance(make(pytestconfig, log), FilesAndGroups)


def test_each_file_and_each_group_is_in_one_process(pytester: pytest.Pytester) -> None:
    """As pytest and xdist really share them out."""
    group = '@pytest.mark.xdist_group("box")'
    marks = {"one": group, "two": "", "three": group, "four": ""}
    for name, mark in marks.items():
        pytester.makepyfile(**{f"test_{name}": FILE.format(mark=mark, name=name)})
    root = str(pytester.path)
    pytester.makeconftest(
        "from tests.harness import scheduling\n"
        f"scheduling.ROOT = type(scheduling.ROOT)({root!r})\n"
        'pytest_plugins = ["tests.harness.scheduling"]\n'
    )
    pytester.makeini("[pytest]\n")
    ran = pytester.runpytest_subprocess("-n", "2", "--dist", "loadgroup", "-p", "no:django")
    ran.assert_outcomes(passed=32)
    where = {name: set((pytester.path / name).read_text().split()) for name in marks}
    assert all(len(workers) == 1 for workers in where.values())
    assert where["one"] == where["three"]
    assert len((pytester.path / "made").read_text()) == 4
