"""Documents of iperf3 as other programs write them again: in pieces, sorted, in lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.tools.iperf import TOOL
from apps.tools.parse_result import Measurement, Output

FILE = Path(__file__).parent / "samples" / "3.12--bidirectional-json" / "result.json"
DOCUMENT = json.loads(FILE.read_text())


def measurements(text: str) -> list[Measurement]:
    found = TOOL.parse(Output({"stdout": text.encode(), "stderr": b""})).measurements
    return [replace(each, lines=None, call=1) for each in found]


def in_pieces(document: Any) -> str:
    events = [
        {"event": "start", "data": document["start"]},
        *({"event": "interval", "data": each} for each in document["intervals"]),
        {"event": "end", "data": document["end"]},
    ]
    return "".join(f"{json.dumps(event)}\n" for event in events)


@pytest.mark.parametrize(
    ("arrange", "times"),
    [
        (in_pieces, 1),
        (lambda document: in_pieces(document) * 2, 2),
        (lambda document: in_pieces(document) + json.dumps(document, indent=1), 1),
        (lambda document: json.dumps(document, indent=2, sort_keys=True), 1),
        (lambda document: json.dumps([document, document], sort_keys=True), 2),
        (lambda document: json.dumps({"a": document, "b": {"x": document}}, indent=2), 2),
    ],
)
def test_a_document_is_read_however_it_is_arranged(
    arrange: Callable[[Any], str], times: int
) -> None:
    text = arrange(DOCUMENT)
    assert TOOL.detect(text.encode())
    assert measurements(text) == measurements(FILE.read_text()) * times
