"""iperf3 -J as it arrives: documents with whatever was printed around them, whole or cut off.

iperf3 prints -nan where it divides by zero.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.tools.text import number

START = re.compile(r'^[^\S\n]*\{\s*"(?:start|title|extra_data|error)"\s*:', re.MULTILINE)
MAX_DOCUMENTS = 10_000
_NAN = re.compile(r'("\s*:\s*)[-+]?(?:nan|inf(?:inity)?)(?=\s*[,}\]])', re.IGNORECASE)
_SUM = re.compile(r'"(sum(?:_bidir_reverse)?)"\s*:\s*(\{[^{}]{0,2000}\})')
Object = Mapping[str, Any]


@dataclass
class Document:
    """One test's parts, empty where they are missing or of another shape."""

    start: Object
    intervals: list[Object]
    end: Object
    error: str | None = None
    cut: bool = False

    @property
    def asked(self) -> Object:
        """The parameters the client asked for."""
        return mapping(self.start.get("test_start"))

    @property
    def reverse(self) -> bool:
        """Whether the server sends."""
        return bool(self.asked.get("reverse"))


def documents(text: str) -> Iterator[Document]:
    """Every document, the last one perhaps cut off."""
    text = _NAN.sub(r"\1null", text)
    decoder, position = json.JSONDecoder(parse_constant=lambda _: None), 0
    for _ in range(MAX_DOCUMENTS):
        start = START.search(text, position)
        if not start:
            return
        try:
            raw, position = decoder.raw_decode(text, start.end() - len(start[0].lstrip()))
        except (ValueError, RecursionError):
            following = START.search(text, start.end())
            position = following.start() if following else len(text)
            yield _salvaged(text[start.start() : position])
            continue
        yield _document(raw)


def _document(raw: Any) -> Document:
    raw = mapping(raw)
    error = raw.get("error")
    return Document(
        start=mapping(raw.get("start")),
        intervals=[mapping(each) for each in items(raw.get("intervals"))],
        end=mapping(raw.get("end")),
        error=error[:300] if isinstance(error, str) else None,
    )


def _salvaged(text: str) -> Document:
    """A broken document: the sums of its intervals are flat objects that can be read alone."""
    intervals: list[Object] = []
    reached = 0.0
    for found in _SUM.finditer(text):
        try:
            part = json.loads(found[2])
        except (ValueError, RecursionError):
            continue
        begins = number(part.get("start"))
        if begins is None or (found[1] == "sum" and begins < reached):
            # The closing table repeats the whole test.
            continue
        intervals.append({found[1]: part})
        reached = begins if found[1] == "sum" else reached
    reverse = re.search(r'"reverse"\s*:\s*1', text) is not None
    udp = re.search(r'"protocol"\s*:\s*"UDP"', text) is not None
    asked = {"reverse": int(reverse), "protocol": "UDP" if udp else "TCP"}
    return Document({"test_start": asked}, intervals, {}, cut=True)


def mapping(value: Any) -> Object:
    """An object, empty for anything else."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """A list, empty for anything else."""
    return value if isinstance(value, list) else []
