"""The database and the broker fail, or answer what nobody expects."""

from __future__ import annotations

from tests.chaos.fault import Fault
from tests.chaos.faults.processes import killed, started
from tests.chaos.scene import Scene


def _rename(scene: Scene) -> None:
    scene.sql("alter table runs_run rename to runs_run_away")


def _rename_back(scene: Scene) -> None:
    scene.sql("alter table runs_run_away rename to runs_run")


def _cut_connections(scene: Scene) -> None:
    scene.sql(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )


def _flush(scene: Scene) -> None:
    scene.servers.valkey_flush()


FAULTS = (
    Fault("PostgreSQL killed", killed("postgres"), started("postgres"), longest=8.0),
    Fault("a table away", _rename, _rename_back, shortest=2.0, longest=7.0),
    Fault("connections to PostgreSQL cut", _cut_connections),
    Fault("Valkey killed", killed("valkey"), started("valkey"), longest=8.0),
    Fault("Valkey emptied", _flush),
)
