"""People's writing -> canonical values, sweeps and workload keys."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.tools.errors import ParamsError
from apps.tools.fields import Field
from apps.tools.param_values import (
    cpu_numbers,
    format_cpus,
    format_size,
    parse_cpus,
    parse_duration,
    parse_flag,
    parse_int,
    parse_name,
    parse_size,
)
from apps.tools.params import build, canonical_key
from apps.tools.sweep import MAX_POINTS, sweep


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("4k", 4096), ("4KiB", 4096), ("4 KB", 4096), ("1G", 2**30), ("4096", 4096), (512, 512)),
        *(("2m", 2 * 2**20), ("1T", 2**40), ("0", 0), ("512B", 512)),
    ],
)
def test_sizes(text: object, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "k", "-4k", "4.5k", "1e3", "4kk", True, 4.0, None, "9" * 30])
def test_what_is_no_size(text: object) -> None:
    with pytest.raises(ValueError, match="Write a size"):
        parse_size(text)


@given(st.integers(0, 10**18 - 1))
def test_a_printed_size_reads_back(size: int) -> None:
    assert parse_size(format_size(size)) == size


@pytest.mark.parametrize(
    ("text", "seconds"), [("300", 300), (300, 300), ("5m", 300), ("2h", 7200), ("1 d", 86400)]
)
def test_durations(text: object, seconds: int) -> None:
    assert parse_duration(text) == seconds


def test_other_kinds() -> None:
    assert parse_int(" 12 ") == 12
    assert parse_flag("Yes") is True
    assert parse_flag(0) is False
    assert parse_name("a-b_1") == "a-b_1"
    for parse, wrong in [(parse_int, "1.5"), (parse_flag, "maybe"), (parse_name, "a b")]:
        with pytest.raises(ValueError, match=r"\.$"):
            parse(wrong)


def test_cpu_lists() -> None:
    assert parse_cpus("8, 0-2,3") == "0-3,8"
    assert cpu_numbers("0-2,8") == [0, 1, 2, 8]
    for wrong in ["3-1", "a", "0-99999", "1,,2", ""]:
        with pytest.raises(ValueError, match=r"\.$"):
            parse_cpus(wrong)


@given(st.sets(st.integers(0, 4095), min_size=1, max_size=50))
def test_cpu_lists_read_back(numbers: set[int]) -> None:
    assert cpu_numbers(format_cpus(sorted(numbers))) == sorted(numbers)


def test_a_sweep_keeps_its_order() -> None:
    points = sweep({"rw": "read", "depth": "1, 4", "bs": ["4k", "8k", "4k"]})
    assert [(p["depth"], p["bs"]) for p in points] == [
        *(("1", "4k"), ("1", "8k")),
        *(("4", "4k"), ("4", "8k")),
    ]
    assert sweep({}) == [{}]


def test_a_cpu_list_is_one_value() -> None:
    fields = {"cpus": Field("cpus", "CPUs", "CPUs.")}
    assert sweep({"cpus": "0,1"}, fields) == [{"cpus": "0,1"}]
    assert len(sweep({"cpus": ["0,1", "2,3"]}, fields)) == 2


def test_a_sweep_is_bounded() -> None:
    assert len(sweep({"a": list(range(MAX_POINTS))})) == MAX_POINTS
    with pytest.raises(ParamsError) as caught:
        sweep({"a": list(range(1000)), "b": list(range(11))})
    assert caught.value.errors == {"a": "This sweep has 11000 points; at most 5000 are allowed."}
    with pytest.raises(ParamsError):
        sweep({"a": []})


@dataclass(frozen=True)
class Mode:
    """A plugin's parameters in small."""

    mode: str
    count: int = 1


FIELDS = {
    "mode": Field("choice", "Mode", "Mode.", choices=("a", "b")),
    "count": Field("int", "Count", "Count.", minimum=1, maximum=9, unit="times"),
}


@pytest.mark.parametrize(
    ("raw", "errors"),
    [
        ({}, {"mode": "A value is needed here."}),
        ({"mode": "c"}, {"mode": "Choose one of a, b."}),
        ({"mode": "a", "count": 10}, {"count": "At most 9 times."}),
        ({"mode": "a", "count": 0}, {"count": "At least 1 times."}),
        ({"mode": "a", "x": 1}, {"x": "There is no such parameter."}),
    ],
)
def test_each_wrong_field_has_a_sentence(raw: dict[str, object], errors: dict[str, str]) -> None:
    with pytest.raises(ParamsError) as caught:
        build(Mode, FIELDS, raw)
    assert caught.value.errors == errors


def test_missing_values_take_the_default() -> None:
    assert build(Mode, FIELDS, {"mode": "b"}) == Mode("b", 1)


def test_the_key_depends_on_content_not_order() -> None:
    assert canonical_key({"b": 1, "a": [1, 2]}) == canonical_key({"a": [1, 2], "b": 1})
    assert canonical_key({"a": 1}) == "015abd7f5cc57a2d"
    assert canonical_key({"a": 1}) != canonical_key({"a": True})


SIZE = Field("size", "Block size", "", minimum=512, maximum=1024**3)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("4k..64k", [4096, 8192, 16384, 32768, 65536]),
        ("4k..4k", [4096]),
        ("4k..20k", [4096, 8192, 16384, 20480]),
        ("1k, 4k..8k", ["1k", 4096, 8192]),
    ],
)
def test_a_range_doubles_up_to_its_end(text: str, values: list[object]) -> None:
    assert [point["bs"] for point in sweep({"bs": text}, {"bs": SIZE})] == values


@pytest.mark.parametrize("text", ["64k..4k", "..4k", "4k..", "4k..x", "0..4k", "4k..2T"])
def test_a_range_that_is_none_gets_a_sentence(text: str) -> None:
    with pytest.raises(ParamsError) as caught:
        sweep({"bs": text}, {"bs": SIZE})
    assert list(caught.value.errors) == ["bs"]
