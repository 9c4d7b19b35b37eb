"""Numbers and lists typed with an input method have ASCII forms."""

from __future__ import annotations

import pytest

from apps.common.domain.typed_text import narrow


@pytest.mark.parametrize(
    ("typed", "narrowed"),
    [
        ("１２８", "128"),
        ("1，4，16", "1,4,16"),
        ("1、4、16", "1,4,16"),
        ("４ｋ", "4k"),
        ("node1：22", "node1:22"),
        ("iodepth：1。。32", "iodepth:1..32"),
        ("节点 1", "节点 1"),
    ],
)
def test_text_of_an_input_method_becomes_ascii_forms(typed: str, narrowed: str) -> None:
    assert narrow(typed) == narrowed
