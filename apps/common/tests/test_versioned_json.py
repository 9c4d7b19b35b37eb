"""A stored document has a type and a version."""

from __future__ import annotations

import msgspec
import pytest

from apps.common.schemas.versioned_json import SchemaError, VersionedSchema


class Point(msgspec.Struct):
    """A shape with a default."""

    size: int
    name: str = ""


POINT: VersionedSchema[Point] = VersionedSchema(Point)
POINTS: VersionedSchema[tuple[Point, ...]] = VersionedSchema(tuple[Point, ...])


def test_contract_written_object_has_version_and_is_read_again() -> None:
    assert POINT.write(Point(4, "a")) == {"version": 1, "size": 4, "name": "a"}
    assert POINT.read(POINT.write(Point(4, "a"))) == Point(4, "a")


def test_contract_written_list_has_version_and_is_read_again() -> None:
    assert POINTS.write((Point(4),)) == {"version": 1, "rows": [{"size": 4, "name": ""}]}
    assert POINTS.read(POINTS.write((Point(4),))) == (Point(4),)


@pytest.mark.parametrize(
    "stored", [{"version": 2, "size": 4}, {"size": 4}, {"version": 1, "size": "4"}, {}, []]
)
def test_contract_document_of_another_version_or_shape_is_refused(stored: object) -> None:
    with pytest.raises(SchemaError):
        POINT.read(stored)


def test_nothing_of_another_shape_is_written() -> None:
    with pytest.raises(SchemaError, match="size"):
        POINT.write({"size": "large"})
