"""Outputs that a mailer wrapped are read as if it had not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.tools.parse_result import Output
from apps.tools.registry import TOOLS, recognise

TOOLS_FOLDER = Path(__file__).parents[1]
LONGEST_LINE = 1_000  # a page that made one line of a table left nothing to wrap


def _samples() -> Iterator[Any]:
    for name in ("dd", "iostat", "iozone", "rados", "rbd"):
        for path in sorted((TOOLS_FOLDER / name / "tests" / "samples").glob("*/output.txt")):
            text = path.read_bytes().decode("utf-8", "replace")
            if max(map(len, text.split("\n"))) < LONGEST_LINE and "\ufffd" not in text:
                yield pytest.param(name, text, id=f"{name}/{path.parent.name}")


def wrapped(text: str, width: int) -> str:
    """The text with its lines broken between words; a margin is not broken."""
    lines: list[str] = []
    for line in text.expandtabs().split("\n"):
        rest = line
        while len(rest) > width:
            cut = rest.rfind(" ", 0, width + 1)
            if cut <= len(rest) - len(rest.lstrip()):
                break
            lines.append(rest[:cut].rstrip())
            rest = rest[cut + 1 :]
        lines.append(rest)
    return "\n".join(lines)


def results(name: str, text: str) -> list[object]:
    parsed = TOOLS[name].parse(Output({"stdout": text.encode(), "stderr": b""}))
    return [
        (each.operation, each.bandwidth, each.iops, each.latency, each.params, each.target)
        for each in parsed.measurements
    ]


@pytest.mark.parametrize("width", [72, 78])
@pytest.mark.parametrize(("name", "text"), list(_samples()))
def test_wrapped_output_has_the_same_results(name: str, text: str, width: int) -> None:
    changed = wrapped(text, width)
    assert recognise(changed.encode()) is TOOLS[name]
    assert results(name, changed) == results(name, text)
