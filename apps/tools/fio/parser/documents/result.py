"""fio's JSON and JSON+ output, every version from 2.0: the last complete document of a call is its
result.

Documents before it (--status-interval) become series; what another call wrote is a result of its
own. Jobs of one group (same `groupid`) ran together and are totalled; each group is a parameter
point of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from apps.tools.base import Completeness, Measurement, OutputError, Parsed, Series, ToolError
from apps.tools.fio.parser.direction import SYNC, Part
from apps.tools.fio.parser.targets import WHOLE, Key, group_of, target_names, with_whole
from apps.tools.fio.parser.totals import measurement
from apps.tools.sentences import sentence
from apps.tools.series.stalls import BOUNDS, LARGEST_OF
from apps.tools.text import number
from apps.tools.values import Decoded, Parameters, Values
from apps.tools.words import gettext_noop

from .calls import Document, another_call
from .clients import all_clients, by_client, client_names
from .documents import Documents
from .ending import ending
from .intervals import Track, as_histograms, as_series, snapshot
from .job_group import job_values, point
from .read_job import parts_of
from .remarks import remarks
from .repair import jobs_of
from .stream import AT_ONCE, Irregular, streamed

MAX_TRACKS = 256
LARGE = 4 << 20  # of this size a text is read some jobs at a time


@dataclass
class DocumentRun:
    """The documents kept of a stream: the last one, and the difference of each two."""

    tracks: dict[Key, Track] = field(default_factory=dict)
    clocks: list[float | None] = field(default_factory=list)
    last: Decoded | None = None
    parts: dict[Key, list[Part]] = field(default_factory=dict)
    targets: Mapping[int, str] = field(default_factory=dict)
    cut: bool = False
    marks: Document | None = None

    def takes(self, document: Decoded, *, cut: bool) -> bool:
        """Whether a document is this call's. `cut`: its end is missing."""
        before = self.marks or Document.of(self.last or {}, self.clocks[-1], self.cut)
        self.marks = Document.of(document, clock_of(document), cut)
        return not another_call(before, self.marks)

    def add(self, document: Decoded) -> None:
        """Take the next document. The first is compared only when there is a second."""
        if len(self.clocks) == 1:
            self._track()
        self.last, jobs = document, jobs_of(document)
        self.targets, parts = target_names(jobs), by_operation(jobs)
        self.parts = with_whole(parts) if self.targets else parts
        self.clocks.append(clock_of(document))
        if len(self.clocks) > 1:
            self._track()

    def _track(self) -> None:
        for key, parts in self.parts.items():
            if key in self.tracks or len(self.tracks) < MAX_TRACKS:
                self.tracks.setdefault(key, Track()).add(snapshot(parts, self.clocks[-1]))


def parse_json(data: bytes, params: Parameters | None = None) -> Parsed:
    """Read the bytes of fio's --output-format=json or json+.

    `params`: the canonical parameters when benchlab ran fio itself; they tell whether the run was
    long enough. Raises ToolError when fio says that it failed and has no figures, OutputError when
    there is nothing to read.
    """
    if len(data) > LARGE:
        with suppress(Irregular):
            return parse_pieces(_pieces(data), params)
    documents = Documents()
    return _parsed(documents, documents.split(data), params or {})


def parse_pieces(
    pieces: Iterable[bytes], params: Parameters | None = None, at_once: int = AT_ONCE
) -> Parsed:
    """The same of a text in pieces, of which about `at_once` bytes are in memory. Raises Irregular
    as well, for what has to be read as a whole.
    """
    documents = Documents()
    return _parsed(documents, streamed(documents, pieces, at_once), params or {})


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[at : at + AT_ONCE] for at in range(0, len(data), AT_ONCE))


def _parsed(documents: Documents, found_in: Iterable[Decoded], params: Parameters) -> Parsed:
    """The results of documents as they come."""
    runs = _runs(documents, found_in, one_call=bool(params))
    if not runs:
        raise _nothing(documents)
    read = [_Result.of(run, params) for run in runs]
    found = [each for each in read if each.measured]
    failures = [text for each in read for text in each.failures]
    if not found:
        raise _empty(failures, documents)
    measurements = tuple(each for result in found for each in result.measurements)
    said = [text for each in found for text in each.remarks]
    end = _worst([each.end for each in found])
    return Parsed(
        tool="fio",
        format="json+" if any(m.histogram for m in measurements) else "json",
        version=version_of(runs[-1].last or {}),
        measurements=measurements,
        warnings=(*_warnings(documents), *failures, *said, *_fruitless(len(read) - len(found))),
        completeness="partial" if documents.truncated or failures else end,
        began=start_of(jobs_of(runs[0].last or {})),
        ended=runs[-1].clocks[-1],
    )


def _runs(documents: Documents, found: Iterable[Decoded], *, one_call: bool) -> list[DocumentRun]:
    """The calls of fio that wrote the documents, in order. `one_call`: benchlab ran fio, once, and
    counters that are set back (a verification begins) or a clock that is late are the same call."""
    runs: list[DocumentRun] = []
    for document in found:
        if is_fio(document):
            cut = documents.truncated
            if not runs or not (one_call or runs[-1].takes(document, cut=cut)):
                runs.append(DocumentRun())
            runs[-1].add(document)
            runs[-1].cut = cut
    return runs


@dataclass(frozen=True)
class _Result:
    """The measurements of one call, and the sentences about it."""

    measurements: list[Measurement]
    failures: list[str]
    end: Completeness = "whole"
    remarks: Sequence[str] = ()

    @classmethod
    def of(cls, run: DocumentRun, params: Parameters) -> _Result:
        jobs = jobs_of(run.last or {})
        measurements, failures = _measurements(run, jobs), _failures(jobs)
        if not measurements:
            return cls(measurements, failures)
        return cls(measurements, failures, *ending(measurements, jobs, len(run.clocks), params))

    @property
    def measured(self) -> bool:
        """Whether there are figures, which after a failure are more than zeros."""
        if self.failures:
            return any(each.iops for each in self.measurements)
        return bool(self.measurements)


def _worst(states: Sequence[Completeness]) -> Completeness:
    order: tuple[Completeness, ...] = ("partial", "unknown", "whole")
    return next(state for state in order if state in states)


def _fruitless(calls: int) -> list[str]:
    """Warnings about results without figures among others that have some."""
    words = gettext_noop("%(calls)d of the results of fio in it have no figures.")
    return [sentence(words, calls=calls)] if calls else []


def is_fio(document: Decoded) -> bool:
    """Whether an object looks like a document of fio."""
    return "fio version" in document or isinstance(document.get("jobs"), list)


def version_of(document: Decoded) -> str | None:
    """ "3.33" from "fio-3.33"."""
    text = document.get("fio version")
    return text.removeprefix("fio-").strip()[:40] or None if isinstance(text, str) else None


def clock_of(document: Decoded) -> float | None:
    """Wall time of a document in seconds."""
    precise = number(document.get("timestamp_ms"))
    if precise is not None:
        return precise / 1000
    return number(document.get("timestamp"))


def start_of(jobs: list[Decoded]) -> float | None:
    """Wall time of the first job's start in seconds, which fio says from 3.36 on (`job_start`)."""
    said = [number(job.get("job_start")) for job in jobs]
    known = [start for start in said if start]
    return min(known) / 1000 if known else None


def by_operation(jobs: list[Decoded]) -> dict[Key, list[Part]]:
    """(group, operation) -> what each job did."""
    found: dict[Key, list[Part]] = {}
    for job, client in zip(jobs, client_names(jobs), strict=True):
        for operation, part in parts_of(job).items():
            part.client = client
            found.setdefault((group_of(job), operation), []).append(part)
    return found


@dataclass(frozen=True)
class _Group:
    """The parameters and figures that the operations of a group of jobs have in common."""

    params: Parameters
    values: Values

    @classmethod
    def of(cls, run: DocumentRun, group: int, jobs: list[Decoded]) -> _Group:
        document = run.last or {}
        members = jobs if group == WHOLE else [job for job in jobs if group_of(job) == group]
        # The disks stand in the document once: they are the whole's.
        values = job_values(members, {} if run.targets.get(group) else document)
        return cls(point(members, document), values)


def _measurements(run: DocumentRun, jobs: list[Decoded]) -> list[Measurement]:
    step, origin = _grid(run.clocks)
    result = []
    groups = {group: _Group.of(run, group, jobs) for group in {group for group, _name in run.parts}}
    for key in run.parts:
        track = run.tracks.get(key)
        series = as_series(track.intervals, origin, step) if track and step else []
        whole = _measurement(run, key, groups[key[0]], series)
        if track and step:
            whole = replace(whole, over_time=as_histograms(track.intervals, origin, step))
        result += [whole, *_of_clients(run, key, jobs, whole)]
    return result


def _measurement(run: DocumentRun, key: Key, own: _Group, series: list[Series]) -> Measurement:
    group, operation = key
    name, parts = run.targets.get(group, ""), run.parts[key]
    values = dict(own.values)
    if any(each.metric == "latency_max" for each in series):
        values[LARGEST_OF] = BOUNDS
    params = all_clients(own.params, len(by_client(parts)))
    alone = _is_alone(run, group)
    return measurement(
        operation, parts, params, values, series, part=name, group=group, alone=alone
    )


def _of_clients(
    run: DocumentRun, key: Key, jobs: list[Decoded], whole: Measurement
) -> list[Measurement]:
    """The measurement's share of each of several clients."""
    group, operation = key
    named = zip(jobs, client_names(jobs), strict=True)
    members = [(job, client) for job, client in named if group_of(job) == group]
    found = []
    for client, parts in by_client(run.parts[key]).items():
        own = [job for job, name in members if name == client]
        values, alone = job_values(own, {}), _is_alone(run, group)
        found.append(
            measurement(
                operation, parts, whole.params, values, [], part=client, group=group, alone=alone
            )
        )
    return found


def _is_alone(run: DocumentRun, group: int) -> bool:
    """Whether a group's jobs had one direction only."""
    return sum(1 for place, name in run.parts if place == group and name != SYNC) == 1


def _grid(clocks: list[float | None]) -> tuple[float, float | None]:
    """The status interval and when the tool started, in seconds; 0 without status documents."""
    known = [clock for clock in clocks if clock is not None]
    if len(known) != len(clocks) or len(known) < 3:
        return 0.0, None
    step = median(b - a for a, b in pairwise(known[:-1]))
    # fio takes whole seconds; a document comes some tens of milliseconds early or late.
    if round(step) and abs(step - round(step)) < 0.2 * step:
        step = float(round(step))
    return max(step, 0.0), known[0] - step


def _failures(jobs: list[Decoded]) -> list[str]:
    codes = {code for job in jobs if (code := number(job.get("error")))}
    words = gettext_noop("fio reports error %(code)d: %(why)s.")
    return [sentence(words, code=int(each), why=_error_text(int(each))) for each in sorted(codes)]


def _error_text(code: int) -> str:
    return os.strerror(code) if 0 < code < 200 else "unknown"


def _warnings(documents: Documents) -> list[str]:
    warnings = remarks(documents.outside)
    if documents.repaired:
        warnings.append("The JSON was damaged; what does not belong there was left out.")
    if documents.broken:
        warnings.append(
            sentence("%(number)d damaged documents were skipped.", number=documents.broken)
        )
    if documents.truncated:
        warnings.append("The output is cut off.")
    return warnings


def _nothing(documents: Documents) -> Exception:
    said = remarks(documents.outside)
    errors = [line for line in said if "error" in line.lower() or line.startswith("fio:")]
    if errors:
        return ToolError(f"fio said: {errors[0]}")
    if documents.truncated:
        return OutputError("fio's JSON is cut off before the first figures.")
    return OutputError("There is no JSON of fio in this output.")


def _empty(failures: list[str], documents: Documents) -> Exception:
    if failures:
        said = remarks(documents.outside)
        return ToolError(" ".join([*failures, *said[:3]]))
    return OutputError("fio finished without a single operation.")
