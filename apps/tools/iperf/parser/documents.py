"""Find the documents of iperf3 -J in a text, complete or truncated.

With --json-stream (3.17) a document is a sequence of lines {"event": ..., "data": ...}; with
--json-stream-full-output the whole document follows. iperf3 prints -nan for a division by zero.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.tools.text import number

# The keys of a document may be sorted: "end" is then the first.
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
    """Parts of one test, empty if missing or invalid. `lines`: first and last line."""

    start: Object
    intervals: list[Object]
    end: Object
    error: str | None = None
    cut: bool = False
    lines: tuple[int, int] = (1, 1)

    @property
    def requested(self) -> Object:
        """Return the parameters requested by the client."""
        return mapping(self.start.get("test_start"))

    @property
    def reverse(self) -> bool:
        """Return True if the server sends."""
        return bool(self.requested.get("reverse"))

    @property
    def bidirectional(self) -> bool:
        """Return True if both ends send."""
        if self.requested.get("bidir") or "sum_sent_bidir_reverse" in self.end:
            return True
        return any("sum_bidir_reverse" in interval for interval in self.intervals)


def documents(text: str) -> Iterator[Document]:
    """Yield every document; the last one may be truncated."""
    stream: Document | None = None
    for raw, lines in _objects(_NAN.sub(r"\1null", text)):
        if isinstance(raw, Document):
            document = raw
        elif "event" in raw:
            if raw["event"] == "start" and stream:
                yield stream
                stream = None
            stream = stream or Document({}, [], {}, cut=True, lines=lines)
            _add_event(stream, raw)
            stream.lines = (stream.lines[0], lines[1])
            continue
        else:
            document = _document(raw)
        document.lines = lines
        if stream:
            if not _same(stream, document):
                yield stream
            stream = None
        yield document
    if stream:
        yield stream


def _objects(text: str) -> Iterator[tuple[Object | Document, tuple[int, int]]]:
    """Yield every object with its lines; truncated ones as documents."""
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
    """Add an event to a document (iperf3(1), --json-stream)."""
    kind, data = raw["event"], raw.get("data")
    if kind == "start":
        document.start = mapping(data)
    elif kind == "interval":
        document.intervals.append(mapping(data))
    elif kind == "end":
        document.end, document.cut = mapping(data), False
    elif kind == "error" and isinstance(data, str):
        document.error = data[:300]


def _same(stream: Document, document: Document) -> bool:
    """Return True if a whole document repeats the events before it."""
    cookie = stream.start.get("cookie")
    return cookie is not None and cookie == document.start.get("cookie")


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
    """Parse a broken document: the sums of its intervals are flat objects."""
    intervals: list[Object] = []
    reached = 0.0
    for match in _SUM.finditer(text):
        try:
            part = json.loads(match[2])
        except (ValueError, RecursionError):
            continue
        begins = number(part.get("start"))
        if begins is None or (match[1] == "sum" and begins < reached):
            # The closing sum repeats the whole test.
            continue
        intervals.append({match[1]: part})
        reached = begins if match[1] == "sum" else reached
    return Document(_salvaged_start(text), intervals, {}, cut=True)


def _salvaged_start(text: str) -> Object:
    """Parse the start of a broken document, which is often complete."""
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
    """Return an object, empty for any other value."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Any]:
    """Return a list, empty for any other value."""
    return value if isinstance(value, list) else []
