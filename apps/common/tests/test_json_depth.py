"""Bodies may be nested, but not so deep that reading them exhausts the stack."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rest_framework.exceptions import ParseError

from apps.common.api.parsers import DEEPEST, MOST_VALUES, JSONParser, is_deeper


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def parse(body: bytes) -> Any:
    return JSONParser().parse(io.BytesIO(body), "application/json", {})


@pytest.mark.parametrize("body", [b"1", b"{}", b'{"a": [1, {"b": []}]}', nested(DEEPEST)])
def test_ordinary_bodies_are_taken(body: bytes) -> None:
    parse(body)


@pytest.mark.parametrize("levels", [DEEPEST + 1, 400, 100_000])
def test_deep_ones_are_refused_in_a_sentence(levels: int) -> None:
    with pytest.raises(ParseError, match="32 levels"):
        parse(nested(levels))


def test_levels_of_objects_count_like_those_of_lists() -> None:
    body: Any = 1
    for _ in range(3):
        body = {"a": [body]}
    assert is_deeper(body, 5)
    assert not is_deeper(body, 6)


def test_body_of_too_many_values_is_refused_in_a_sentence() -> None:
    """Each would be checked by a field: 5 MiB have millions of them."""
    parse(b"[" + b"1," * (MOST_VALUES - 1) + b"1]")
    for body in (b"[" + b"1," * MOST_VALUES + b"1]", b'{"a":[' + b"[1,1]," * MOST_VALUES + b"1]}"):
        with pytest.raises(ParseError, match="150,000 values"):
            parse(body)
