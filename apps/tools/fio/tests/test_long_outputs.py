"""Long lines in outputs of tools: the time stays linear in their length."""

from __future__ import annotations

import pytest

from apps.tools.cleaning import cleaned_text
from apps.tools.fio.parser.documents.repair import load
from apps.tools.fio.parser.normal import patterns

LENGTH = 200_000
# Quadratic patterns need minutes, linear ones milliseconds.
pytestmark = pytest.mark.timeout(100)


def test_string_of_a_line_before_many_spaces_is_cleaned_in_linear_time() -> None:
    text = '{\n "output": "a"' + " " * LENGTH + "x\n}"
    cleaned_text(text.encode())


@pytest.mark.parametrize("begin", [b"", b"1e"])
def test_number_of_many_digits_is_repaired_in_linear_time(begin: bytes) -> None:
    number = begin + b"1" * LENGTH
    assert load(b'{"iops" : ' + number + b"x}") is None
    assert load(b'{"iops" : ' + number + b"}") == {"iops": None}


def test_repeated_begin_of_a_group_is_searched_in_linear_time() -> None:
    assert patterns.STATUS_LINE.search("READ: bw=" * (LENGTH // 9)) is None
