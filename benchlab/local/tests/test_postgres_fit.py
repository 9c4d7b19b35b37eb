"""The embedded PostgreSQL's settings follow the machine within bounds; the server takes them."""

from __future__ import annotations

from pathlib import Path

from benchlab.local.paths import Home
from benchlab.local.postgres import Postgres
from benchlab.local.postgres_fit import GIB, MIB, fitted, memory, settings_for
from benchlab.local.processes import running


def test_a_small_machine_keeps_the_defaults() -> None:
    small = settings_for(512 * MIB, 4 * GIB)
    assert (small["shared_buffers"], small["work_mem"]) == ("128MB", "4MB")
    assert (small["maintenance_work_mem"], small["max_wal_size"]) == ("64MB", "1024MB")


def test_a_large_one_gives_its_share_up_to_a_bound() -> None:
    assert settings_for(16 * GIB, 100 * GIB)["shared_buffers"] == "2048MB"
    assert settings_for(16 * GIB, 100 * GIB)["work_mem"] == "16MB"
    huge = settings_for(1024 * GIB, 4096 * GIB)
    assert (huge["shared_buffers"], huge["max_wal_size"]) == ("4096MB", "8192MB")


def test_the_memory_of_a_container_counts(tmp_path: Path) -> None:
    group = tmp_path / "memory.max"
    whole = memory(group)
    group.write_text("max\n")
    assert memory(group) == whole
    group.write_text(f"{64 * MIB}\n")
    assert memory(group) == 64 * MIB


def test_the_server_starts_with_them(tmp_path: Path) -> None:
    home = Home(tmp_path / "home").make()
    postgres = Postgres.at(home, fitted(home.postgres))
    with running(postgres.service()):
        assert postgres.query("show jit") == ["off"]
        assert postgres.query("show max_connections") == ["200"]
        wanted = settings_for(memory(), 0)["shared_buffers"]
        shown = "select setting::bigint * 8192 / 1048576 || 'MB' from pg_settings where name = "
        assert postgres.query(shown + "'shared_buffers'") == [wanted]
