"""A package made from the template is a tool of benchlab: installed, it is found by its entry
point, parses, is planned and run, and its results are as any other's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db import connections

from apps.accounts.models import Role
from apps.accounts.tests.factories import create_user
from apps.execution.engine.loop import Engine
from apps.inventory.models import Directory
from apps.plans.models import PlanStep, TestPlan
from apps.plans.tests.factories import add_target
from apps.runs.models import FINAL_RUN, Run, RunState
from apps.runs.services import run_launch
from apps.runs.tests.factories import create_host
from apps.tools.plugins import plugin_rooms
from apps.tools.registry import BUILT_IN, TOOLS
from apps.tools.values import RawParameters
from benchlab.standalone.paths import PROJECT

NAME = "disk_poker"
PACKAGE = f"benchlab_{NAME}"
SAMPLE = "tests/samples/1.0--write/output.txt"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The package as the command writes it."""
    folder = tmp_path / "source"
    call_command("new_room", NAME, folder, stdout=StringIO())
    return folder


@pytest.fixture
def site(source: Path, tmp_path: Path) -> Path:
    """A folder of installed packages with it, as pip leaves them; pip itself would ask the network
    for what builds packages."""
    project = tomllib.loads((source / "pyproject.toml").read_text())["project"]
    site = tmp_path / "site"
    shutil.copytree(source / PACKAGE, site / PACKAGE)
    about = site / f"{PACKAGE}-{project['version']}.dist-info"
    about.mkdir()
    said = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(said)
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return site


def benchlab(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """manage.py in a process of its own that has the package."""
    path = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def room(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The tool's name, while this process has the package."""
    monkeypatch.syspath_prepend(str(site))
    rooms, broken = plugin_rooms(BUILT_IN)
    assert broken == []
    (mine,) = [each for each in rooms if each.name == NAME]
    monkeypatch.setitem(TOOLS, NAME, mine)
    yield NAME
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def engine(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Path
) -> Iterator[Engine]:
    """An engine on this machine, whose agent finds the stand-in for the tool."""
    tools = tmp_path / "bin"
    tools.mkdir()
    shutil.copy(source / PACKAGE / "tests" / NAME, tools / NAME)
    monkeypatch.setenv("BENCHLAB_TOOLS_PATH", str(tools))
    monkeypatch.setenv("BENCHLAB_AGENT_BASE", str(tmp_path / "agent"))
    settings.BENCHLAB_SWEEP_SECONDS = 0.2
    engine = Engine()
    engine.start()
    yield engine
    engine.stop()
    connections.close_all()


def test_nothing_of_the_template_s_name_is_left(source: Path) -> None:
    files = [path for path in source.rglob("*") if path.is_file()]
    assert source / PACKAGE / "parser.py" in files
    assert os.access(source / PACKAGE / "tests" / NAME, os.X_OK)
    for path in files:
        assert "mytool" not in f"{path} {path.read_text()}".lower()
    assert "class DiskPoker(Room)" in (source / PACKAGE / "__init__.py").read_text()


@pytest.mark.parametrize(
    ("name", "words"),
    [("fio", "a tool called fio already"), ("Upper", "small letters"), ("class", "word of Python")],
)
def test_names_that_cannot_be(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("new_room", name, tmp_path / "x")


def test_what_is_there_is_not_overwritten(source: Path) -> None:
    with pytest.raises(CommandError, match="is no empty folder"):
        call_command("new_room", "another", source)


def test_its_own_tests_pass(source: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "--rootdir", source, source],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_installed_it_is_found_and_reads_its_sample(site: Path) -> None:
    sample = str(site / PACKAGE / SAMPLE)
    for words in (["parse", NAME, sample], ["parse", sample]):
        done = benchlab(site, *words)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert (found["tool"], found["measurements"][0]["iops"]) == (NAME, 12_800.0)
    assert benchlab(site.parent, "parse", NAME, sample).returncode == 2


@pytest.mark.django_db(transaction=True)
def test_a_plan_with_it_is_run_and_measured(room: str, engine: Engine, tmp_path: Path) -> None:
    owner = create_user(role=Role.OPERATOR)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    target = Directory.objects.create(host=create_host(), path=str(scratch), owner=owner)
    plan = TestPlan.objects.create(name="poke", owner=owner, repeats=2)
    params: RawParameters = {"operation": "write", "block": "4k, 64k", "depth": 4, "seconds": 1}
    PlanStep.objects.create(plan=plan, position=0, tool=room, params=params)
    add_target(plan, target)
    run = ended(run_launch(plan=plan, user=owner))
    assert run.state == RunState.SUCCEEDED, run.reason
    assert {case.workload.label for case in run.cases.all()} == {
        "write 4 KiB, QD 4",
        "write 64 KiB, QD 4",
    }
    for case in run.cases.all():
        attempt = case.attempts.get()
        row = attempt.measurements.get()
        assert (row.operation, row.iops, row.latency_p999) == ("write", 12_800.0, 420_000.0)
        assert attempt.tool_version == "1.0"
        assert attempt.facts is not None
        assert attempt.facts.data["tools"][NAME] == "1.0"


def ended(run: Run) -> Run:
    """The run as it is after its end."""
    deadline = time.monotonic() + 120
    while run.state not in FINAL_RUN and time.monotonic() < deadline:
        time.sleep(0.05)
        run.refresh_from_db()
    return run
