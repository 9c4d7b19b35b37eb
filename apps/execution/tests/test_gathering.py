"""Several jobs' files and exits as one attempt's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from apps.execution.gather import Brought, gathered_exit, gathered_files
from apps.remote.answers import Status
from apps.runs.packing import Spool, packed

SPOOL = Spool()


@pytest.fixture(autouse=True, scope="module")
def _spool() -> Iterator[None]:
    with SPOOL:
        yield


def brought(
    name: str, act: int = 0, files: dict[str, bytes] | None = None, **exit_: Any
) -> Brought:
    host = {"east": 1, "west": 2}[name]
    listens = exit_.pop("listens", "")
    entry = {
        **{"job": f"{name}{act}", "host": host, "name": name, "act": act, "role": "client"},
        "spec": {"commands": [{"listens": listens}]},
    }
    status = Status(f"{name}{act}", "done", exit=exit_ or {"codes": [0], "signals": [None]})  # type: ignore[arg-type] # as the agent sends it
    return Brought(entry, status, {n: packed(SPOOL, data) for n, data in (files or {}).items()})


def gathered(jobs: list[Brought]) -> dict[str, bytes]:
    with Spool() as spool:
        files = gathered_files(jobs, spool)
        return {name: b"".join(file.unpacked()) for name, file in files.items()}


def test_each_hosts_files_are_under_its_name() -> None:
    jobs = [brought("east", files={"result.json": b"1"}), brought("west", files={"stdout": b"2"})]
    assert gathered(jobs) == {"east/result.json": b"1", "west/stdout": b"2"}


def test_acts_of_a_host_follow_one_another_in_its_words() -> None:
    jobs = [
        brought("east", 0, {"stdout": b"made\n", "stderr": b"", "device.log": b"a"}),
        brought("east", 1, {"stdout": b"wrote", "stderr": b"!", "device.log": b"b"}),
    ]
    assert gathered(jobs) == {
        "east/stdout": b"made\nwrote",
        "east/stderr": b"!",
        "east/device.log": b"a",
        "east/act1.device.log": b"b",
    }
    told = gathered_exit(jobs, {})["jobs"]
    assert [job["places"]["stdout"] for job in told] == [[0, 5], [5, 10]]
    assert [job["places"]["stderr"] for job in told] == [[0, 0], [0, 1]]


def test_starts_are_told_by_clocks_that_were_compared() -> None:
    """East began at 100.0 of its clock, 90 ahead; west at 5010.2 of a clock 5000 ahead: 200 ms."""
    jobs = [
        brought("east", codes=[0], started={"monotonic": 100.0}),
        brought("west", codes=[0], started={"monotonic": 5010.2}),
    ]
    exit_ = gathered_exit(jobs, {"clocks": {"0": {"1": [90.0, 0.001], "2": [5000.0, 0.002]}}})
    starts = exit_["starts"]
    assert starts["east"] == 0.0
    assert abs(starts["west"] - 0.2) < 1e-9
    assert starts["uncertainty"] == {"east": 0.001, "west": 0.002}
    assert exit_["codes"] == [0, 0]


def test_of_several_commands_the_longest_is_what_started() -> None:
    """Dropping the page cache first may take one host longer than another."""
    jobs = [
        brought("east", times=[[10.0, 10.1], [10.1, 20.0]], started={"monotonic": 10.0}),
        brought("west", times=[[10.0, 10.5], [10.5, 20.4]], started={"monotonic": 10.0}),
    ]
    clocks = {"0": {"1": [0.0, 0.001], "2": [0.0, 0.001]}}
    starts = gathered_exit(jobs, {"clocks": clocks})["starts"]
    assert abs(starts["west"] - 0.4) < 1e-9


def test_a_server_is_not_among_those_that_start_together() -> None:
    jobs = [
        brought("east", started={"monotonic": 10.0}),
        brought("west", started={"monotonic": 3.0}, listens="tcp:5201"),
    ]
    clocks = {"0": {"1": [0.0, 0.001], "2": [0.0, 0.001]}}
    assert gathered_exit(jobs, {"clocks": clocks})["starts"] == {}


def test_every_hosts_settings_are_in_one_table() -> None:
    tuning = {"changed": [{"name": "scheduler"}], "applied": []}
    exit_ = gathered_exit([brought("east", tuning=tuning), brought("west")], {})
    assert exit_["tuning"]["changed"] == [{"host": "east", "name": "scheduler"}]
