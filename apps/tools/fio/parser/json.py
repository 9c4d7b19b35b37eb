"""fio's JSON and JSON+ output, every version from 2.0: the last complete document is the result.

Documents before it (--status-interval) become series. Jobs of one group (same `groupid`) ran
together and are totalled; each group is a parameter point of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from apps.tools.base import JSON, Measurement, OutputError, Parsed, Series, ToolError
from apps.tools.text import number

from .common import job_values, point
from .direction import OPERATIONS, Part, read_part
from .documents import Documents
from .ending import ending
from .intervals import Track, as_series, snapshot
from .loading import jobs_of
from .targets import WHOLE, Key, group_of, target_names, with_whole
from .totals import measurement

MAX_TRACKS = 256


@dataclass
class Run:
    """What is kept while the documents pass by: the last one, and the difference of each two."""

    tracks: dict[Key, Track] = field(default_factory=dict)
    clocks: list[float | None] = field(default_factory=list)
    last: JSON | None = None
    parts: dict[Key, list[Part]] = field(default_factory=dict)
    targets: Mapping[int, str] = field(default_factory=dict)

    def add(self, document: JSON) -> None:
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


def parse_json(data: bytes, params: JSON | None = None) -> Parsed:
    """Read the bytes of fio's --output-format=json or json+.

    `params`: the canonical parameters when benchlab ran fio itself; they tell whether the run was
    long enough. Raises ToolError when fio says that it failed and has no figures, OutputError when
    there is nothing to read.
    """
    run, documents = Run(), Documents()
    for document in documents.split(data):
        if is_fio(document):
            run.add(document)
    if run.last is None:
        raise _nothing(documents)
    jobs = jobs_of(run.last)
    measurements = _measurements(run, jobs)
    failures = _failures(jobs)
    if not measurements:
        raise _empty(failures, documents)
    if failures and not any(each.iops for each in measurements):
        raise _empty(failures, documents)
    end, remarks = ending(measurements, jobs, len(run.clocks), params or {})
    return Parsed(
        tool="fio",
        format="json+" if any(m.histogram for m in measurements) else "json",
        version=version_of(run.last),
        measurements=tuple(measurements),
        warnings=(*_warnings(documents), *failures, *remarks),
        completeness="partial" if documents.truncated or failures else end,
        began=start_of(jobs),
        ended=run.clocks[-1],
    )


def is_fio(document: JSON) -> bool:
    """Whether an object looks like a document of fio."""
    return "fio version" in document or isinstance(document.get("jobs"), list)


def version_of(document: JSON) -> str | None:
    """ "3.33" from "fio-3.33"."""
    text = document.get("fio version")
    return text.removeprefix("fio-").strip()[:40] or None if isinstance(text, str) else None


def clock_of(document: JSON) -> float | None:
    """Wall time of a document in seconds."""
    precise = number(document.get("timestamp_ms"))
    if precise is not None:
        return precise / 1000
    return number(document.get("timestamp"))


def start_of(jobs: list[JSON]) -> float | None:
    """Wall time of the first job's start in seconds, which fio says from 3.36 on (`job_start`)."""
    said = [number(job.get("job_start")) for job in jobs]
    known = [start for start in said if start]
    return min(known) / 1000 if known else None


def by_operation(jobs: list[JSON]) -> dict[Key, list[Part]]:
    """(group, operation) -> what each job did."""
    found: dict[Key, list[Part]] = {}
    for job in jobs:
        for operation in OPERATIONS:
            part = read_part(str(job.get("jobname", ""))[:100], job.get(operation))
            if part is not None:
                found.setdefault((group_of(job), operation), []).append(part)
    return found


def _measurements(run: Run, jobs: list[JSON]) -> list[Measurement]:
    step, origin = _grid(run.clocks)
    result = []
    for key in run.parts:
        track = run.tracks.get(key)
        series = as_series(track.intervals, origin, step) if track and step else []
        result.append(_measurement(run, key, jobs, series))
    return result


def _measurement(run: Run, key: Key, jobs: list[JSON], series: list[Series]) -> Measurement:
    group, document = key[0], run.last or {}
    members = jobs if group == WHOLE else [job for job in jobs if group_of(job) == group]
    name = run.targets.get(group, "")
    # The disks stand in the document once: they are the whole's.
    values = job_values(members, {} if name else document)
    params = point(members, document)
    return measurement(key[1], run.parts[key], params, values, series, part=name)


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


def _failures(jobs: list[JSON]) -> list[str]:
    codes = {code for job in jobs if (code := number(job.get("error")))}
    return [f"fio reports error {code}: {_error_text(int(code))}." for code in sorted(codes)]


def _error_text(code: int) -> str:
    return os.strerror(code) if 0 < code < 200 else "unknown"


def _warnings(documents: Documents) -> list[str]:
    warnings = [line for text in documents.outside for line in _lines(text)]
    if documents.repaired:
        warnings.append("The JSON was damaged; what does not belong there was left out.")
    if documents.broken:
        warnings.append(f"{documents.broken} damaged documents were skipped.")
    if documents.truncated:
        warnings.append("The output is cut off.")
    return warnings


def _lines(text: bytes) -> list[str]:
    lines = text.decode("utf-8", "replace").splitlines()
    return [line.strip()[:300] for line in lines[:50] if line.strip()]


def _nothing(documents: Documents) -> Exception:
    said = [line for text in documents.outside for line in _lines(text)]
    errors = [line for line in said if "error" in line.lower() or line.startswith("fio:")]
    if errors:
        return ToolError(f"fio said: {errors[0]}")
    if documents.truncated:
        return OutputError("fio's JSON is cut off before the first figures.")
    return OutputError("There is no JSON of fio in this output.")


def _empty(failures: list[str], documents: Documents) -> Exception:
    if failures:
        said = [line for text in documents.outside for line in _lines(text)]
        return ToolError(" ".join([*failures, *said[:3]]))
    return OutputError("fio finished without a single operation.")
