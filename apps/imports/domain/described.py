"""Points of a result, each with its job options and the surroundings of its output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from apps.common.schemas.storable import cleaned
from apps.imports.domain.around import Around
from apps.imports.schemas.points import OperationValues, PreviewPoint
from apps.tools.messages import as_message, message
from apps.tools.parse_cli import printable
from apps.tools.parse_result import Measurement, Parsed
from apps.tools.translation import gettext_noop
from apps.tools.values import Parameters
from apps.tools.workload_naming import BESIDE_KEY, OPERATIONS
from apps.tools.workloads.job_options import JobOptions, fitting_tests, options_of
from apps.tools.workloads.points import Point, points_of

UNFITTING = gettext_noop(
    "the options as they were run are not used here: they differ from this output"
)
OTHER_COMMAND = gettext_noop(
    "the command in line %(line)d is not used: the output, or options that you entered, state "
    "something else"
)
MAX_WARNINGS = 50
MAX_TARGET_LENGTH = 200


@dataclass(frozen=True)
class Options:
    """Job options of one measurement.

    `line`: the command in the text that gives some of them; `target`: named by that command;
    `warnings`: options of the text that do not match.
    """

    params: Parameters
    line: int = 0
    target: str = ""
    warnings: tuple[str, ...] = ()
    is_unfitting: bool = False


@dataclass(frozen=True)
class Described:
    """Points of a result. `is_unfitting`: the options entered by a user match no result."""

    points: list[Point]
    preview_points: tuple[PreviewPoint, ...]
    is_unfitting: bool = False


def described(
    parsed: Parsed,
    path_params: Parameters,
    *,
    tests: Sequence[JobOptions] = (),
    around: Mapping[int, Around] | None = None,
    names: bool = True,
) -> Described:
    """Return the points of a result with their options.

    `path_params`: parameters named by folders; `tests`: options entered by a user; `around`:
    surroundings of each call.
    """
    around = around or {}
    each = [
        _options(parsed.tool, result, path_params, tests, around.get(result.call, Around()))
        for result in parsed.measurements
    ]
    options = tuple(one.params for one in each) if any(one.params for one in each) else ()
    points = _points(parsed, path_params, options, names=names)
    none_fits = bool(each) and all(one.is_unfitting for one in each)
    by_id = {id(m): one for m, one in zip(parsed.measurements, each, strict=True)}
    result = [
        _found_point(
            point, parsed, by_id[id(point.measurements[0])], around.get(point.call, Around()),
            says_unfitting=not none_fits,
        )
        for point in points
    ]  # fmt: skip
    return Described(points, _with_duplicates(result), none_fits)


def _points(
    parsed: Parsed, path_params: Parameters, options: Sequence[Parameters], *, names: bool = True
) -> list[Point]:
    """Return the points of a result whose measurements ran with these options."""
    if not options:
        return points_of(parsed, path_params, names=names)
    pairs = zip(parsed.measurements, options, strict=True)
    run = [
        replace(one, params=one.params | _beyond(own | path_params, one.params))
        for one, own in pairs
    ]
    original = {id(new): old for new, old in zip(run, parsed.measurements, strict=True)}
    points = points_of(replace(parsed, measurements=tuple(run)), path_params, names=names)
    return [
        replace(point, measurements=tuple(original[id(one)] for one in point.measurements))
        for point in points
    ]


def _beyond(params: Parameters, stated: Parameters) -> Parameters:
    return {name: value for name, value in params.items() if name not in stated}


def _options(
    tool: str,
    measurement: Measurement,
    path_params: Parameters,
    tests: Sequence[JobOptions],
    around: Around,
) -> Options:
    entered = options_of(tool, measurement, tests, path_params) if tests else {}
    existing = {**(entered or {}), **path_params}
    fitting = fitting_tests(tool, measurement, around.tests, existing)
    above = options_of(tool, measurement, fitting, existing) or {}
    adds = bool(above.keys() - existing.keys() - measurement.params.keys() - set(OPERATIONS))
    line = around.tests[0].line if around.tests else 0
    warnings: list[str] = []
    if around.tests and not fitting:
        warnings.append(message(OTHER_COMMAND, line=line))
    beside: Parameters = {}
    if around.beside is not None:
        beside = {"beside": around.beside.label, BESIDE_KEY: around.beside.key}
    return Options(
        {**above, **(entered or {}), **beside},
        line if adds else 0,
        next((one.target for one in fitting if one.target), ""),
        tuple(warnings),
        is_unfitting=entered is None,
    )


def _found_point(
    point: Point, parsed: Parsed, options: Options, around: Around, *, says_unfitting: bool
) -> PreviewPoint:
    warnings = [*point.warnings, *options.warnings]
    if options.is_unfitting and says_unfitting:
        warnings.append(message(UNFITTING))
    return PreviewPoint(
        key=point.key,
        label=storable_text(point.label),
        params=storable(point.params),
        exact=point.exact,
        occurrence=point.occurrence,
        measurements=tuple(map(_figures, point.measurements)),
        call=point.call,
        target=storable_text(point.target or options.target)[:MAX_TARGET_LENGTH],
        tuning=around.tuning,
        completeness=point.completeness or parsed.completeness,
        warnings=tuple(as_message(cleaned(text)) for text in warnings[:MAX_WARNINGS]),
        lines=around.lines,
        same_as=point.same_as,
        run_options=storable(options.params),
        command_line=options.line,
        beside=around.beside,
    )


def _with_duplicates(points: Sequence[PreviewPoint]) -> tuple[PreviewPoint, ...]:
    """Merge the proposals of repeated outputs."""
    merged = list(points)
    for copy in points:
        if copy.same_as is not None:
            first = merged[copy.same_as]
            merged[copy.same_as] = msgspec.structs.replace(
                first, target=first.target or copy.target, tuning=first.tuning or copy.tuning
            )
    return tuple(merged)


def _figures(measurement: Measurement) -> OperationValues:
    return OperationValues(
        operation=measurement.operation,
        component=measurement.component,
        bandwidth=measurement.bandwidth,
        iops=measurement.iops,
        latency_mean=measurement.latency.mean,
    )


def storable(value: Parameters) -> Parameters:
    """Remove what PostgreSQL rejects from parameters."""
    plain: Parameters = cleaned(printable(value))
    return plain


def storable_text(text: str) -> str:
    """Remove what PostgreSQL rejects from a text."""
    return str(cleaned(text))
