"""A stored document has a type and a version, and is read however old it is."""

from __future__ import annotations

import msgspec
import pytest

from apps.common.stored.contracts import Contract, ContractError, Plain, unchanged


class Point(msgspec.Struct):
    """A shape of three versions: without a version, with `bytes`, and with `size` for it."""

    size: int
    name: str = ""


def renamed(stored: Plain) -> Plain:
    assert isinstance(stored, dict)
    return {("size" if name == "bytes" else name): value for name, value in stored.items()}


POINT: Contract[Point] = Contract(Point, unchanged, renamed)
POINTS: Contract[tuple[Point, ...]] = Contract(tuple[Point, ...], unchanged)


@pytest.mark.parametrize(
    "stored", [{"bytes": 4}, {"version": 1, "bytes": 4}, {"version": 2, "size": 4}]
)
def test_every_version_is_read(stored: object) -> None:
    assert POINT.read(stored) == Point(4)


def test_what_is_written_says_its_version_and_is_read_again() -> None:
    assert POINT.write(Point(4, "a")) == {"version": 2, "size": 4, "name": "a"}
    assert POINT.read(POINT.write(Point(4, "a"))) == Point(4, "a")


def test_a_list_is_read_bare_and_with_its_version() -> None:
    assert POINTS.read([{"size": 4}]) == (Point(4),)
    assert POINTS.write((Point(4),)) == {"version": 1, "rows": [{"size": 4, "name": ""}]}
    assert POINTS.read(POINTS.write((Point(4),))) == (Point(4),)


@pytest.mark.parametrize(
    "stored",
    [{"version": 3, "size": 4}, {"version": -1, "size": 4}, {"version": 2, "size": "4"}, {}],
)
def test_what_is_newer_or_of_another_shape_is_refused(stored: object) -> None:
    with pytest.raises(ContractError):
        POINT.read(stored)


def test_nothing_of_another_shape_is_written() -> None:
    with pytest.raises(ContractError, match="size"):
        POINT.write({"size": "large"})
