"""fio's JSON and JSON+ output, every version from 2.0: the last complete document of a call is its
result.

Documents before it (--status-interval) become series; what another call wrote is a result of its
own. Jobs of one group (same `groupid`) ran together and are totalled; each group is a parameter
point of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio.parser.completeness import worst
from apps.tools.fio.parser.targets import group_of
from apps.tools.messages import message
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.values import Parameters
from apps.tools.words import gettext_noop

from .documents import Documents
from .measurements import failures_of, measurements_of
from .remarks import remarks
from .repair import jobs_of
from .runs import DocumentRun, runs_of, start_of, version_of


def parse_json(data: bytes, params: Parameters | None = None) -> Parsed:
    """Read the bytes of fio's --output-format=json or json+.

    `params`: the canonical parameters when benchlab ran fio itself; they tell whether the run was
    long enough. Raises ToolError when fio says that it failed and has no figures, OutputError when
    there is nothing to read.
    """
    params = params or {}
    documents = Documents()
    runs = runs_of(documents, documents.split(data), one_call=bool(params))
    if not runs:
        raise _nothing(documents)
    read = [_Result.of(run, params) for run in runs]
    found = [each for each in read if each.measured]
    if not found:
        raise _empty([text for each in read for text in each.failures], documents)
    measurements = tuple(
        _with_remarks(each, result, alone=len(runs) == 1)
        for result in found
        for each in result.measurements
    )
    return Parsed(
        tool="fio",
        format="json+" if any(m.histogram for m in measurements) else "json",
        version=version_of(runs[-1].last or {}),
        measurements=measurements,
        warnings=(*_warnings(documents, read), *_fruitless(len(read) - len(found))),
        completeness=worst(measurements),
        began=start_of(jobs_of(runs[0].last or {})),
        ended=runs[-1].clocks[-1],
    )


@dataclass(frozen=True)
class _Result:
    """The measurements of one call, and the sentences of jobs that failed."""

    run: DocumentRun
    measurements: list[Measurement]
    failures: list[str]

    @classmethod
    def of(cls, run: DocumentRun, params: Parameters) -> _Result:
        return cls(run, measurements_of(run, params), failures_of(jobs_of(run.last or {})))

    @property
    def measured(self) -> bool:
        """Whether there are figures, which after a failure are more than zeros."""
        if self.failures:
            return any(each.iops for each in self.measurements)
        return bool(self.measurements)

    @property
    def failures_without_result(self) -> list[str]:
        """The sentences of jobs whose group has no result."""
        groups = {each.group for each in self.measurements}
        jobs = [] if self.run.targets else jobs_of(self.run.last or {})
        return failures_of([job for job in jobs if group_of(job) not in groups])


def _with_remarks(found: Measurement, result: _Result, *, alone: bool) -> Measurement:
    """The result with what fio said around the documents of its call, unless that is the only
    one.
    """
    said = [] if alone else _apart(remarks(result.run.outside), found)
    return replace(found, warnings=(*found.warnings, *said)) if said else found


def _apart(said: Sequence[str], found: Measurement) -> list[str]:
    return [text for text in said if text not in found.warnings]


def _fruitless(calls: int) -> list[str]:
    """Warnings about results without figures among others that have some."""
    words = gettext_noop("%(calls)d of the results of fio in it have no figures.")
    return [message(words, calls=calls)] if calls else []


def _warnings(documents: Documents, read: Sequence[_Result]) -> list[str]:
    """Return remarks about the whole text, and those about calls and groups without a result."""
    warnings = remarks(documents.outside) if len(read) == 1 else []
    for each in read:
        if not each.measured:
            warnings += [*each.failures, *remarks(each.run.outside)]
        elif len(read) == 1:
            warnings = [text for text in warnings if text not in each.run.signals]
        if each.measured:
            warnings += each.failures_without_result
    if documents.repaired:
        warnings.append("The JSON was damaged; what does not belong there was left out.")
    if documents.broken:
        warnings.append(
            message("%(number)d damaged documents were skipped.", number=documents.broken)
        )
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
