"""Lines that gave no figure are found without knowing the tool."""

from __future__ import annotations

from apps.imports.domain.unused_lines import unused_lines
from apps.imports.tests.factories import sample


def test_foreign_lines_are_named_by_their_numbers() -> None:
    lines = sample("dd", "8.x--chinese-4k").split(b"\n")
    text = b"\n".join([b"[root@node1 ~]# date", *lines, b"bye"])
    found, all_tried = unused_lines(text, tool="dd", path_params={})
    numbers = [number for number, _text in found]
    assert all_tried
    assert 1 in numbers
    assert len(lines) + 2 in numbers
    result = next(n for n, line in enumerate(text.split(b"\n"), 1) if b"MB" in line)
    assert result not in numbers


def test_a_long_text_is_not_tried() -> None:
    assert unused_lines(b"x\n" * 3000, tool="dd", path_params={}) == ([], False)
