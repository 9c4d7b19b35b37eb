"""The agent's file comes to the host when it is not there, whole or not at all, and every obstacle
has its sentence.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from apps.remote import session as session_module
from apps.remote.bootstrap import ENTER, PROBE, RECEIVE, START, start_agent, start_argv
from apps.remote.build import agent
from apps.remote.errors import HostError
from apps.remote.local import LocalTransport
from apps.remote.session import open_session

from .conftest import LOCAL


@pytest.fixture(autouse=True)
def _as_it_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent's file without the bytecode that other tests add."""
    monkeypatch.setattr(session_module, "agent", agent)


@pytest.mark.parametrize("text", [ENTER, START, PROBE, RECEIVE])
def test_the_scripts_hold_nothing_that_shells_read_differently(text: str) -> None:
    assert not set(text) & set("'\\!\n")
    assert text.isascii()


def test_whatever_varies_is_an_argument_of_its_own() -> None:
    argv = start_argv(agent(), "TOKEN", "sudo")
    assert argv[:3] == ("sh", "-c", ENTER)
    facts = (agent().sha256, str(len(agent().data)))
    assert argv[4:] == ("sudo", START, "TOKEN", *facts, PROBE, RECEIVE)


async def test_the_agent_is_shipped_once(base: Path) -> None:
    file = base / agent().name
    session = await open_session(LOCAL)
    assert session.hello.agent == agent().sha256
    assert session.hello.base == str(base)
    assert file.read_bytes() == agent().data
    assert base.stat().st_mode & 0o777 == 0o700
    written = file.stat().st_mtime_ns
    await session.close()
    session = await open_session(LOCAL)
    await session.close()
    assert file.stat().st_mtime_ns == written
    assert [path.name for path in base.glob("agent-*")] == [agent().name]


async def test_a_damaged_agent_is_replaced(base: Path) -> None:
    base.mkdir()
    (base / agent().name).write_bytes(agent().data[:-100])
    session = await open_session(LOCAL)
    await session.close()
    assert (base / agent().name).read_bytes() == agent().data


async def test_damaged_upload_of_the_agent_is_discarded(base: Path) -> None:
    class Garbling(LocalTransport):
        async def open(self, argv):  # type: ignore[no-untyped-def]  # as LocalLink's
            channel = await super().open(argv)
            write = channel.write
            channel.write = lambda data: write(bytes(len(data)))  # type: ignore[method-assign]  # the fault
            return channel

    with pytest.raises(HostError, match=r"could not be stored .the agent arrived damaged"):
        await start_agent(Garbling("node1"), agent(), "user", "node1")
    assert list(base.iterdir()) == []


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH, also after the script has added the system's folders."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("sh", "id", "mkdir", "chmod"):
        (folder / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setattr(
        "apps.remote.bootstrap.START", START.replace("PATH=$PATH:", f"PATH={folder}; X=")
    )
    monkeypatch.setattr(
        "apps.remote.bootstrap.ENTER", ENTER.replace("PATH=$PATH:", f"PATH={folder}; X=")
    )
    return folder


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


async def test_host_without_python_is_reported(tools: Path) -> None:
    with pytest.raises(HostError, match=r"no Python 3\.6 or newer") as raised:
        await open_session(LOCAL)
    assert raised.value.kind == "no_python"


async def test_an_old_python_is_passed_over(tools: Path) -> None:
    script(tools / "python3", "exit 4")
    with pytest.raises(HostError) as raised:
        await open_session(LOCAL)
    assert raised.value.kind == "no_python"
    real = shutil.which("python3.11")
    script(tools / "python3.9", f'exec {real} "$@"')
    session = await open_session(LOCAL)
    assert session.hello.python.startswith("3.11")
    await session.close()


async def test_unwritable_base_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BENCHLAB_AGENT_DIR", str(tmp_path / "file" / "base"))
    with pytest.raises(HostError, match=r"folder cannot be created .*Not a directory"):
        await open_session(LOCAL)


@pytest.mark.skipif(os.geteuid() == 0, reason="root needs no sudo; the box tests refuse it")
async def test_login_without_root_reports_no_sudo() -> None:
    with pytest.raises(HostError) as raised:
        await open_session(LOCAL.__class__(local=True, become="root"))
    assert raised.value.kind == "no_sudo"
