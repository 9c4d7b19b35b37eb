"""Cases and attempts of parsed files, one of each per point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from apps.blobs.schemas import CompressedContent
from apps.imports.domain.described import storable, storable_text
from apps.imports.domain.parse_result import ParseResult
from apps.imports.models import SHARE, ImportFile
from apps.imports.schemas.points import PreviewPoint, proposals_of
from apps.imports.selectors.reparsed import file_read
from apps.imports.selectors.repeat_numbers import RepeatNumbers
from apps.imports.services.to_store import parts_of
from apps.inventory.models import Host
from apps.plans.models import Workload
from apps.results.services.write import NewResult, results_write
from apps.runs.models import Attempt, AttemptState, Case, CaseState, Run, RunTarget, RunTuning
from apps.runs.schemas import ImportedFrom
from apps.runs.services.artifacts import artifacts_store
from apps.runs.services.snapshot import imported_target, imported_tuning
from apps.tools.messages import join_messages, message
from apps.tools.registry import tool
from apps.tools.workloads.points import Point

BATCH = 500  # rows per statement


@dataclass
class NewCase:
    """Case that is not stored yet.

    `index`: the point's index in its file. `about`: the point as previewed. `names`: its job name
    tells it apart.
    """

    file: ImportFile
    reading: ParseResult
    point: Point
    about: PreviewPoint
    index: int
    row: Case
    attempt: Attempt
    names: bool = True
    repeat: int = 1
    sequence: int = 0

    @property
    def began(self) -> datetime | None:
        return self.attempt.started_at

    @property
    def ended(self) -> datetime | None:
        return self.attempt.ended_at


@dataclass
class RunNames:
    """Targets and tunings of an imported run, created on first use."""

    run: Run
    targets: dict[tuple[int, str], RunTarget] = field(default_factory=dict)
    tunings: dict[str, RunTuning] = field(default_factory=dict)

    def target(self, host: Host, name: str) -> RunTarget:
        """Return the run target of a host and a name."""
        targets, key = self.targets, (host.pk, name)
        if key not in targets:
            targets[key] = imported_target(self.run, host=host, name=name, position=len(targets))
        return targets[key]

    def tuning(self, name: str) -> RunTuning:
        tunings = self.tunings
        if name not in tunings:
            tunings[name] = imported_tuning(self.run, name=name, position=len(tunings))
        return tunings[name]


def new_cases(
    run_names: RunNames,
    file: ImportFile,
    host: Host,
    repeat_numbers: RepeatNumbers,
    *,
    names: bool = True,
) -> Iterator[NewCase]:
    """Yield the cases of a file; none if it no longer parses.

    `names`: job names tell tests apart.
    """
    reading = file_read(file, parts_of(file), names=names)
    keys = [point.key for point in reading.points]
    numbered = repeat_numbers.number_points(file, keys, proposals_of(reading.preview_points))
    points = zip(reading.points, reading.preview_points, numbered, strict=True)
    for index, (point, about, own) in enumerate(points):
        if own.repeat is None:
            continue
        case = Case(
            run=run_names.run,
            run_target=run_names.target(host, own.names.target),
            run_tuning=run_names.tuning(own.names.tuning),
            state=CaseState.SUCCEEDED,
        )
        attempt = _attempt(case, file, reading, about)
        yield NewCase(file, reading, point, about, index, case, attempt, names, own.repeat)


def _attempt(case: Case, file: ImportFile, reading: ParseResult, about: PreviewPoint) -> Attempt:
    parsed = reading.parsed
    assert parsed is not None, "a reading with points has been parsed"
    warnings = _remarks(reading, about)
    invalid = ""
    if file.completeness == SHARE:
        invalid = message("one of several results that ran at the same time, whose sum is not made")
    elif about.completeness == "partial":
        invalid = message("the output is incomplete: %(why)s", why=join_messages(*warnings[:3]))
    return Attempt(
        case=case,
        state=AttemptState.SUCCEEDED,
        valid=not invalid,
        invalid_reason=invalid,
        warnings=warnings,
        tool_version=reading.version,
        started_at=_utc(parsed.started_at),
        ended_at=_utc(parsed.ended_at),
    )


def _remarks(reading: ParseResult, about: PreviewPoint) -> list[str]:
    """Return the remarks about one result, with those about the file if it is the only one."""
    return [*about.warnings, *(reading.warnings if len(reading.points) == 1 else [])]


def cases_store(cases: Sequence[NewCase]) -> None:
    """Store cases with their workloads, attempts, artifacts and results, in bulk."""
    workloads = _workloads(cases)
    for case in cases:
        case.row.sequence, case.row.repeat = case.sequence, case.repeat
        case.row.workload = workloads[case.point.key]
        case.attempt.imported = _origin(case)
    Case.objects.bulk_create([case.row for case in cases], batch_size=BATCH)
    first: dict[int, Attempt] = {}
    for case in cases:
        # The case has a key since bulk_create; Django requires setting the relation again.
        case.attempt.case = case.row
        owner = first.setdefault(case.file.pk, case.attempt)
        if owner is not case.attempt:
            case.attempt.imported = _origin(case, bytes_of=str(owner.pk))
    Attempt.objects.bulk_create([case.attempt for case in cases], batch_size=BATCH)
    artifacts_store(_artifacts(first, cases))
    results_write([_result(case) for case in cases])


def _origin(case: NewCase, bytes_of: str | None = None) -> ImportedFrom:
    """Return the position of the point in its file.

    apps.results.services.parse uses it to parse the file again.
    """
    return ImportedFrom(
        key=case.point.key,
        occurrence=case.point.occurrence,
        index=case.index,
        path=case.file.path,
        params={**case.file.path_params, **case.about.run_options},
        names=case.names,
        bytes_of=bytes_of,
    )


def _workloads(cases: Sequence[NewCase]) -> dict[str, Workload]:
    by_key = {case.point.key: case for case in cases}
    new = {
        key: Workload(
            key=key,
            tool=case.reading.tool,
            params=storable(case.point.params),
            label=storable_text(case.point.label),
        )
        for key, case in by_key.items()
    }
    Workload.objects.bulk_create(new.values(), ignore_conflicts=True)
    return Workload.objects.in_bulk(list(new), field_name="key")


def _artifacts(
    first: dict[int, Attempt], cases: Sequence[NewCase]
) -> Iterator[tuple[Attempt, str, CompressedContent]]:
    """Yield the compressed bytes of each file for its first attempt."""
    files = {case.file.pk: case.file for case in cases}
    for pk, attempt in first.items():
        for row in (files[pk], *parts_of(files[pk])):
            yield attempt, row.role, _content(row)


def _content(row: ImportFile) -> CompressedContent:
    packed = bytes(row.content)
    return CompressedContent(row.sha256, row.size, len(packed), lambda: [packed])


def _result(case: NewCase) -> NewResult:
    parsed = case.reading.parsed
    assert parsed is not None, "a reading with points has been parsed"
    return NewResult(
        case.attempt,
        case.point.of(parsed),
        tool(case.reading.tool).parser_version,
        case.attempt.invalid_reason,
    )


def _utc(seconds: float | None) -> datetime | None:
    """Convert seconds since 1970 to UTC; None without a value or out of range."""
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
