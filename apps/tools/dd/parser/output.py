"""Parse dd's output. dd reports on stderr; an import may have both streams in one text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from apps.tools.errors import OutputError, ToolError
from apps.tools.messages import message
from apps.tools.parse_result import Completeness, Measurement, Output, Parsed, Series
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, clean, count, number, without_variables
from apps.tools.values import Parameters, Values

from .operands import Meaning, meaning
from .page_cache import earlier_commands
from .report_lines import DdFigures, decode, records
from .results import DdLines, Result

# dd prints three digits, busybox one decimal.
ROUNDING = 0.06
NO_RATE = "The printed time gives no rate."
UNKNOWN = {
    "copy": "dd copied from one place to another: the figure is the rate of both together.",
    "memory": "dd copied zeros to nowhere: the figure is the rate of memory, not of a disk.",
    "unknown": "The text does not say what dd copied: the figure is filed under write.",
}


def parse_output(output: Output) -> Parsed:
    """Parse an attempt's stderr and stdout, or an import's "stdout".

    Raises: ToolError or OutputError.
    """
    data = _text(output)
    parsed_lines = DdLines()
    parsed_lines.read(data)
    results = [each for each in parsed_lines.results if each.figures.bytes]
    if not results:
        raise _no_result_error(parsed_lines, data, output.exit_code)
    # A test of benchlab may create its file first; the measured copy is the last.
    results = results[-1:] if output.params else results
    measurements = [_measurement(each, output, call) for call, each in enumerate(results, 1)]
    if not output.params:
        measurements = list(
            map(_with_earlier, measurements, earlier_commands(results, parsed_lines.drops))
        )
    warnings = [*parsed_lines.lost, *parsed_lines.remarks]
    if parsed_lines.cut:
        warnings.append("The output is cut off: a run of dd has no result line.")
    if output.exit_code:
        warnings.append(message("dd ended with exit code %(code)d.", code=output.exit_code))
    return Parsed(
        tool="dd",
        format=results[-1].figures.flavour,
        version=None,
        measurements=tuple(measurements),
        warnings=tuple(dict.fromkeys(warnings)),
        completeness=_worst(measurements, parsed_lines, output),
    )


def _with_earlier(measured: Measurement, command: str) -> Measurement:
    if not command:
        return measured
    return replace(measured, unread_options=(*measured.unread_options, command))


def _text(output: Output) -> bytes:
    streams = [output.files.get(name, b"") for name in ("stdout", "stderr")]
    if sum(map(len, streams)) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    return b"\n".join(clean(stream) for stream in streams if stream.strip())


def _no_result_error(parsed_lines: DdLines, data: bytes, exit_code: int | None) -> Exception:
    if parsed_lines.lost:
        return ToolError(message("dd reported: %(words)s", words=parsed_lines.lost[-1]))
    if exit_code:
        return ToolError(message("dd ended with exit code %(code)d and no result.", code=exit_code))
    if parsed_lines.results:
        return OutputError("dd copied nothing.")
    if any(records(decode(line)) for line in data[-4_096:].split(b"\n")):
        return OutputError("dd printed its records but no time: there is nothing to measure.")
    return OutputError("There is no result of dd in this output.")


def _worst(measurements: list[Measurement], parsed_lines: DdLines, output: Output) -> Completeness:
    """Return the worst completeness of the results; errors count for benchlab's own test."""
    states = {each.completeness for each in measurements}
    has_errors = bool(output.params) and bool(parsed_lines.cut or parsed_lines.lost)
    if "partial" in states or has_errors or output.exit_code:
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def _completeness(result: Result, requested: int) -> Completeness:
    if result.errors or not result.ended or requested > result.figures.bytes:
        return "partial"
    if _bandwidth(result.figures) is None:
        return "partial"
    return "whole" if result.records else "unknown"


def _plausibility(result: Result, direction: str, requested: int) -> Iterator[str]:
    """Yield remarks on doubtful values of a result."""
    exact, printed = _bandwidth(result.figures), result.figures.printed
    if direction in UNKNOWN:
        yield UNKNOWN[direction]
    if exact is None:
        yield NO_RATE
    if exact and printed and result.ended and abs(exact / printed - 1) > ROUNDING:
        yield message(
            "%(bytes)d bytes in %(seconds)s s are not the %(rate)s bytes/s that are printed.",
            bytes=result.figures.bytes,
            seconds=f"{result.figures.seconds:g}",
            rate=f"{printed:g}",
        )
    if result.figures.bytes < requested:
        copied = result.figures.bytes
        yield message("dd copied %(copied)d of %(asked)d bytes.", copied=copied, asked=requested)


def _direction(result: Result, params: Parameters) -> str:
    rw = params.get("rw")
    return rw if rw in ("read", "write") else result.direction


def _bandwidth(line: DdFigures) -> float | None:
    return number(line.bytes / line.seconds) if line.seconds > 0 else None


def _measurement(result: Result, output: Output, call: int) -> Measurement:
    line = result.figures
    direction = _direction(result, output.params)
    values: Values = {
        "bytes": line.bytes,
        "seconds": line.seconds,
        "printed": {"bandwidth": line.printed},
        "direction": direction,
    }
    for name, pair in zip(("records_in", "records_out"), result.records, strict=False):
        values[name] = {"full": pair[0], "partial": pair[1]}
    requested = count((output.params or meaning(result.invocation).params).get("size"))
    interpreted = stated(result)
    return Measurement(
        operation="read" if direction == "read" else "write",
        bandwidth=_bandwidth(line),
        iops=_iops(result, direction),
        params=dict(output.params) or interpreted.params,
        values=values,
        series=_series(result),
        call=call,
        target=without_variables(result.invocation.target),
        unread_options=() if output.params else tuple(interpreted.unread.values()),
        completeness=_completeness(
            result, requested if output.params or result.invocation.is_endless else 0
        ),
        warnings=(*_plausibility(result, direction, requested), *result.errors),
        lines=result.lines,
    )


def stated(result: Result) -> Meaning:
    """Return the parameters in the command, in the label before the line and in the records.

    Bytes and full records give the block size. Without a numeric count the bytes give the size.
    """
    interpreted = meaning(result.invocation)
    operands = result.invocation.operands
    block = _block(result)
    if block is not None and "bs" not in interpreted.params:
        # `bs` is a shell variable, or there is no command.
        with_block = replace(result.invocation, operands={**operands, "bs": str(block)})
        interpreted = meaning(with_block) if operands else Meaning({"bs": block}, {})
    if "size" not in interpreted.params and result.ended and "bs" in interpreted.params:
        interpreted.params["size"] = result.figures.bytes
        interpreted.unread.pop("count", None)
    if count(interpreted.params.get("size")) > result.figures.bytes:
        # The input ended or dd was interrupted: not the same test as a complete copy.
        interpreted.params["size"] = result.figures.bytes
        interpreted.unread["count"] = f"count={result.invocation.operands.get('count', '')}"
    if result.label and "rw" not in interpreted.params:
        interpreted.params["rw"] = result.label
    return interpreted


def _block(result: Result) -> int | None:
    """Return the block size if there are no partial records and input and output records match.

    An interrupted dd has read one more record.
    """
    if len(result.records) < 2 or not result.ended:
        return None
    (read, partial_in), (written, partial_out) = result.records
    if partial_in or partial_out or not written or read - written not in (0, 1):
        return None
    block, remainder = divmod(result.figures.bytes, written)
    return block if not remainder else None


def _iops(result: Result, direction: str) -> float | None:
    """Return records per second: each is one read() or write() of a block."""
    if len(result.records) < 2 or result.figures.seconds <= 0:
        return None
    blocks = sum(result.records[0 if direction == "read" else 1])
    return number(blocks / result.figures.seconds)


def _series(result: Result) -> tuple[Series, ...]:
    """Return the bandwidth between the progress lines, which are cumulative and about 1 s apart."""
    points = [(0.0, 0)]
    for each in result.progress:
        if each.seconds > points[-1][0] and each.bytes >= points[-1][1]:
            points.append((each.seconds, each.bytes))
    if len(points) < 3:
        return ()
    rates = tuple(number((b - a) / (t - s)) for (s, a), (t, b) in pairwise(points))
    return (Series("bandwidth", rates, 0.0, points[-1][0] / len(rates)),)
