"""Stored objects: written by one test, read and removed by others, on the same hosts."""

from __future__ import annotations

import pytest

from apps.tools.errors import ParamsError, ToolError
from apps.tools.parse_result import Output
from apps.tools.procedure import Command
from apps.tools.rados import TOOL
from apps.tools.rados.command import build_procedure
from apps.tools.rados.params import RadosParams
from apps.tools.targets import PoolPlan, ToolTarget

from .test_rados_text import sample

POOL = ToolTarget("pool", "rbd")
STORED = ("rados", "-p", "rbd", "-N", "benchlab-stored-big")


def commands(**raw: object) -> dict[str, Command]:
    """Return the commands by role."""
    built = build_procedure(RadosParams.from_raw(raw), POOL).commands
    return {command.role: command for command in built}


def test_writer_of_stored_objects_removes_older_ones_first_and_keeps_its_own() -> None:
    built = commands(operations="write", stored="big")
    assert built["remove-stored"].argv[:6] == (*STORED, "cleanup")
    assert built["remove-stored"].stage < built["write"].stage
    assert built["write"].argv[:5] == STORED
    assert not {"cleanup", "left"} & built.keys()


def test_reader_of_stored_objects_writes_and_removes_nothing() -> None:
    built = commands(operations="seq+rand", stored="big", threads=8)
    run = ("--run-name", "benchmark_data_stored-{client}")
    assert built["seq"].argv == (*STORED, "bench", "60", "seq", "-t", "8", *run)
    assert not {"cleanup", "left", "remove-stored"} & built.keys()
    params = RadosParams.from_raw({"operations": "seq", "stored": "big"})
    assert not build_procedure(params, POOL).writes


def test_last_reader_removes_stored_objects() -> None:
    built = commands(operations="rand", stored="big", remove_stored=True)
    assert built["cleanup"].argv[:6] == (*STORED, "cleanup")
    assert built["cleanup"].stage > built["rand"].stage
    assert built["cleanup"].always


def test_objects_of_others_are_read_outside_every_namespace() -> None:
    built = commands(operations="seq", run_name="benchmark_last_metadata")
    assert built["seq"].argv[:5] == ("rados", "-p", "rbd", "bench", "60")
    assert built["seq"].argv[-1] == "benchmark_last_metadata"
    assert not any("cleanup" in command.argv for command in built.values())


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"operations": "seq"}, "stored"),
        ({"operations": "seq", "stored": "a", "run_name": "b"}, "stored"),
        ({"operations": "seq", "run_name": "b", "remove_stored": True}, "remove_stored"),
        ({"operations": "write", "stored": "a", "remove_stored": True}, "remove_stored"),
        ({"operations": "write+seq", "run_name": "b"}, "run_name"),
        ({"operations": "seq", "stored": "a", "read_threads": 4}, "read_threads"),
        ({"operations": "write", "read_threads": 4}, "read_threads"),
        ({"operations": "rand", "stored": "a", "max_objects": 4}, "max_objects"),
    ],
)
def test_contradictory_parameters_are_refused(raw: dict[str, object], name: str) -> None:
    with pytest.raises(ParamsError) as caught:
        RadosParams.from_raw(raw)
    assert set(caught.value.errors) == {name}


def test_temporary_pool_has_no_stored_objects() -> None:
    temporary = ToolTarget("pool", "bench", make=PoolPlan(pg_num=8))
    with pytest.raises(ParamsError):
        build_procedure(RadosParams.from_raw({"stored": "a"}), temporary)


def test_reads_have_their_own_operations_in_flight() -> None:
    params = RadosParams.from_raw({"threads": 30, "read_threads": 16})
    built = {c.role: c for c in build_procedure(params, POOL).commands}
    flight = {step: built[step].argv[built[step].argv.index("-t") + 1] for step in params.steps}
    assert flight == {"write": "30", "seq": "16", "rand": "16"}
    threads = {
        step: TOOL.operation_params(params.canonical(), step)["threads"] for step in params.steps
    }
    assert threads == {"write": 30, "seq": 16, "rand": 16}
    assert params.describe() == "write+seq+rand 4 MiB x30, reads x16"


def test_read_of_stored_objects_is_another_workload_than_a_read_after_its_write() -> None:
    stored = RadosParams.from_raw({"operations": "seq", "stored": "a"}).canonical()
    own = RadosParams.from_raw({"operations": "write+seq", "stored": "a"}).canonical()
    assert TOOL.operation_params(stored, "seq") != TOOL.operation_params(own, "seq")


@pytest.mark.parametrize(("planned", "accepted"), [(4 * 1024**2, True), (1024**2, False)])
def test_stored_objects_of_another_block_size_are_refused(planned: int, accepted: bool) -> None:
    data = sample("12.2--seq-before-tuning")
    output = Output({"stdout": data}, params={"operations": "seq", "bs": planned})
    if accepted:
        assert TOOL.parse(output).measurements[0].params["bs"] == planned
        return
    with pytest.raises(ToolError, match="4 MiB"):
        TOOL.parse(output)
