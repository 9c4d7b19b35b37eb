"""A sweep is what varies while all else is equal."""

from __future__ import annotations

import pytest

from apps.tools.values import Parameters
from apps.tools.workloads.varying import axes, differing, varying


def at(*points: Parameters) -> list[tuple[str, Parameters]]:
    return [("here", point) for point in points]


@pytest.mark.parametrize(
    ("points", "names"),
    [
        ([{"rw": "read", "depth": 1}, {"rw": "read", "depth": 8}], ["depth"]),
        ([{"rw": "read", "bs": 4096}, {"rw": "write", "bs": 4194304}], []),
        ([{"bs": 1, "depth": 1}, {"bs": 2, "depth": 1}, {"bs": 2, "depth": 2}], ["bs", "depth"]),
        ([{"rw": "read", "depth": 1}, {"rw": "write", "depth": 1}], ["rw"]),
        ([{"depth": 1}, {"depth": 1}], []),
        ([], []),
    ],
)
def test_what_varies(points: list[Parameters], names: list[str]) -> None:
    assert list(varying(at(*points))) == names


def test_values_stand_by_value_and_words_are_no_axis() -> None:
    reading: list[Parameters] = [{"depth": depth, "rw": "read"} for depth in (16, 1, 2)]
    points = at(*reading, {"depth": 1, "rw": "rw"})
    found = varying(points)
    assert found["depth"].values == (1, 2, 16)
    assert found["depth"].is_number
    assert not found["rw"].is_number
    assert list(axes(points)) == ["depth"]


def test_single_number_with_unset_values_is_no_axis() -> None:
    found = varying(at({"size": 4096}, {"size": None}))
    assert found["size"].values == (4096, None)
    assert axes(at({"size": 4096}, {"size": None})) == {}


def test_another_place_is_not_equal() -> None:
    assert varying([("disk a", {"depth": 1}), ("disk b", {"depth": 2})]) == {}


def test_differing_asks_for_nothing_else_to_be_equal() -> None:
    rows: list[Parameters] = [
        {"rw": "read", "bs": 1},
        {"rw": "write", "bs": 1},
        {"rw": "read", "depth": 2},
    ]
    assert differing(rows) == ["rw", "bs", "depth"]
    assert differing(rows, ["rw"]) == ["bs", "depth"]
    assert differing(rows, stated_only=True) == ["rw"]
    assert differing([]) == []
