"""Parser of fio's JSON and JSON+ output of every version from 2.0 on.

The last complete document of a call is its result. Documents before it (--status-interval) become
series; documents of another call are a result of their own. Jobs of one group (same `groupid`) ran
together and are totalled; each group is a parameter point of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.tools.errors import OutputError, ToolError
from apps.tools.fio.parser.completeness import worst
from apps.tools.fio.parser.targets import group_of
from apps.tools.messages import message
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.translation import gettext_noop
from apps.tools.values import Parameters

from .documents import Documents
from .measurements import failures_of, measurements_of
from .remarks import remarks
from .repair import jobs_of
from .runs import DocumentRun, runs_of, start_of, version_of


def parse_json(data: bytes, params: Parameters | None = None) -> Parsed:
    """Parse the output of fio's --output-format=json or json+.

    `params`: canonical parameters of a run by benchlab, used to check its duration. Raises:
    ToolError if fio reports a failure and has no figures, OutputError if there is no result.
    """
    params = params or {}
    documents = Documents()
    runs = runs_of(documents, documents.split(data), one_call=bool(params))
    if not runs:
        raise _nothing(documents)
    read = [_Result.of(run, params) for run in runs]
    measured = [each for each in read if each.measured]
    if not measured:
        raise _empty([text for each in read for text in each.failures], documents)
    measurements = tuple(
        _with_remarks(each, result, only_call=len(runs) == 1)
        for result in measured
        for each in result.measurements
    )
    return Parsed(
        tool="fio",
        format="json+" if any(m.histogram for m in measurements) else "json",
        version=version_of(runs[-1].last or {}),
        measurements=measurements,
        warnings=(*_warnings(documents, read), *_without_figures(len(read) - len(measured))),
        completeness=worst(measurements),
        started_at=start_of(jobs_of(runs[0].last or {})),
        ended_at=runs[-1].clocks[-1],
    )


@dataclass(frozen=True)
class _Result:
    """Measurements of one call, and the messages of failed jobs."""

    run: DocumentRun
    measurements: list[Measurement]
    failures: list[str]

    @classmethod
    def of(cls, run: DocumentRun, params: Parameters) -> _Result:
        return cls(run, measurements_of(run, params), failures_of(jobs_of(run.last or {})))

    @property
    def measured(self) -> bool:
        """Return True if there are figures; after a failure they must not be all zero."""
        if self.failures:
            return any(each.iops for each in self.measurements)
        return bool(self.measurements)

    @property
    def failures_without_result(self) -> list[str]:
        """Return the messages of jobs whose group has no result."""
        groups = {each.group for each in self.measurements}
        jobs = [] if self.run.targets else jobs_of(self.run.last or {})
        return failures_of([job for job in jobs if group_of(job) not in groups])


def _with_remarks(measurement: Measurement, result: _Result, *, only_call: bool) -> Measurement:
    """Return the result with the remarks around the documents of its call.

    If there is only one call, the remarks belong to the whole output.
    """
    new = [] if only_call else _new_remarks(remarks(result.run.outside), measurement)
    return replace(measurement, warnings=(*measurement.warnings, *new)) if new else measurement


def _new_remarks(texts: Sequence[str], measurement: Measurement) -> list[str]:
    return [text for text in texts if text not in measurement.warnings]


def _without_figures(calls: int) -> list[str]:
    """Return a warning about results without figures among others with figures."""
    text = gettext_noop("%(calls)d of the results of fio in it have no figures.")
    return [message(text, calls=calls)] if calls else []


def _warnings(documents: Documents, read: Sequence[_Result]) -> list[str]:
    """Return remarks about the whole text, and about calls and groups without a result."""
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
    texts = remarks(documents.outside)
    errors = [line for line in texts if "error" in line.lower() or line.startswith("fio:")]
    if errors:
        return ToolError(f"fio reported: {errors[0]}")
    if documents.truncated:
        return OutputError("fio's JSON is cut off before the first figures.")
    return OutputError("There is no JSON of fio in this output.")


def _empty(failures: list[str], documents: Documents) -> Exception:
    if failures:
        texts = remarks(documents.outside)
        return ToolError(" ".join([*failures, *texts[:3]]))
    return OutputError("fio finished without a single operation.")
