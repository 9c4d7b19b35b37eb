"""Points of a file: the plan's own workload where everything is known, else a key of its own."""

from __future__ import annotations

import hashlib

from apps.imports.tests.factories import sample
from apps.tools.base import Output
from apps.tools.params import workload_key
from apps.tools.points import Point, point_again, points_of
from apps.tools.registry import tool


def points(name: str, folder: str) -> list[Point]:
    return points_of(tool(name).parse(Output({"stdout": sample(name, folder)})))


def test_dd_says_everything_so_it_meets_benchlabs_own_runs() -> None:
    (point,) = points("dd", "8.x--chinese-4k")
    raw = {"rw": "write", "bs": 4096, "size": 1228800000, "direct": True}
    params = tool("dd").params
    assert params is not None
    assert point.exact
    assert point.key == workload_key("dd", params.from_raw(raw))
    assert point.label == "write 4 KiB, 1200000 KiB, direct"


def test_fio_text_does_not_say_the_address_space() -> None:
    (point,) = points("fio", "3.1--randread-4k-qd128")
    assert not point.exact
    assert point.label.startswith("randread, bs 4 KiB, ioengine libaio, iodepth 128, numjobs 1")


def test_the_key_of_what_is_known_never_changes() -> None:
    point = points("iperf", "2.x--team-tcp-10s")[0]
    known = '{"direction":"forward","protocol":"tcp","streams":1}'
    text = f'{{"known":{known},"tool":"iperf"}}'
    assert point.key == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_sequential_and_a_random_read_are_different_workloads() -> None:
    (seq,), (rand,) = (
        points("rados", "12.2--seq-before-tuning"),
        points("rados", "12.2--rand-before-tuning"),
    )
    assert seq.key != rand.key


def test_each_cell_of_a_table_is_a_point_and_each_operation_once() -> None:
    found = points("iozone", "3.489--auto")
    places = [(point.key, point.occurrence) for point in found]
    assert len(set(places)) == len(places)
    for point in found:
        operations = [each.operation for each in point.measurements]
        assert len(set(operations)) == len(operations)


def test_a_point_is_found_again_by_its_key_else_by_its_place() -> None:
    found = points("iozone", "3.489--auto")
    third = found[2]
    assert point_again(found, third.key, third.occurrence, 2) == third
    assert point_again(found, "unheard of", 0, 2) == third
    assert point_again(found, "unheard of", 0, 5000) is None
