"""Threads are placed on one CPU per hardware queue, and several disks do not pile on the same."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.remote.agent.tuning.pinning import assign_cpus, cpu_order
from apps.remote.agent_tests.client import Client, Message
from apps.remote.agent_tests.loops import Loop
from apps.remote.agent_tests.test_directory import target as directory

EVERY = set(range(64))
# As an NVMe disk shows them on a machine with two memory nodes and two threads a core.
QUEUES = [[0, 4], [1, 5], [2, 6], [3, 7]]


def test_every_queue_has_its_turn_before_one_has_a_second() -> None:
    assert cpu_order(QUEUES, EVERY) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert cpu_order([[0, 1, 2, 3, 8], [4, 5]], EVERY) == [0, 4, 1, 5, 2, 3, 8]


def test_a_cpu_is_taken_once_and_only_if_it_is_free() -> None:
    assert cpu_order([[0, 1], [1, 0]], EVERY) == [0, 1]
    assert cpu_order(QUEUES, {4, 1, 6}) == [4, 1, 6]
    assert cpu_order([], EVERY) == []


def test_several_disks_take_the_cpus_that_fewest_were_given() -> None:
    same = [cpu_order(QUEUES, EVERY)] * 3
    assert assign_cpus(same, 3) == [[0, 1, 2], [3, 4, 5], [6, 7, 0]]
    assert assign_cpus(same, 1) == [[0], [1], [2]]
    assert assign_cpus([[0, 1], [2, 3]], 2) == [[0, 1], [2, 3]]
    assert assign_cpus([[0, 1], [1, 0]], 2) == [[0, 1], [1, 0]]


def cpus(name: str) -> list[str]:
    """The CPUs of a disk's first queue."""
    text = Path(f"/sys/block/{name}/mq/0/cpu_list").read_text()
    return text.replace(" ", "").strip().split(",")


@pytest.mark.needs_root
def test_the_words_become_the_chosen_cpus(client: Client, make_loop: Callable[..., Loop]) -> None:
    loops = [make_loop("a"), make_loop("b")]
    first, second = cpus(loops[0].name)[:2]
    done = client.run(
        ["echo", "{cpus}", "{cpus0}", "--cpus={cpus1}"],
        targets=[loop.target() for loop in loops],
        pin={"threads": 1},
    )
    assert done["argv"] == [["echo", first, first, f"--cpus={second}"]]
    assert done["exit"]["cpus"] == [[first], [second]]


@pytest.mark.needs_root
def test_a_thread_runs_where_it_was_placed(client: Client, loop: Loop) -> None:
    argv = ["taskset", "-c", "{cpus}", "grep", "Cpus_allowed_list", "/proc/self/status"]
    done = client.run(argv, target=loop.target(), pin={"threads": 1})
    said = client.read(done["attempt"], "stdout").decode().split()[1]
    assert [[said]] == done["exit"]["cpus"] == [cpus(loop.name)[:1]]


@pytest.mark.needs_root
def test_more_threads_than_cpus_are_refused_with_both_numbers(client: Client, loop: Loop) -> None:
    done = client.run(["true"], target=loop.target(), pin={"threads": 1000})
    (reason,) = done["refused"]["reasons"]
    assert reason.startswith("CPUs: 1000 threads ")
    assert f"and {len(os.sched_getaffinity(0))} CPUs are there" in reason


@pytest.mark.needs_root
def test_only_cpus_the_agent_may_use_are_chosen(base: Path, loop: Loop) -> None:
    mine = os.sched_getaffinity(0)
    last = max(mine)
    os.sched_setaffinity(0, {last})
    try:
        with Client(base) as client:
            done = client.run(["true"], target=loop.target(), pin={"threads": 1})
            assert done["exit"]["cpus"] == [[str(last)]]
            done = client.run(["true"], target=loop.target(), pin={"threads": 2})
            assert "and 1 CPUs are there" in done["refused"]["reasons"][0]
    finally:
        os.sched_setaffinity(0, mine)


def test_a_directory_is_pinned_to_the_disk_below_it(client: Client, tmp_path: Path) -> None:
    device = os.stat(tmp_path).st_dev
    disk = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    if not (disk / "mq").exists():
        pytest.skip("the temporary folder lies on no disk with hardware queues")
    done = client.run(["true"], target=directory(tmp_path), pin={"threads": 1})
    assert done["exit"]["cpus"] == [cpus(disk.name)[:1]]


@pytest.mark.needs_root
def test_where_there_are_no_queues_nothing_is_pinned(client: Client, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "memory", str(tmp_path / "m")], check=True)
    try:
        done = client.run(["true"], target=directory(tmp_path / "m"), pin={"threads": 1})
    finally:
        subprocess.run(["umount", str(tmp_path / "m")], check=True)
    assert "shows no hardware queues" in done["refused"]["reasons"][0]


@pytest.mark.parametrize("pin", [{}, {"threads": 0}, {"threads": True}, {"threads": "2"}, 2])
def test_a_pin_that_cannot_be_meant_is_not_started(client: Client, pin: Message) -> None:
    spec = {"attempt": "a", "commands": [{"argv": ["true"]}], "pin": pin}
    assert client.ask("launch", spec=spec)["error"] == "bad-request"


def test_a_pin_without_a_target_is_not_started(client: Client) -> None:
    spec = {"attempt": "a", "commands": [{"argv": ["true"]}], "pin": {"threads": 1}}
    assert "no target" in client.ask("launch", spec=spec)["message"]
