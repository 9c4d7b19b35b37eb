"""The embedded PostgreSQL keeps its rows through every way it can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from benchlab.local import postgres_user
from benchlab.local.errors import StartError
from benchlab.local.paths import Home
from benchlab.local.postgres import Postgres
from benchlab.local.processes import processes_in, running
from tests.harness.waiting import start_python, until

Server = tuple[Postgres, subprocess.Popen[bytes]]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
def server(home: Home) -> Generator[Server]:
    postgres = Postgres.at(home)
    with running(postgres.service()) as process:
        postgres.create_database()
        yield postgres, process


def test_serves_a_utf8_database_in_utc(server: Server) -> None:
    postgres, _ = server
    assert postgres.query("show server_encoding", "benchlab") == ["UTF8"]
    assert postgres.query("show timezone", "benchlab") == ["UTC"]
    assert postgres.query("show data_checksums", "benchlab") == ["on"]


def test_listens_on_no_network_port(server: Server) -> None:
    postgres, _ = server
    assert postgres.query("show listen_addresses") == [""]
    assert postgres.socket.parent.stat().st_mode & 0o777 == 0o700


def test_rows_survive_kill_9(server: Server) -> None:
    postgres, process = server
    postgres.query("create table t as select generate_series(1, 300000) as n", "benchlab")
    process.kill()
    process.wait()
    with running(postgres.service()):
        assert postgres.query("select count(*) from t", "benchlab") == ["300000"]


def test_starts_beside_a_foreign_pid_in_its_pid_file(home: Home) -> None:
    postgres = Postgres.at(home)
    with running(postgres.service()):
        pass
    (home.postgres / "postmaster.pid").write_text(f"{os.getpid()}\n{home.postgres}\n")
    (postgres.socket.parent / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")
    with running(postgres.service()):
        pass


def test_a_server_left_running_is_ended_before_the_next_start(server: Server) -> None:
    postgres, process = server
    with running(postgres.service()) as again:
        assert process.wait(5) == 0
        assert again.pid in processes_in(postgres.identity.data, "postgres")


def test_initdb_that_was_killed_is_begun_again(home: Home) -> None:
    unfinished = home.root / "postgres.new"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18")
    postgres = Postgres.at(home)
    with running(postgres.service()):
        pass
    assert not unfinished.exists()


def test_data_of_another_version_is_refused_in_a_sentence(home: Home) -> None:
    home.postgres.mkdir()
    (home.postgres / "PG_VERSION").write_text("11\n")
    with pytest.raises(StartError, match=r"is PostgreSQL 11's, the programs are version \d+"):
        Postgres.at(home).prepare()


def test_no_parent_folder_is_opened_to_others(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    postgres = Postgres.at(Home(closed / "home").make())
    with running(postgres.service()):
        pass
    assert closed.stat().st_mode & 0o777 == 0o700
    assert postgres.identity.data.stat().st_mode & 0o777 == 0o700


@pytest.mark.needs_root
@pytest.mark.skipif(os.geteuid() != 0, reason="makes a system user, which takes root")
def test_root_without_namespaces_uses_a_system_user(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_user, "namespaces_work", lambda: False)
    postgres = Postgres.at(home)
    try:
        with running(postgres.service()) as process:
            assert Path(f"/proc/{process.pid}").stat().st_uid == postgres.identity.owner != 0
            assert home.postgres.readlink() == postgres.identity.data
    finally:
        subprocess.run(["rm", "-r", str(postgres.identity.data.parent)], check=True)


def test_the_kernel_stops_it_when_its_parent_is_killed(home: Home) -> None:
    holder = start_python(HOLDER, str(home.root))
    postgres = Postgres.at(home)
    until(postgres.ready)
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    until(lambda: not processes_in(home.postgres, "postgres"))
    assert not (home.postgres / "postmaster.pid").exists(), "a fast shutdown, not a crash"


HOLDER = """
import sys, time
from pathlib import Path
from benchlab.local.paths import Home
from benchlab.local.postgres import Postgres
from benchlab.local.processes import spawn
spawn(Postgres.at(Home(Path(sys.argv[1]))).service())
time.sleep(600)
"""
