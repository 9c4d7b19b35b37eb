"""Errors of a struct name the field and what is allowed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest
from django.utils import translation
from msgspec import Meta

from apps.common.schemas.struct_fields import struct_errors
from apps.tools.fields import Field


class Inner(msgspec.Struct, frozen=True):
    seconds: Annotated[float, Meta(ge=0.5, le=60), Field("number", "Seconds")] = 1.0


class Outer(msgspec.Struct, frozen=True):
    count: Annotated[int, Meta(ge=1, le=9), Field("int", "Count")] = 1
    mode: Annotated[
        Literal["", "fast"], Field("choice", "Mode", choices=("", "fast"), labels=("no", "yes"))
    ] = ""
    label: Annotated[str, Meta(max_length=3), Field("text", "Label")] = ""
    inner: Annotated[Inner | None, Field("group", "Inner")] = None


@pytest.mark.parametrize(
    ("values", "name", "text"),
    [
        ({"count": 10}, "count", "Count: give a number from 1 to 9."),
        ({"count": "1"}, "count", "Count: give a number from 1 to 9."),
        ({"mode": "slow"}, "mode", "Mode: choose one of fast."),
        ({"label": "long"}, "label", "Label: write at most 3 characters."),
        ({"inner": Inner(0.1)}, "inner.seconds", "Seconds: give a number from 0.5 to 60."),
    ],
)
def test_struct_errors_with_a_value_out_of_range_name_field_and_range(
    values: dict[str, object], name: str, text: str
) -> None:
    with translation.override("en"):
        assert list(struct_errors(msgspec.structs.replace(Outer(), **values))) == [(name, text)]


def test_struct_errors_of_possible_values_are_none() -> None:
    assert list(struct_errors(Outer(9, "fast", "abc", Inner(60)))) == []
