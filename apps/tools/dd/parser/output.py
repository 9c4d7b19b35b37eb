"""dd's output -> measurements. dd reports on stderr; an import may have both streams in one
text.
"""

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
from .report_lines import DdFigures, decode, figures, records
from .results import DdLines, Result

_LOOKS = 1024**2
# dd prints three digits, busybox one behind the point.
ROUNDING = 0.06
NO_RATE = "The printed time gives no rate."
UNKNOWN = {
    "copy": "dd copied from one place to another: the figure is the rate of both together.",
    "memory": "dd copied zeros to nowhere: the figure is the rate of memory, not of a disk.",
    "unknown": "The text does not say what dd copied: the figure is filed under write.",
}


def recognises(data: bytes) -> bool:
    """Whether a line is dd's result, or two are that a mailer made of it."""
    lines = clean(data[:_LOOKS]).replace(b"\r", b"\n").split(b"\n")
    return any(b"/" in line and figures(decode(line[-2_000:])) for line in lines) or any(
        b"/" in line and figures(decode(before[-1_000:] + b" " + line[-1_000:]))
        for before, line in pairwise(lines)
    )


def parse_output(output: Output) -> Parsed:
    """Read an attempt's stderr and stdout, or an import's "stdout". Raises ToolError or
    OutputError.
    """
    data = _text(output)
    reading = DdLines()
    reading.read(data)
    results = [each for each in reading.results if each.figures.bytes]
    if not results:
        raise _nothing(reading, data, output.exit_code)
    # A run of benchlab may write its file first; what it measures comes last.
    results = results[-1:] if output.params else results
    found = [_measurement(each, output, call) for call, each in enumerate(results, 1)]
    if not output.params:
        found = list(map(_with_earlier, found, earlier_commands(results, reading.drops)))
    warnings = [*reading.lost, *reading.remarks]
    if reading.cut:
        warnings.append("The output is cut off: a run of dd has no result line.")
    if output.exit_code:
        warnings.append(message("dd ended with exit code %(code)d.", code=output.exit_code))
    return Parsed(
        tool="dd",
        format=results[-1].figures.flavour,
        version=None,
        measurements=tuple(found),
        warnings=tuple(dict.fromkeys(warnings)),
        completeness=_worst(found, reading, output),
    )


def _with_earlier(found: Measurement, command: str) -> Measurement:
    return replace(found, unread_options=(*found.unread_options, command)) if command else found


def _text(output: Output) -> bytes:
    streams = [output.files.get(name, b"") for name in ("stdout", "stderr")]
    if sum(map(len, streams)) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    return b"\n".join(clean(stream) for stream in streams if stream.strip())


def _nothing(reading: DdLines, data: bytes, exit_code: int | None) -> Exception:
    if reading.lost:
        return ToolError(message("dd said: %(words)s", words=reading.lost[-1]))
    if exit_code:
        return ToolError(message("dd ended with exit code %(code)d and no result.", code=exit_code))
    if reading.results:
        return OutputError("dd copied nothing.")
    if any(records(decode(line)) for line in data[-4_096:].split(b"\n")):
        return OutputError("dd printed its records but no time: there is nothing to measure.")
    return OutputError("There is no result of dd in this output.")


def _worst(found: list[Measurement], reading: DdLines, output: Output) -> Completeness:
    """The worst of the results'; of benchlab's own test also what its call says."""
    states = {each.completeness for each in found}
    own = bool(output.params) and bool(reading.cut or reading.lost)
    if "partial" in states or own or output.exit_code:
        return "partial"
    return "unknown" if "unknown" in states else "whole"


def _completeness(result: Result, asked: int) -> Completeness:
    if result.errors or not result.ended or asked > result.figures.bytes:
        return "partial"
    if _bandwidth(result.figures) is None:
        return "partial"
    return "whole" if result.records else "unknown"


def _doubts(result: Result, direction: str, asked: int) -> Iterator[str]:
    """Doubts that a reader of this result should know."""
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
    if result.figures.bytes < asked:
        copied = result.figures.bytes
        yield message("dd copied %(copied)d of %(asked)d bytes.", copied=copied, asked=asked)


def _direction(result: Result, params: Parameters) -> str:
    rw = params.get("rw")
    return rw if rw in ("read", "write") else result.direction


def _bandwidth(found: DdFigures) -> float | None:
    return number(found.bytes / found.seconds) if found.seconds > 0 else None


def _measurement(result: Result, output: Output, call: int) -> Measurement:
    found = result.figures
    direction = _direction(result, output.params)
    values: Values = {
        "bytes": found.bytes,
        "seconds": found.seconds,
        "printed": {"bandwidth": found.printed},
        "direction": direction,
    }
    for name, pair in zip(("records_in", "records_out"), result.records, strict=False):
        values[name] = {"full": pair[0], "partial": pair[1]}
    asked = count((output.params or meaning(result.invocation).params).get("size"))
    said = stated(result)
    return Measurement(
        operation="read" if direction == "read" else "write",
        bandwidth=_bandwidth(found),
        iops=_iops(result, direction),
        params=dict(output.params) or said.params,
        values=values,
        series=_series(result),
        call=call,
        target=without_variables(result.invocation.target),
        unread_options=() if output.params else tuple(said.unread.values()),
        completeness=_completeness(
            result, asked if output.params or result.invocation.is_endless else 0
        ),
        warnings=(*_doubts(result, direction, asked), *result.errors),
        lines=result.lines,
    )


def stated(result: Result) -> Meaning:
    """Parameters that the command, the word before the line and the records state. Bytes and full
    records give the block size; without a count that is a number the bytes tell the amount.
    """
    said = meaning(result.invocation)
    operands = result.invocation.operands
    block = _block(result)
    if block is not None and "bs" not in said.params:
        # A variable of a shell; without a command nothing else is known.
        named = replace(result.invocation, operands={**operands, "bs": str(block)})
        said = meaning(named) if operands else Meaning({"bs": block}, {})
    if "size" not in said.params and result.ended and "bs" in said.params:
        said.params["size"] = result.figures.bytes
        said.unread.pop("count", None)
    if count(said.params.get("size")) > result.figures.bytes:
        # An end of the input or an interrupt: another test than the one that copies all.
        said.params["size"] = result.figures.bytes
        said.unread["count"] = f"count={result.invocation.operands.get('count', '')}"
    if result.label and "rw" not in said.params:
        said.params["rw"] = result.label
    return said


def _block(result: Result) -> int | None:
    """The block size where there is no partial record and as many went out as came in; dd that was
    interrupted had read one more.
    """
    if len(result.records) < 2 or not result.ended:
        return None
    (read, odd), (written, rest) = result.records
    if odd or rest or not written or read - written not in (0, 1):
        return None
    block, remainder = divmod(result.figures.bytes, written)
    return block if not remainder else None


def _iops(result: Result, direction: str) -> float | None:
    """Records per second: each is one read() or write() of a block."""
    if len(result.records) < 2 or result.figures.seconds <= 0:
        return None
    blocks = sum(result.records[0 if direction == "read" else 1])
    return number(blocks / result.figures.seconds)


def _series(result: Result) -> tuple[Series, ...]:
    """Bandwidth between the progress lines, which are cumulative and about a second apart."""
    points = [(0.0, 0)]
    for each in result.progress:
        if each.seconds > points[-1][0] and each.bytes >= points[-1][1]:
            points.append((each.seconds, each.bytes))
    if len(points) < 3:
        return ()
    rates = tuple(number((b - a) / (t - s)) for (s, a), (t, b) in pairwise(points))
    return (Series("bandwidth", rates, 0.0, points[-1][0] / len(rates)),)
