"""dd's output -> measurements. dd reports on stderr; an import may have both streams in one
text."""

from __future__ import annotations

from itertools import pairwise

from apps.tools.base import (
    Completeness,
    Measurement,
    Output,
    OutputError,
    Parsed,
    Series,
    ToolError,
)
from apps.tools.sentences import sentence
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, clean, count
from apps.tools.values import Parameters, Values

from .report_lines import DdFigures, decode, figures, records
from .results import DdLines, Result

_LOOKS = 1024**2
# dd prints three digits, busybox one behind the point.
ROUNDING = 0.06
UNKNOWN = {
    "copy": "dd copied from one place to another: the figure is the rate of both together.",
    "memory": "dd copied zeros to nowhere: the figure is the rate of memory, not of a disk.",
    "unknown": "The text does not say what dd copied: the figure is filed under write.",
}


def recognises(data: bytes) -> bool:
    """Whether a line is dd's result."""
    lines = clean(data[:_LOOKS]).replace(b"\r", b"\n").split(b"\n")
    return any(b"/" in line and figures(decode(line[-2_000:])) for line in lines)


def parse_output(output: Output) -> Parsed:
    """Read an attempt's stderr and stdout, or an import's "stdout". Raises ToolError or
    OutputError."""
    data = _text(output)
    reading = DdLines()
    reading.read(data)
    results = [each for each in reading.results if each.figures.bytes]
    if not results:
        raise _nothing(reading, data, output.exit_code)
    # A run of benchlab may write its file first; what it measures comes last.
    results = results[-1:] if output.params else results
    warnings = [*_doubts(results, output.params), *reading.errors, *reading.remarks]
    completeness = _completeness(reading, output)
    if reading.cut:
        warnings.append("The output is cut off: a run of dd has no result line.")
    if output.exit_code:
        warnings.append(sentence("dd ended with exit code %(code)d.", code=output.exit_code))
    return Parsed(
        tool="dd",
        format=results[-1].figures.flavour,
        version=None,
        measurements=tuple(_measurement(each, output.params) for each in results),
        warnings=tuple(dict.fromkeys(warnings)),
        completeness=completeness,
    )


def _text(output: Output) -> bytes:
    streams = [output.files.get(name, b"") for name in ("stdout", "stderr")]
    if sum(map(len, streams)) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    return b"\n".join(clean(stream) for stream in streams if stream.strip())


def _nothing(reading: DdLines, data: bytes, exit_code: int | None) -> Exception:
    if reading.errors:
        return ToolError(sentence("dd said: %(words)s", words=reading.errors[-1]))
    if exit_code:
        return ToolError(
            sentence("dd ended with exit code %(code)d and no result.", code=exit_code)
        )
    if reading.results:
        return OutputError("dd copied nothing.")
    if any(records(decode(line)) for line in data[-4_096:].split(b"\n")):
        return OutputError("dd printed its records but no time: there is nothing to measure.")
    return OutputError("There is no result of dd in this output.")


def _completeness(reading: DdLines, output: Output) -> Completeness:
    last = reading.results[-1]
    asked = count(output.params.get("size"))
    if reading.cut or reading.errors or output.exit_code or (asked and asked > last.figures.bytes):
        return "partial"
    bare = any(not result.records for result in reading.results)
    return "unknown" if bare else "whole"


def _doubts(results: list[Result], params: Parameters) -> list[str]:
    """Doubts that a reader of these results should know."""
    warnings = []
    for result in results:
        direction = _direction(result, params)
        exact, printed = _bandwidth(result.figures), result.figures.printed
        asked = count(params.get("size") or result.invocation.params().get("size"))
        if direction in UNKNOWN:
            warnings.append(UNKNOWN[direction])
        if exact and printed and result.ended and abs(exact / printed - 1) > ROUNDING:
            warnings.append(
                sentence(
                    "%(bytes)d bytes in %(seconds)s s are not the %(rate)s bytes/s that are "
                    "printed.",
                    bytes=result.figures.bytes,
                    seconds=f"{result.figures.seconds:g}",
                    rate=f"{printed:g}",
                )
            )
        if asked and result.figures.bytes < asked:
            copied = result.figures.bytes
            warnings.append(
                sentence("dd copied %(copied)d of %(asked)d bytes.", copied=copied, asked=asked)
            )
    return warnings


def _direction(result: Result, params: Parameters) -> str:
    rw = params.get("rw")
    return rw if rw in ("read", "write") else result.direction


def _bandwidth(found: DdFigures) -> float | None:
    return found.bytes / found.seconds if found.seconds > 0 else None


def _measurement(result: Result, params: Parameters) -> Measurement:
    found = result.figures
    direction = _direction(result, params)
    values: Values = {
        "bytes": found.bytes,
        "seconds": found.seconds,
        "printed": {"bandwidth": found.printed},
        "direction": direction,
    }
    for name, pair in zip(("records_in", "records_out"), result.records, strict=False):
        values[name] = {"full": pair[0], "partial": pair[1]}
    return Measurement(
        operation="read" if direction == "read" else "write",
        bandwidth=_bandwidth(found),
        iops=_iops(result, direction),
        params=dict(params) or _said(result),
        values=values,
        series=_series(result),
    )


def _said(result: Result) -> Parameters:
    """The command's parameters, or only the word before the line."""
    return result.invocation.params() or ({"rw": result.label} if result.label else {})


def _iops(result: Result, direction: str) -> float | None:
    """Records per second: each is one read() or write() of a block."""
    if len(result.records) < 2 or result.figures.seconds <= 0:
        return None
    return sum(result.records[0 if direction == "read" else 1]) / result.figures.seconds


def _series(result: Result) -> tuple[Series, ...]:
    """Bandwidth between the progress lines, which are cumulative and about a second apart."""
    points = [(0.0, 0)]
    for each in result.progress:
        if each.seconds > points[-1][0] and each.bytes >= points[-1][1]:
            points.append((each.seconds, each.bytes))
    if len(points) < 3:
        return ()
    rates = tuple((b - a) / (t - s) for (s, a), (t, b) in pairwise(points))
    return (Series("bandwidth", rates, 0.0, points[-1][0] / len(rates)),)
