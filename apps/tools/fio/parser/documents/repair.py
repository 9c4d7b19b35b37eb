"""Loader of one document, with repairs of its text."""

from __future__ import annotations

import re

import orjson

from apps.tools.values import Decoded

_NOT_A_NUMBER = re.compile(
    rb'("\s*:\s*)[-+]?(?:nan|inf(?:inity)?|\d{25,}+|\d[\d.]{0,400}e\+?\d{3,}+)'
    rb"(?:\([^)\n]{0,32}\)|[\d.e+-]*+)(?=\s*[,}\]])",
    re.IGNORECASE,
)
_FOREIGN_LINE = re.compile(rb"^[^\s{}\]][^\n]*\n", re.MULTILINE)
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f]")
_TRAILING_COMMA = re.compile(rb",(\s*[}\]])")
MAX_JOBS = 4096
ALL_CLIENTS = "All clients"


def load(text: bytes) -> Decoded | None:
    """Return one object, or None.

    `nan` and `inf`, which fio prints after a division by zero, become null.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        without_nan = _NOT_A_NUMBER.sub(rb"\1null", text)
        if without_nan == text:
            return None
        try:
            value = orjson.loads(without_nan)
        except orjson.JSONDecodeError:
            return None
    return value if isinstance(value, dict) else None


def load_rest(data: bytes, begin: int) -> Decoded | None:
    """Return everything from `begin` on as one object, or None."""
    try:
        value = orjson.loads(memoryview(data)[begin:])
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def load_list(data: bytes, begin: int) -> list[Decoded] | None:
    """Return the objects of the list from `begin` up to the last bracket, or None."""
    end = data.rfind(b"]") + 1
    inner = load(b'{"list":' + data[begin:end] + b"}")
    items = inner.get("list") if inner else None
    return [each for each in items if isinstance(each, dict)] if isinstance(items, list) else None


def repair(text: bytes) -> bytes:
    """Return a document without what fio never writes inside one.

    These are foreign lines, control characters, invalid UTF-8, and the trailing commas of documents
    shortened by hand.
    """
    valid = text.decode("utf-8", "replace").encode()
    return _TRAILING_COMMA.sub(rb"\1", _CONTROL.sub(b"", _FOREIGN_LINE.sub(b"", valid)))


def salvage(text: bytes) -> Decoded | None:
    """Return the part of a truncated document up to the last complete direction of a job."""
    complete = text.rfind(b"\n      }")
    return None if complete < 0 else load(text[: complete + 8] + b"}]}")


def jobs_of(document: Decoded) -> list[Decoded]:
    """Return the job entries, including a server's clients.

    Their printed sum is excluded (axboe/fio#1918), unless it is the only entry.
    """
    raw = document.get("jobs") or document.get("client_stats")
    entries = raw[:MAX_JOBS] if isinstance(raw, list) else []
    jobs = [job for job in entries if isinstance(job, dict)]
    return [job for job in jobs if job.get("jobname") != ALL_CLIENTS] or jobs
