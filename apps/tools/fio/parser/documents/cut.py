"""A JSON+ document as fio prints it, read without a Python object for every latency bin.

Bins are most of such a document. They are cut out of its text and only those are read that a
measurement needs, as arrays; the rest is read as usual. What fio's own printer (json.c) does not
write makes this way give up, so that the document is read as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from apps.tools.fio.parser.bins.bin_lines import read_bins
from apps.tools.fio.parser.direction import MIXED, OPERATIONS, SYNC
from apps.tools.values import Decoded

from .repair import jobs_of, load

_BINS = b'"bins" : '
_PLACE = "bins cut out"
_NEWLINE = ord("\n")
_AT_ONCE = 64  # objects, some hundred KiB of text: what is made of them stays in the cache


@dataclass(slots=True)
class Cut:
    """A document's text with numbers in place of its bins, where their texts stand in the data, and
    where it ends."""

    text: bytes
    objects: list[slice]
    end: int


def quickly(data: bytes, begin: int) -> tuple[Decoded, int] | None:
    """The document at `begin` and where it ends. The bins in it that describe an operation's
    latency are `Bins`, others are missing. None for text that is not as fio prints it."""
    cut = cut_out(data, begin)
    document = load(cut.text) if cut else None
    if cut is None or document is None or not _put_back(document, data, cut.objects):
        return None
    return document, cut.end


def cut_out(data: bytes, begin: int) -> Cut | None:
    """Go from one closing brace to the next, up to the one that stands in the first column."""
    pieces: list[bytes] = []
    objects: list[slice] = []
    position = copied = begin
    size = len(_BINS)
    while (end := data.find(b"}", position)) >= 0:
        if data[end - 1] == _NEWLINE:
            pieces.append(data[copied : end + 1])
            return Cut(b"".join(pieces), objects, end + 1)
        name = data.rfind(b"{", position, end) - size
        if name >= position and data.startswith(_BINS, name):
            pieces += data[copied:name], b'"%b" : %d' % (_PLACE.encode(), len(objects))
            objects.append(slice(name + size + 1, end + 1))
            copied = end + 1
        position = end + 1
    return None


def _put_back(document: Decoded, data: bytes, objects: Sequence[slice]) -> bool:
    """Read the bins that count, and make sure that the others look like bins. Their texts, most of
    the data, are copied some at a time."""
    phases = [phase for job in jobs_of(document) for phase in _binned(job)]
    wanted = [phase.pop(_PLACE) for phase in phases]
    places = range(len(objects))
    marked = [place for place in wanted if type(place) is int and place in places]
    if len(marked) < len(wanted):
        return False
    left_out = sorted(set(places).difference(marked))
    for at in range(0, len(left_out), _AT_ONCE):
        if not _sound([data[objects[place]] for place in left_out[at : at + _AT_ONCE]]):
            return False
    for at in range(0, len(marked), _AT_ONCE):
        found = read_bins([data[objects[place]] for place in marked[at : at + _AT_ONCE]])
        if found is None:
            return False
        for phase, bins in zip(phases[at : at + _AT_ONCE], found, strict=True):
            phase["bins"] = bins
    return True


def _binned(job: Decoded) -> Iterator[Decoded]:
    """The one latency of each operation whose bins count: total, else completion."""
    for operation in (*OPERATIONS, MIXED, SYNC):
        direction = job.get(operation)
        if not isinstance(direction, dict):
            continue
        for name in ("lat_ns", "clat_ns"):
            phase = direction.get(name)
            if isinstance(phase, dict) and _PLACE in phase:
                yield phase
                break


def _sound(objects: Sequence[bytes]) -> bool:
    """Whether their bytes, counted by kind, are those of bins; enough to see foreign text, a torn
    line or a trailing comma in objects whose numbers nobody needs."""
    text = b"".join(objects)
    raw = np.frombuffer(text, np.uint8)
    quotes, colons, commas, newlines, braces, spaces = (
        int(np.count_nonzero(raw == sign)) for sign in b'":,\n} '
    )
    digits = int(np.count_nonzero(raw - np.uint8(ord("0")) <= 9))
    return (
        (quotes, commas, newlines) == (2 * colons, colons - braces, colons + braces)
        and braces == len(objects)
        and quotes + colons + commas + newlines + braces + spaces + digits == len(text)
    )
