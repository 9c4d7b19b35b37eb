"""Any tool's output -> benchlab's JSON: `python -m apps.tools.parse_cli [TOOL] FILE|-`, no database
needed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict, cast, final

import orjson

from apps.tools.values import Parameters, Values

from .bundles.find import bundles
from .cleaning import MAX_CLEANED, cleaned_text
from .commands_io import read_input, refuse
from .errors import OutputError, ToolError
from .parse_result import Completeness, Latency, Measurement, Output, Parsed
from .registry import TOOLS, parse_output, recognise
from .series.stalls import slowest_window
from .split_output.parse import OutputSection, ParsedSection, parse_sections, remarks, unclaimed
from .text import MAX_OUTPUT, is_blank

USAGE = "Usage: parse [TOOL] FILE|- (tools: {})"
# What a share has in common with the whole it belongs to.
ALIKE = frozenset({"operation", "part"})


def parse_bytes(tool: str | None, data: bytes, file: str = "") -> Parsed:
    """Parse foreign output; without a tool's name, the first plugin that recognises it.

    `file`: its name, if that names the format. Raises: ToolError, OutputError.
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
    """A latency in ns; percentiles ascending."""

    min: float | None
    mean: float | None
    max: float | None
    stddev: float | None
    percentiles: dict[str, float]


class MeasurementDocument(TypedDict):
    """One operation: bytes/s, operations/s; null where the tool did not say."""

    operation: str
    part: NotRequired[str]
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
    """One output of one tool; `lines`: where it stood in a text with more in it."""

    tool: str
    format: str
    version: str | None
    completeness: str
    measurements: list[MeasurementDocument]
    warnings: list[str]
    lines: NotRequired[Sequence[Sequence[int]]]


@final
class ManyDocuments(TypedDict):
    """A text with several outputs; `unclaimed`: lines that are of none, [first, last]."""

    documents: list[ParsedDocument]
    unclaimed: Sequence[Sequence[int]]
    warnings: Sequence[str]


def parse_document(tool: str | None, data: bytes, file: str = "") -> ParsedDocument | ManyDocuments:
    """The documented JSON of an output; of a text with outputs of several tools, or of one as
    text and JSON, {"documents": [each, with its "lines"], "unclaimed": [[first, last line]]}.
    Raises as `parse_bytes` does.
    """
    bundled = bool(file) and bool(bundles({file: data}))
    if not bundled and len(data) <= MAX_CLEANED:
        data = cleaned_text(data)
    read = [] if bundled else parse_sections(data)
    found = [each for each in read if each.counts and tool in (None, each.piece.tool)]
    if not found:
        return document_of(parse_bytes(tool, data, file))
    said = remarks(_asked(read, tool)) + (_others(read, tool) if tool else ())
    documents = [document_of(each.parsed, each.piece) for each in found if each.parsed]
    if len(documents) == 1:
        del documents[0]["lines"]
        documents[0]["warnings"] += said
        return documents[0]
    outside = unclaimed([each.piece for each in read], data)
    return {"documents": documents, "unclaimed": outside, "warnings": said}


def _asked(read: Sequence[ParsedSection], tool: str | None) -> list[ParsedSection]:
    return [each for each in read if tool in (None, each.piece.tool)]


def _others(read: Sequence[ParsedSection], tool: str) -> tuple[str, ...]:
    """Remarks about what was not asked for and is there as well."""
    return tuple(
        f"{each.piece.range_text.capitalize()} are of another tool and were not asked for: "
        f"{TOOLS[each.piece.tool].label}."
        for each in read
        if each.counts and each.piece.tool != tool
    )


def document_of(parsed: Parsed, piece: OutputSection | None = None) -> ParsedDocument:
    """The documented JSON: bytes/s, operations/s, ns; null where the tool did not say; keys in a
    fixed order. `piece`: the lines it was read from, of a text with more in it.
    """
    wholes = [each for each in parsed.measurements if not each.part]
    document: ParsedDocument = {
        "tool": parsed.tool,
        "format": parsed.format,
        "version": parsed.version,
        "completeness": parsed.completeness,
        "measurements": [_with_parts(each, parsed) for each in wholes],
        "warnings": all_warnings(parsed),
    }
    if piece:
        document["lines"] = piece.ranges
    return document


def all_warnings(parsed: Parsed) -> list[str]:
    """The remarks about the output, then those about its results, each once."""
    own = [text for each in parsed.measurements for text in each.warnings]
    return list(dict.fromkeys([*parsed.warnings, *own]))


def as_text(document: ParsedDocument | ManyDocuments) -> str:
    """JSON as text that any reader takes."""
    # orjson writes NaN and infinity as null.
    choices = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(printable(document), option=choices).decode()


def _with_parts(whole: Measurement, parsed: Parsed) -> MeasurementDocument:
    """One measurement an operation: what several targets or directions had of it is in `values`."""
    same = [each for each in parsed.measurements if each.operation == whole.operation]
    alone = sum(not each.part for each in same) == 1
    shares = {
        each.part: _share(each)
        for each in same
        if each.part and (alone or each.params == whole.params)
    }
    found = measurement_json(whole)
    if shares:
        found["values"] = {**whole.values, "shares": shares}
    return found


def _share(part: Measurement) -> Values:
    told = cast(Values, measurement_json(part))
    return {name: value for name, value in told.items() if name not in ALIKE}


def measurement_json(measurement: Measurement) -> MeasurementDocument:
    """One measurement as plain JSON; `part` names one of several targets that were used at once."""
    found: MeasurementDocument = {
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
    if measurement.part:
        found["part"] = measurement.part
    return found


def latency_json(latency: Latency) -> LatencyDocument:
    """A latency with its percentiles ascending."""
    names = sorted(latency.percentiles, key=float)
    return {
        "min": latency.min,
        "mean": latency.mean,
        "max": latency.max,
        "stddev": latency.stddev,
        "percentiles": {name: latency.percentiles[name] for name in names},
    }


def printable(value: Any) -> Any:
    """The same value without what JSON text cannot carry: lone surrogates, integers beyond 64
    bits.
    """
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
    """Print the JSON of `[TOOL] FILE|-`. Exit 2 and a sentence on stderr for what cannot be
    parsed.
    """
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
