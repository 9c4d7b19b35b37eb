"""Long lines in outputs of tools: the time stays linear in their length."""

from __future__ import annotations

import time

import pytest

from apps.tools.cleaning import cleaned_text
from apps.tools.fio.parser.documents.repair import load
from apps.tools.fio.parser.normal import patterns

LENGTH = 200_000
MAX_SECONDS = 10.0
"""Of the processor. Quadratic patterns need minutes, linear ones milliseconds."""


def test_string_of_a_line_before_many_spaces_is_cleaned_in_linear_time() -> None:
    text = '{\n "output": "a"' + " " * LENGTH + "x\n}"
    started = time.process_time()
    cleaned_text(text.encode())
    assert time.process_time() - started < MAX_SECONDS


@pytest.mark.parametrize("begin", [b"", b"1e"])
def test_number_of_many_digits_is_repaired_in_linear_time(begin: bytes) -> None:
    number = begin + b"1" * LENGTH
    started = time.process_time()
    assert load(b'{"iops" : ' + number + b"x}") is None
    assert load(b'{"iops" : ' + number + b"}") == {"iops": None}
    assert time.process_time() - started < MAX_SECONDS


def test_repeated_begin_of_a_group_is_searched_in_linear_time() -> None:
    started = time.process_time()
    assert patterns.STATUS_LINE.search("READ: bw=" * (LENGTH // 9)) is None
    assert time.process_time() - started < MAX_SECONDS
