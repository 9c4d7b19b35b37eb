"""iperf3 -J as it arrives: documents with whatever was printed around them, whole or cut off.

With --json-stream (3.17) the document comes in pieces, a line {"event": ..., "data": ...} each;
with --json-stream-full-output the whole follows. iperf3 prints -nan where it divides by zero.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.tools.text import number

# The keys of a document may be sorted: its end is then the first.
START = re.compile(
    r'^[^\S\n]*(?P<line>\{)\s*"'
    r'(?:(?:start|title|extra_data|error|event|data)"\s*:|end"\s*:\s*\{)|'
    r'[\[,:]\s*(?P<inner>\{)\s*"(?:start|end)"\s*:\s*\{',
    re.MULTILINE,
)
MAX_OBJECTS = 200_000
_NAN = re.compile(r'("\s*:\s*)[-+]?(?:nan|inf(?:inity)?)(?=\s*[,}\]])', re.IGNORECASE)
_SUM = re.compile(r'"(sum(?:_bidir_reverse)?)"\s*:\s*(\{[^{}]{0,2000}\})')
Object = Mapping[str, Any]


@dataclass
class Document:
    """One test's parts, empty where they are missing or of another shape. `lines`: its first and
    last line.
    """

    start: Object
    intervals: list[Object]
    end: Object
    error: str | None = None
    cut: bool = False
    lines: tuple[int, int] = (1, 1)

    @property
    def asked(self) -> Object:
        """The parameters the client asked for."""
        return mapping(self.start.get("test_start"))

    @property
    def reverse(self) -> bool:
        """Whether the server sends."""
        return bool(self.asked.get("reverse"))

    @property
    def both(self) -> bool:
        """Whether both ends send."""
        if self.asked.get("bidir") or "sum_sent_bidir_reverse" in self.end:
            return True
        return any("sum_bidir_reverse" in interval for interval in self.intervals)


def documents(text: str) -> Iterator[Document]:
    """Every document, the last one perhaps cut off."""
    stream: Document | None = None
    for raw, lines in _objects(_NAN.sub(r"\1null", text)):
        if isinstance(raw, Document):
            found = raw
        elif "event" in raw:
            if raw["event"] == "start" and stream:
                yield stream
                stream = None
            stream = stream or Document({}, [], {}, cut=True, lines=lines)
            _add_event(stream, raw)
            stream.lines = (stream.lines[0], lines[1])
            continue
        else:
            found = _document(raw)
        found.lines = lines
        if stream:
            if not _same(stream, found):
                yield stream
            stream = None
        yield found
    if stream:
        yield stream


def _objects(text: str) -> Iterator[tuple[Object | Document, tuple[int, int]]]:
    """Every object with its lines, those that are cut off as documents."""
    decoder, position = json.JSONDecoder(parse_constant=lambda _: None), 0
    line, counted = 1, 0
    for _ in range(MAX_OBJECTS):
        start = START.search(text, position)
        if not start:
            return
        begins = start.start("line") if start["line"] else start.start("inner")
        raw: Object | Document
        try:
            raw, position = decoder.raw_decode(text, begins)
        except (ValueError, RecursionError):
            following = START.search(text, start.end())
            position = following.start() if following else len(text)
            raw = _salvaged(text[begins:position])
        first = line + text.count("\n", counted, begins)
        line = first + text.count("\n", begins, position)
        counted = position
        yield raw, (first, line)


def _add_event(document: Document, raw: Object) -> None:
    """A piece of a document (iperf3(1), --json-stream)."""
    kind, data = raw["event"], raw.get("data")
    if kind == "start":
        document.start = mapping(data)
    elif kind == "interval":
        document.intervals.append(mapping(data))
    elif kind == "end":
        document.end, document.cut = mapping(data), False
    elif kind == "error" and isinstance(data, str):
        document.error = data[:300]


def _same(stream: Document, found: Document) -> bool:
    """Whether a whole document says again what came in pieces."""
    cookie = stream.start.get("cookie")
    return cookie is not None and cookie == found.start.get("cookie")


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
    return Document(_salvaged_start(text), intervals, {}, cut=True)


def _salvaged_start(text: str) -> Object:
    """The beginning of a broken document, which is often whole."""
    begins = re.search(r'"start"\s*:\s*(?=\{)', text)
    if begins:
        try:
            return mapping(json.JSONDecoder().raw_decode(text, begins.end())[0])
        except (ValueError, RecursionError):
            pass
    reverse = re.search(r'"reverse"\s*:\s*1', text) is not None
    udp = re.search(r'"protocol"\s*:\s*"UDP"', text) is not None
    return {"test_start": {"reverse": int(reverse), "protocol": "UDP" if udp else "TCP"}}


def mapping(value: Any) -> Object:
    """An object, empty for anything else."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """A list, empty for anything else."""
    return value if isinstance(value, list) else []
