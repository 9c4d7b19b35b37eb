"""Bytes that nobody can read are not tried with every tool line by line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from apps.tools.registry import recognise
from apps.tools.split_output.splitter import split
from apps.tools.text import is_blank, is_text

TOOLS = Path(__file__).parents[1]
TEXTS = [p for p in TOOLS.glob("*/tests/samples/*/*") if p.suffix not in (".xls", ".xlsx", ".json")]


def test_an_image_of_a_disk_is_no_text_and_no_tools() -> None:
    image = random.Random(1).randbytes(1 << 20)
    assert not is_text(image)
    assert recognise(image) is None
    assert split(image) == ()


def test_every_sample_is_text() -> None:
    assert [path for path in TEXTS if not is_text(path.read_bytes())] == []


@pytest.mark.parametrize(("data", "blank"), [(b"", True), (b" \t\r\n", True), (b"\n x", False)])
def test_what_is_blank(data: bytes, blank: bool) -> None:
    assert is_blank(data) is blank is (not data.strip())


def test_dirt_in_a_text_does_not_hide_it() -> None:
    line = b"  read: IOPS=100, BW=400KiB/s (410kB/s)(4096KiB/10240msec)\n"
    assert is_text(line + b"\x00\xff\x01" + line)
    assert is_text(("\ufeff" + line.decode()).encode("utf-16"))
    assert is_text("größer, µs, 日本語\n".encode() * 100)
