"""Print any tool's output as benchlab's JSON.

Usage: `python -m apps.tools.parse_cli [TOOL] FILE|-`; it needs no database.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast, final

import orjson

from apps.tools.bundle_detection import bundles
from apps.tools.parse_result import all_warnings
from apps.tools.values import Parameters, Values

from .cleaning import MAX_CLEANED, cleaned_text
from .commands_io import read_input, refuse
from .errors import OutputError, ToolError
from .parse_result import Completeness, Latency, Measurement, Output, Parsed
from .registry import TOOLS, parse_output, recognise
from .series.stalls import slowest_window
from .split_output.parse import OutputSection, ParsedSection, parse_sections, remarks, unclaimed
from .text import MAX_OUTPUT, is_blank

USAGE = "Usage: parse [TOOL] FILE|- (tools: {})"
# Keys that a component has in common with its whole.
COMMON_KEYS = frozenset({"operation", "component"})


def parse_bytes(tool: str | None, data: bytes, file: str = "") -> Parsed:
    """Parse foreign output; without a tool's name, with the first plugin that recognises it.

    `file`: its name, if that identifies the format.

    Raises: ToolError, OutputError.
    """
    if tool is not None and tool not in TOOLS:
        raise OutputError(f"There is no tool {tool!r}; known are {', '.join(TOOLS)}.")
    if is_blank(data):
        raise OutputError("The file is empty.")
    if len(data) > MAX_OUTPUT:
        raise OutputError(f"The file is larger than {MAX_OUTPUT // 1024**2} MiB.")
    for bundle in bundles({file: data}) if file else ():
        if tool in (None, bundle.tool):
            empty = {"stdout": b"", "stderr": b""}
            return parse_output(bundle.tool, Output(empty | dict.fromkeys(bundle.files, data)))
    plugin = TOOLS[tool] if tool is not None else recognise(data)
    if plugin is None:
        raise OutputError(f"No tool recognises this output; known are {', '.join(TOOLS)}.")
    return parse_output(plugin.name, Output({"stdout": data, "stderr": b""}))


class LatencyDocument(TypedDict):
    """Latency in ns; percentiles ascending."""

    min: float | None
    mean: float | None
    max: float | None
    stddev: float | None
    percentiles: dict[str, float]


class MeasurementDocument(TypedDict):
    """One operation in bytes/s and operations/s; null where the output has no value."""

    operation: str
    component: NotRequired[str]
    job: str | None
    group: int | None
    client: str | None
    call: int
    target: str | None
    completeness: Completeness | None
    warnings: Sequence[str]
    unread_options: Sequence[str]
    lines: Sequence[int] | None
    bandwidth: float | None
    iops: float | None
    latency: LatencyDocument
    params: Parameters
    values: Values
    series: dict[str, list[float | None]]


@final
class ParsedDocument(TypedDict):
    """One output of one tool; `lines`: its line ranges in a text with other content."""

    tool: str
    format: str
    version: str | None
    completeness: str
    measurements: list[MeasurementDocument]
    warnings: list[str]
    lines: NotRequired[Sequence[Sequence[int]]]


@final
class ManyDocuments(TypedDict):
    """Text with several outputs; `unclaimed`: lines of no output, [first, last]."""

    documents: list[ParsedDocument]
    unclaimed: Sequence[Sequence[int]]
    warnings: Sequence[str]


def parse_document(tool: str | None, data: bytes, file: str = "") -> ParsedDocument | ManyDocuments:
    """Return the documented JSON of an output.

    A text with outputs of several tools, or with text and JSON of one, gives {"documents": [each,
    with its "lines"], "unclaimed": [[first, last line]]}.

    Raises: ToolError, OutputError.
    """
    bundled = bool(file) and bool(bundles({file: data}))
    if not bundled and len(data) <= MAX_CLEANED:
        data = cleaned_text(data)
    read = [] if bundled else parse_sections(data)
    counted = [each for each in read if each.counts and tool in (None, each.piece.tool)]
    if not counted:
        return document_of(parse_bytes(tool, data, file))
    messages = remarks(_of_tool(read, tool)) + (_others(read, tool) if tool else ())
    documents = [document_of(each.parsed, each.piece) for each in counted if each.parsed]
    if len(documents) == 1:
        del documents[0]["lines"]
        documents[0]["warnings"] += messages
        return documents[0]
    outside = unclaimed([each.piece for each in read], data)
    return {"documents": documents, "unclaimed": outside, "warnings": messages}


def _of_tool(read: Sequence[ParsedSection], tool: str | None) -> list[ParsedSection]:
    return [each for each in read if tool in (None, each.piece.tool)]


def _others(read: Sequence[ParsedSection], tool: str) -> tuple[str, ...]:
    """Return remarks about outputs of other tools than the requested one."""
    return tuple(
        f"Lines {each.piece.range_text} are of another tool and were not asked for: "
        f"{TOOLS[each.piece.tool].label}."
        for each in read
        if each.counts and each.piece.tool != tool
    )


def document_of(parsed: Parsed, piece: OutputSection | None = None) -> ParsedDocument:
    """Return the documented JSON in bytes/s, operations/s and ns, with keys in a fixed order.

    Values are null where the output has none. `piece`: the section of a text with other content.
    """
    wholes = [each for each in parsed.measurements if not each.component]
    document: ParsedDocument = {
        "tool": parsed.tool,
        "format": parsed.format,
        "version": parsed.version,
        "completeness": parsed.completeness,
        "measurements": [_with_components(each, parsed) for each in wholes],
        "warnings": all_warnings(parsed),
    }
    if piece:
        document["lines"] = piece.ranges
    return document


def as_text(document: ParsedDocument | ManyDocuments) -> str:
    """Format a document as JSON text."""
    # orjson writes NaN and infinity as null.
    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(printable(document), option=options).decode()


def _with_components(whole: Measurement, parsed: Parsed) -> MeasurementDocument:
    """Return one measurement per operation; those of its components are in `values`."""
    same = [each for each in parsed.measurements if each.operation == whole.operation]
    is_single = sum(not each.component for each in same) == 1
    shares = {
        each.component: _share(each)
        for each in same
        if each.component and (is_single or each.params == whole.params)
    }
    counted = measurement_json(whole)
    if shares:
        counted["values"] = {**whole.values, "shares": shares}
    return counted


def _share(component: Measurement) -> Values:
    document = cast(Values, measurement_json(component))
    return {name: value for name, value in document.items() if name not in COMMON_KEYS}


def measurement_json(measurement: Measurement) -> MeasurementDocument:
    """Return one measurement as plain JSON; `component`: one of several simultaneous targets."""
    counted: MeasurementDocument = {
        "operation": measurement.operation,
        "bandwidth": measurement.bandwidth,
        "iops": measurement.iops,
        "latency": latency_json(measurement.latency),
        "params": measurement.params,
        "values": {**measurement.values, **slowest_window(measurement)},
        "series": {series.metric: list(series.values) for series in measurement.series},
        "job": measurement.job or None,
        "group": measurement.group,
        "client": measurement.client or None,
        "call": measurement.call,
        "target": measurement.target or None,
        "completeness": measurement.completeness,
        "warnings": list(measurement.warnings),
        "unread_options": list(measurement.unread_options),
        "lines": list(measurement.lines) if measurement.lines else None,
    }
    if measurement.component:
        counted["component"] = measurement.component
    return counted


def latency_json(latency: Latency) -> LatencyDocument:
    """Return a latency with ascending percentiles."""
    names = sorted(latency.percentiles, key=float)
    return {
        "min": latency.min,
        "mean": latency.mean,
        "max": latency.max,
        "stddev": latency.stddev,
        "percentiles": {name: latency.percentiles[name] for name in names},
    }


def printable(value: Any) -> Any:
    """Return the value without lone surrogates and integers beyond 64 bits, which JSON excludes."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and not isinstance(value, bool):
        return value if -(2**63) <= value < 2**63 else None
    if isinstance(value, dict):
        return {printable(str(key)): printable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [printable(item) for item in value]
    return value


def main(argv: Sequence[str]) -> int:
    """Print the JSON of `[TOOL] FILE|-`; exit with 2 and a sentence on stderr on an error."""
    if len(argv) not in (1, 2):
        return refuse(USAGE.format(", ".join(TOOLS)))
    name = argv[0] if len(argv) == 2 else None
    try:
        data = read_input(argv[-1], MAX_OUTPUT)
    except OSError as error:
        return refuse(f"{argv[-1]} cannot be read: {error.strerror or error}.")
    try:
        print(as_text(parse_document(name, data, Path(argv[-1]).name)))
    except (OutputError, ToolError) as error:
        return refuse(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
