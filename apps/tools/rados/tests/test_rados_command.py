"""The commands of a test: in which order, on which host, and what stays out of them."""

import pytest

from apps.tools.errors import ParamsError
from apps.tools.procedure import Command
from apps.tools.rados.command import build_procedure
from apps.tools.rados.params import RadosParams
from apps.tools.targets import PoolPlan, ToolTarget

FOUND = ToolTarget("pool", "rbd")
MADE = ToolTarget("pool", "bench", make=PoolPlan(pg_num=32, k=2, m=1, failure_domain="osd"))


def commands(target: ToolTarget = FOUND, **raw: object) -> dict[str, Command]:
    """By role; a role comes once."""
    asked = build_procedure(RadosParams.from_raw(raw), target).commands
    found = {command.role: command for command in asked}
    assert len(found) == len(asked)
    return found


def test_writing_comes_before_reading_and_each_is_an_act_of_all_hosts() -> None:
    found = commands()
    stages = [(step, found[step].stage, found[step].on) for step in ("write", "seq", "rand")]
    assert stages == [("write", 1, "each"), ("seq", 2, "each"), ("rand", 3, "each")]
    others = {c.on for role, c in found.items() if c.stage not in (1, 2, 3)}
    assert others == {"lead"}


def test_tidying_is_an_act_of_its_own_and_the_last() -> None:
    for target in (FOUND, MADE):
        found = commands(target)
        last = max(command.stage for command in found.values())
        assert all(command.always == (command.stage == last) for command in found.values())


def test_the_options_are_rados_s_own() -> None:
    found = commands(bs="64k", object_size="1M", threads=32, seconds=20, max_objects=500)
    where = ("rados", "-p", "rbd", "-N", "benchlab-{attempt}", "bench", "20")
    run = ("--run-name", "benchmark_data_benchlab-{attempt}-{client}")
    sizes = ("--no-cleanup", "-b", "65536", "-O", "1048576", "--max-objects", "500")
    assert found["write"].argv == (*where, "write", "-t", "32", *run, *sizes)
    assert found["seq"].argv == (*where, "seq", "-t", "32", *run)


def test_disabled_options_reach_their_operation() -> None:
    found = commands(verify=False, hints=False)
    assert found["write"].argv[-1] == "--no-hints"
    assert "--no-verify" not in found["write"].argv
    assert found["rand"].argv[-2:] == ("--no-verify", "--no-hints")


def test_the_output_says_what_is_read() -> None:
    found = commands(operations="write+rand")
    assert found["announce-rand"].argv == ("echo", "2/2:", *found["rand"].argv)
    assert found["announce-rand"].stage == found["rand"].stage


def test_in_a_pool_that_is_found_only_the_test_s_own_namespace_is_cleaned() -> None:
    found = commands(seconds=300)
    assert "make" not in found
    assert "delete" not in found
    assert found["cleanup"].always
    assert found["cleanup"].argv[:5] == ("rados", "-p", "rbd", "-N", "benchlab-{attempt}")
    assert found["cleanup"].seconds == 1200
    assert found["left"].argv == ("rados", "-p", "rbd", "-N", "benchlab-{attempt}", "ls")


def test_a_pool_of_its_own_is_made_first_and_deleted_last_whatever_happens() -> None:
    asked = build_procedure(RadosParams.from_raw({}), MADE).commands
    options = ("pg_num=32", "k=2", "m=1", "domain=osd")
    assert asked[0].argv == ("@ceph-pool", "make", "bench", "{attempt}", *options)
    assert not asked[0].always
    assert asked[-1].argv == ("@ceph-pool", "delete", "bench", "{attempt}")
    assert asked[-1].always
    assert not any("cleanup" in command.argv for command in asked)


def test_copies_are_for_replicated_pools() -> None:
    plan = PoolPlan(pg_num=8, replicas=2)
    asked = commands(ToolTarget("pool", "bench", make=plan))["make"].argv
    assert asked[-3:] == ("pg_num=8", "replicas=2", "domain=host")


def test_only_questions_may_fail() -> None:
    found = commands()
    assert not any(found[role].may_fail for role in ("cluster", "write", "cleanup"))
    assert found["health-after"].may_fail


def test_cluster_is_queried_over_one_connection() -> None:
    asked = commands()["cluster"]
    health = '{"prefix": "health", "detail": "detail"}'
    pool = '{"prefix": "osd pool get", "pool": "rbd", "var": "all"}'
    assert asked.argv[:5] == ("@ceph-query", "health-before.json", health, "pool.json", pool)
    assert asked.argv[5:8] == ("--may-fail", "status.json", '{"prefix": "status"}')
    assert asked.files == ("health-before.json", "pool.json", *asked.argv[6::2])
    assert commands()["health-after"].argv == ("@ceph-query", "health-after.json", health)
    assert not [one for one in commands().values() if one.argv[0] == "ceph"]


def test_what_it_takes_is_known() -> None:
    asked = build_procedure(RadosParams.from_raw({"seconds": 10, "write_seconds": 30}), FOUND)
    assert 50 <= asked.seconds <= 60
    assert asked.writes
    assert asked.bytes_written is None
    bounded = build_procedure(RadosParams.from_raw({"bs": "1M", "max_objects": 100}), FOUND)
    assert bounded.bytes_written == 100 * 1024**2


def test_it_measures_pools_only() -> None:
    with pytest.raises(ParamsError, match="Ceph pools"):
        build_procedure(RadosParams.from_raw({}), ToolTarget("directory", "/scratch"))
