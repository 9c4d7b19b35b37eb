"""Points of a file: the plan's own workload where everything is known, else a key of its own."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from apps.imports.tests.factories import sample
from apps.tools.params import workload_key
from apps.tools.parse_result import Output, Parsed
from apps.tools.registry import parse_output, tool
from apps.tools.values import Parameters
from apps.tools.workloads.points import Point, point_again, points_of


def points(name: str, folder: str) -> list[Point]:
    return points_of(tool(name).parse(Output({"stdout": sample(name, folder)})))


def test_dd_says_everything_so_it_meets_benchlabs_own_runs() -> None:
    (point,) = points("dd", "8.x--chinese-4k")
    raw = {"rw": "write", "bs": 4096, "size": 1228800000, "direct": True}
    params = tool("dd").params
    assert params is not None
    assert point.exact
    assert point.key == workload_key("dd", params.from_raw(raw))
    assert point.label == "sequential write 4 KiB, in 1.144 GiB"


def test_fio_text_does_not_say_the_address_space() -> None:
    (point,) = points("fio", "3.1--randread-4k-qd128")
    assert not point.exact
    assert point.label.startswith("random read 4 KiB, QD 128")


def test_the_key_of_what_is_known_never_changes() -> None:
    point = points("iperf", "3.x--openwrt-ten-seconds")[0]
    known = (
        '{"direction":"forward","omit":0,"program":"iperf3","protocol":"tcp","seconds":10,'
        '"streams":1}'
    )
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
    positions = [(point.key, point.occurrence) for point in found]
    assert len(set(positions)) == len(positions)
    for point in found:
        operations = [each.operation for each in point.measurements]
        assert len(set(operations)) == len(operations)


def test_a_point_is_found_again_by_its_key_else_by_its_place() -> None:
    found = points("iozone", "3.489--auto")
    third = found[2]
    assert point_again(found, third.key, third.occurrence, 2) == third
    assert point_again(found, "unheard of", 0, 2) == third
    assert point_again(found, "unheard of", 0, 5000) is None


def fio_json(**options: str) -> list[Point]:
    side = {"total_ios": 100, "io_bytes": 409600, "iops": 10.0, "bw_bytes": 40960, "runtime": 10000}
    job = {"jobname": "a", "groupid": 0, "error": 0, "job options": options, "read": side}
    document = {"fio version": "fio-3.33", "jobs": [job]}
    return points_of(tool("fio").parse(Output({"stdout": json.dumps(document).encode()})))


def fio_point(**options: str) -> Point:
    (point,) = fio_json(rw="randread", bs="4k", **options)
    return point


def test_an_option_that_no_plan_has_makes_another_workload() -> None:
    """Else a sweep over it would be taken for repeats of one test."""
    plain, even = fio_point(), fio_point(random_distribution="random")
    skewed, mixed = fio_point(random_distribution="zipf:1.2"), fio_point(bssplit="4k/50:64k/50")
    assert len({point.key for point in (plain, even, skewed, mixed)}) == 4
    assert "random_distribution zipf:1.2" in skewed.label


def test_option_value_outside_a_plan_is_stored() -> None:
    assert fio_point(rwmixread="101").key != fio_point(rwmixread="102").key


def test_where_fio_writes_what_down_makes_no_other_workload() -> None:
    noted = {"name": "a", "filename": "/dev/vdb", "write_bw_log": "x", "log_avg_msec": "500"}
    assert fio_point(**noted).key == fio_point().key


def test_a_plans_own_workload_with_one_option_more_is_another() -> None:
    params = tool("fio").params
    assert params is not None
    plan = {n: v for n, v in params.from_raw({}).canonical().items() if v is not None}
    raw = {n: str(int(v) if isinstance(v, bool) else v) for n, v in plan.items()}
    (same,), (other,) = fio_json(**raw), fio_json(**raw, an_option_of_tomorrow="100")
    assert same.exact
    assert same.key == workload_key("fio", params.from_raw(plan))
    assert not other.exact
    assert other.key != same.key


def test_what_is_remembered_of_one_file_is_no_other_files() -> None:
    parsed = tool("iperf").parse(Output({"stdout": sample("iperf", "2.x--team-tcp-10s")}))
    whole = replace(parsed.measurements[0], component="")

    def point(streams: float) -> Point:
        said: Parameters = {"protocol": "tcp", "streams": streams}
        return points_of(replace(parsed, measurements=(replace(whole, params=said),)))[0]

    assert len({point(value).key for value in (1, True)}) == 2
    first = point(1)
    assert isinstance(first.params, dict)
    first.params["streams"] = 2
    assert point(1).params["streams"] == 1


def dd_parsed() -> Parsed:
    return tool("dd").parse(Output({"stdout": sample("dd", "8.x--chinese-4k")}))


def test_points_of_two_calls_with_equal_parameters_are_two_with_one_key() -> None:
    parsed = dd_parsed()
    (first,) = parsed.measurements
    both = (first, replace(first, operation="read", call=2))
    points = points_of(replace(parsed, measurements=both))
    assert [point.call for point in points] == [1, 2]
    assert [len(point.measurements) for point in points] == [1, 1]


def test_points_of_two_targets_in_one_call_are_two() -> None:
    parsed = dd_parsed()
    (first,) = parsed.measurements
    both = (replace(first, target="sdb"), replace(first, operation="read", target="sdc"))
    points = points_of(replace(parsed, measurements=both))
    assert [point.target for point in points] == ["sdb", "sdc"]


def test_point_with_an_unread_option_is_not_exact_and_has_another_key() -> None:
    parsed = dd_parsed()
    (first,) = parsed.measurements
    (known,) = points_of(parsed)
    options = ("conv=sparse",)
    (other,) = points_of(replace(parsed, measurements=(replace(first, unread_options=options),)))
    assert known.exact
    assert not other.exact
    assert other.key != known.key


def test_point_with_one_partial_measurement_is_partial_with_its_warnings() -> None:
    parsed = dd_parsed()
    (first,) = parsed.measurements
    partial = replace(first, completeness="partial", warnings=("cut off",))
    (point,) = points_of(replace(parsed, measurements=(partial,)))
    assert point.completeness == "partial"
    assert point.warnings == ("cut off",)


def test_output_printed_twice_is_a_copy_of_the_first() -> None:
    text = sample("rados", "12.2--write-after-tuning")
    first, second = points_of(parse_output("rados", Output({"stdout": text + b"\n" + text})))
    assert (first.same_as, second.same_as) == (None, 0)
    assert (first.occurrence, second.occurrence) == (0, 1)
    assert first.lines is not None
    assert second.lines is not None
    assert first.lines[1] < second.lines[0]


def test_few_equal_figures_are_two_runs() -> None:
    text = sample("dd", "8.x--chinese-4k")
    first, second = points_of(parse_output("dd", Output({"stdout": text + b"\n" + text})))
    assert (first.same_as, second.same_as) == (None, None)
