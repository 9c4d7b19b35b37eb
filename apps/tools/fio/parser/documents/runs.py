"""Documents of a text, grouped by the calls of fio that wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.tools.fio.parser.clients import client_names
from apps.tools.fio.parser.direction import MIXED, SYNC, Part, directions_of, read_part
from apps.tools.fio.parser.normal import patterns as text_patterns
from apps.tools.fio.parser.syncs import read_sync
from apps.tools.fio.parser.targets import Key, group_of, target_names, with_whole
from apps.tools.text import number
from apps.tools.values import Decoded

from .documents import Documents
from .intervals import Track, snapshot
from .invocations import Document, another_call
from .repair import ALL_CLIENTS, jobs_of

MAX_TRACKS = 256
_MAX_DEPTH = 4
_MAX_NESTED = 10_000


@dataclass
class DocumentRun:
    """Documents of one call: the last one, and the difference of consecutive ones.

    `members`: the jobs of each of the `parts`; `outside`: text around the documents; `cut`: the end
    is missing; `call`: number, from 1.
    """

    tracks: dict[Key, Track] = field(default_factory=dict)
    clocks: list[float | None] = field(default_factory=list)
    last: Decoded | None = None
    parts: dict[Key, list[Part]] = field(default_factory=dict)
    members: dict[Key, list[Decoded]] = field(default_factory=dict)
    targets: Mapping[int, str] = field(default_factory=dict)
    outside: list[bytes] = field(default_factory=list)
    cut: bool = False
    call: int = 1
    _last_document: Document | None = None

    @property
    def signals(self) -> list[str]:
        """Return the lines with which fio reports that a signal ended it."""
        lines = [
            line for text in self.outside for line in text.decode("utf-8", "replace").split("\n")
        ]
        return [line.strip()[:100] for line in lines if text_patterns.SIGNAL.match(line)]

    def accepts(self, document: Decoded, *, cut: bool) -> bool:
        """Return True if a document belongs to this call; `cut`: its end is missing."""
        before = self._last_document or Document.of(self.last or {}, self.clocks[-1], self.cut)
        after = Document.of(document, clock_of(document), cut)
        if another_call(before, after):
            return False
        self._last_document = after
        return True

    def has_more_results_than(self, document: Decoded) -> bool:
        """Return True if the last document has results that this truncated one lacks."""
        read = by_operation(jobs_of(document))
        return any(len(read.get(key, ())) < len(parts) for key, parts in self.parts.items())

    def add(self, document: Decoded) -> None:
        """Add the next document; the first is tracked only if there is a second."""
        if len(self.clocks) == 1:
            self._track()
        self.last, jobs = document, jobs_of(document)
        self.targets, members = target_names(jobs), members_of(jobs)
        members = with_whole(members) if self.targets else members
        self.parts = {key: [part for _job, part in each] for key, each in members.items()}
        self.members = {key: [job for job, _part in each] for key, each in members.items()}
        self.clocks.append(clock_of(document))
        if len(self.clocks) > 1:
            self._track()

    def _track(self) -> None:
        for key, parts in self.parts.items():
            if key in self.tracks or len(self.tracks) < MAX_TRACKS:
                self.tracks.setdefault(key, Track()).add(snapshot(parts, self.clocks[-1]))


def runs_of(
    documents: Documents, decoded: Iterable[Decoded], *, one_call: bool
) -> list[DocumentRun]:
    """Return the calls of fio that wrote the documents, in order.

    `one_call`: benchlab ran fio once; counters that are reset (a verification begins) and a late
    clock do not start another call. A truncated last document is used only if it has all results of
    the previous one.
    """
    runs: list[DocumentRun] = []
    taken = 0
    for document in (inner for each in decoded for inner in _documents_in(each)):
        cut = documents.truncated
        same = bool(runs) and (one_call or runs[-1].accepts(document, cut=cut))
        if not same:
            runs.append(DocumentRun(call=len(runs) + 1))
        if not (same and cut and runs[-1].has_more_results_than(document)):
            runs[-1].add(document)
        runs[-1].cut = cut
        runs[-1].outside += documents.outside[taken:]
        taken = len(documents.outside)
    if runs:
        runs[-1].outside += documents.outside[taken:]
        runs[-1].cut |= documents.truncated
    return runs


def _documents_in(document: object, depth: int = 0) -> Iterator[Decoded]:
    """Yield the document itself, or fio's documents nested in it."""
    if isinstance(document, dict) and is_fio(document):
        yield document
    elif isinstance(document, (dict, list)) and depth < _MAX_DEPTH:
        inner = document.values() if isinstance(document, dict) else document
        for each in list(inner)[:_MAX_NESTED]:
            yield from _documents_in(each, depth + 1)


def is_fio(document: Decoded) -> bool:
    """Return True if an object looks like a document of fio."""
    return "fio version" in document or isinstance(document.get("jobs"), list)


def version_of(document: Decoded) -> str | None:
    """Return "3.33" from "fio-3.33"."""
    text = document.get("fio version")
    return text.removeprefix("fio-").strip()[:40] or None if isinstance(text, str) else None


def clock_of(document: Decoded) -> float | None:
    """Return the wall time of a document in seconds."""
    precise = number(document.get("timestamp_ms"))
    if precise is not None:
        return precise / 1000
    return number(document.get("timestamp"))


def start_of(jobs: list[Decoded]) -> float | None:
    """Return the wall time of the first job's start in seconds (`job_start`, from 3.36 on)."""
    starts = [number(job.get("job_start")) for job in jobs]
    valid = [start for start in starts if start]
    return min(valid) / 1000 if valid else None


def members_of(jobs: Sequence[Decoded]) -> dict[Key, list[tuple[Decoded, Part]]]:
    """Return (group, operation) -> the jobs that did it, each with its figures."""
    result: dict[Key, list[tuple[Decoded, Part]]] = {}
    for job, client in zip(jobs, client_names(jobs), strict=True):
        for operation, part in parts_of(job).items():
            part.client = client
            result.setdefault((group_of(job), operation), []).append((job, part))
    return result


def by_operation(jobs: Sequence[Decoded]) -> dict[Key, list[Part]]:
    """Return (group, operation) -> figures of each job."""
    return {key: [part for _job, part in each] for key, each in members_of(jobs).items()}


def parts_of(job: Decoded) -> Mapping[str, Part]:
    """Return the parts of a job by operation."""
    job_name = str(job.get("jobname", ""))[:100]
    name = "" if job_name == ALL_CLIENTS else job_name  # not the name of a job
    # With unified_rw_reporting=both fio prints the sum beside each direction.
    raws = {**directions_of(job), MIXED: job.get(MIXED)}
    read = {operation: read_part(name, raw) for operation, raw in raws.items()}
    parts = {operation: part for operation, part in read.items() if part is not None}
    sync = read_sync(name, job) if parts else None
    return parts | ({SYNC: sync} if sync else {})
