"""fio's JSON out of pieces of its text, some jobs at a time: a document may be larger than memory.

Only what fio itself prints is read this way: a document begins with `{` in the first column, its
jobs stand between `"jobs" : [` and `]`, each in braces of four spaces (json.c). Anything else is
`Irregular`, and whoever asked reads the text as a whole. An end that is missing is no irregularity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from apps.tools.values import Decoded

from .cut import quickly
from .documents import START, Documents
from .read_job import PartsBefore, ReadJob
from .repair import MAX_JOBS, load

AT_ONCE = 512 * 1024
_LONGEST_JOB = 16 << 20
_LONGEST_TEXT = 1 << 20  # around documents, and in one beside its jobs
_ARRAY = re.compile(rb'^  "(jobs|client_stats)" : \[\n', re.MULTILINE)
_BOTH = (b'"jobs"', b'"client_stats"', b'"bins"')
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_JOB, _NEXT, _LAST = b"    {\n", b"\n    },\n    {\n", b"\n    }\n  ]"
_END = b"\n}"
_MEMBER = b"\n      }"  # of a job: where one whose end is missing may be cut


class Irregular(Exception):
    """Text that has to be read as a whole."""


@dataclass
class _Window:
    """The text that is in memory: more is added at its end, what was read is taken away."""

    pieces: Iterator[bytes]
    at_once: int
    text: bytes = b""
    ended: bool = False

    def more(self, most: int) -> bool:
        """Add some; False at the end. Raises Irregular where there are `most` bytes already."""
        if self.ended:
            return False
        if len(self.text) > most:
            raise Irregular
        found, size = [self.text], 0
        while size < self.at_once:
            piece = next(self.pieces, None)
            if piece is None:
                self.ended = True
                break
            if b"\0" in piece:
                raise Irregular
            found.append(piece)
            size += len(piece)
        self.text = b"".join(found)
        return True

    def take(self, end: int) -> bytes:
        """The text up to a place, which is gone then."""
        taken, self.text = self.text[:end], self.text[end:]
        return taken


@dataclass
class _Jobs:
    """The jobs of the document that is read. `last`: the text of those that were read together."""

    found: list[object] = field(default_factory=list)
    last: bytes = b""
    number: int = 0
    _options: object = None
    before: PartsBefore = field(default_factory=PartsBefore)

    def add(self, text: bytes) -> None:
        """Read jobs of which the text is complete."""
        self.last = text
        for job in _jobs(text):
            self.number += 1
            if self.number <= MAX_JOBS:
                self.found.append(self._read(job) if isinstance(job, dict) else job)

    def cut(self, text: bytes) -> None:
        """Read what is complete of a last job, whose text may have begun."""
        if _END in text:
            raise Irregular
        if _MEMBER not in text:
            text, at = self.last, self.last.rfind(_NEXT)
            text = text[at + len(_NEXT) - len(_JOB) :] if at >= 0 else text
            del self.found[-1:]
            self.number -= 1
        if self.number >= MAX_JOBS or _MEMBER not in text:
            raise Irregular
        self.add(text[: text.rfind(_MEMBER) + len(_MEMBER)] + b"}")

    def _read(self, job: Decoded) -> ReadJob:
        """A job's figures; its options are kept once where the job before has the same."""
        read, options = ReadJob.of(job, self.before), job.get("job options")
        if options is not None and options == self._options:
            read["job options"] = options = self._options
        self._options = options
        return read


def streamed(
    documents: Documents, pieces: Iterable[bytes], at_once: int = AT_ONCE
) -> Iterator[Decoded]:
    """Every document of the text, in order; their jobs are `ReadJob`. Raises Irregular."""
    window = _Window(iter(pieces), at_once)
    window.more(_LONGEST_TEXT)
    if window.text.startswith(_MARKS) or window.text.lstrip()[:1] == b"[":
        raise Irregular
    behind = False
    while True:
        while (start := START.search(window.text)) is None and window.more(_LONGEST_TEXT):
            pass
        if start and (start.end() - start.start() > 1 or (behind and not start.start())):
            raise Irregular  # not in the first column
        documents.keep(window.take(start.end() - 1 if start else len(window.text)))
        if start is None:
            return
        yield _document(documents, window)
        behind = True


def _document(documents: Documents, window: _Window) -> Decoded:
    """The document at the window's begin."""
    while (array := _ARRAY.search(window.text)) is None:
        if _END in window.text or not window.more(_LONGEST_TEXT):
            raise Irregular
    name, head = array[1].decode(), window.take(array.end())
    jobs = _Jobs()
    complete = _read_jobs(window, jobs)
    while complete and _END not in window.text:
        complete = window.more(_LONGEST_TEXT)
    if complete:
        tail = window.take(window.text.find(_END) + len(_END))
    else:
        documents.truncated, tail = True, b"]}"
        jobs.cut(window.take(len(window.text)))
    return _whole(head, name, tail, jobs)


def _whole(head: bytes, name: str, tail: bytes, jobs: _Jobs) -> Decoded:
    """The document with its jobs in their place."""
    document = load(head + tail)
    others = [mark for mark in _BOTH if mark in tail]
    twice = document is not None and sum(key in document for key in ("jobs", "client_stats")) > 1
    if document is None or document.get(name) != [] or others or twice or _END in head:
        raise Irregular
    if _BOTH[2] in head:
        raise Irregular
    jobs.before.settle()
    return document | {name: jobs.found}


def _read_jobs(window: _Window, jobs: _Jobs) -> bool:
    """Read jobs up to the end of their array, which is left; False where the text ends first."""
    while True:
        if (end := window.text.find(_LAST)) >= 0:
            jobs.add(window.take(end + _LAST.index(b"\n  ]")))
            return True
        if (end := window.text.rfind(_NEXT)) >= 0:
            jobs.add(window.take(end + len(_NEXT) - len(_JOB) - 2))
            window.take(2)  # the comma and the end of its line
        if not window.more(_LONGEST_JOB):
            return False


def _jobs(text: bytes) -> list[object]:
    """Jobs as `quickly` reads them, with their bins as arrays."""
    if not text.startswith(_JOB):
        raise Irregular
    array = b'{\n"jobs" : [\n' + text + b"\n]\n}"
    found = quickly(array, 0)
    if found is None or found[1] != len(array):
        raise Irregular
    jobs = found[0]["jobs"]
    assert isinstance(jobs, list), "the text says so"
    return jobs
