"""Values stand by value, names as people count, operations as their tool speaks of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from apps.tools.registry import TOOLS
from apps.tools.tests.test_plugins_of_tools import SAMPLES
from apps.tools.values import Parameters
from apps.tools.workloads.order import (
    name_key,
    names_in_order,
    operation_key,
    operations_in_order,
    param_key,
    value_key,
    workload_order,
)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 4, 8, 16, 32, 64],
        [False, True],
        [0.5, 1, 1024, 1048576, None],
        [4, "none", "sdb2", "sdb10", None],
    ],
)
def test_values_by_value_and_what_is_not_set_last(values: list[Any]) -> None:
    shuffled = random.Random(1).sample(values, len(values))
    assert sorted(shuffled, key=value_key) == values


def test_choices_stand_as_their_tool_offers_them() -> None:
    modes = ["read", "write", "randread", "randwrite", "something else"]
    assert sorted(sorted(modes), key=lambda rw: param_key("fio", "rw", rw)) == modes


def test_names_as_people_count() -> None:
    names = ["", "node", "node1", "node2", "node10", "node10 sdb", "Node11", "x"]
    assert names_in_order([*reversed(names), "node2"]) == names
    assert sorted(["a²", "a2", "a10"], key=name_key) == ["a2", "a10", "a²"]


@pytest.mark.parametrize(
    ("tool", "operations"),
    [
        ("rados", ["write", "seq", "rand"]),
        ("fio", ["read", "write", "trim", "sync"]),
        ("iozone", ["write", "rewrite", "read", "reread", "random_read", "freread", "random_mix"]),
        ("iperf", ["send", "receive"]),
        ("unheard of", ["rand", "seq", "write"]),
    ],
)
def test_operations_in_their_tools_own_order(tool: str, operations: list[str]) -> None:
    assert sorted(sorted(operations), key=lambda one: operation_key(tool, one)) == operations


def test_operations_of_several_tools_each_once() -> None:
    pairs = [("rados", "rand"), ("rados", "write"), ("fio", "write"), ("fio", "read")]
    assert operations_in_order(pairs) == ["read", "write", "rand"]


def test_workloads_by_the_parameters_of_the_form() -> None:
    points: list[Parameters] = [
        {"rw": "read", "bs": 4096, "iodepth": 1},
        {"rw": "read", "bs": 4096, "iodepth": 2},
        {"rw": "read", "bs": 4096, "iodepth": 16},
        {"rw": "read", "bs": 65536, "iodepth": 1},
        {"rw": "randread", "bs": 512, "iodepth": 1},
        {"rw": "randread", "bs": 512, "iodepth": 1, "odd": 2},
        {"rw": "randread", "bs": 512, "iodepth": 1, "odd": 10},
    ]
    shuffled = random.Random(1).sample(points, len(points))
    assert sorted(shuffled, key=lambda params: workload_order("fio", params)) == points


def test_what_was_imported_begins_with_its_operation() -> None:
    points: list[Parameters] = [
        {"operation": "write", "seconds": 10, "threads": 16},
        {"operation": "seq", "seconds": 10},
        {"operation": "rand", "seconds": 10},
    ]
    shuffled = random.Random(1).sample(points, len(points))
    assert sorted(shuffled, key=lambda params: workload_order("rados", params)) == points


def test_there_are_samples_of_every_plugin() -> None:
    assert {plugin.name for plugin, _path in SAMPLES} == set(TOOLS)


def test_names_of_thousands_of_digits_are_sorted() -> None:
    """`int` refuses more than 4,300; a foreign result may have them."""
    long = "9" * 5_000
    assert set(names_in_order([long, "b", "a10", "a9"])) == {long, "b", "a10", "a9"}
    assert name_key("a9") < name_key("a10") < name_key(f"a{'9' * 300}")
