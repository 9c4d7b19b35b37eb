"""Parse the documents of iperf3 -J (iperf_api.c: iperf_json_finish).

The values are those of `end`; a document that is truncated or ended with an error uses its
intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from apps.tools.errors import OutputError, ToolError
from apps.tools.text import number
from apps.tools.values import Values

from .documents import Document, Object, documents, items, mapping
from .intervals import joined
from .invocation import Invocation, find_invocations
from .json_params import client_of, params_of, protocol_of, target_of
from .marks import TERMINATED
from .results import with_commands
from .text_rows import IntervalRow
from .totals import NOTHING, EndResult, Flow, Result, at_rate_of_intervals
from .wrapped import lines_of

CUT = "The JSON is cut off: the figures are those of its intervals."
_CPU = ("host_total", "host_user", "host_system", "remote_total", "remote_user", "remote_system")
_TRIPS = {
    "round_trip": "mean_rtt",
    "round_trip_min": "min_rtt",
    "round_trip_max": "max_rtt",
}


def parse_json(text: str) -> EndResult:
    """Parse every document of a text.

    Raises: ToolError or OutputError.
    """
    results: list[Result] = []
    failed: list[int] = []
    errors: list[str] = []
    version, cut = None, False
    for document in documents(text):
        version = version or _version(document)
        result = _result(document)
        cut = cut or document.cut
        if result.flows:
            results.append(result)
        elif document.error:
            failed.append(document.lines[0])
            errors.append(document.error)
    if not results:
        raise _no_result_error(errors, cut=cut)
    commands = _commands(text)
    return EndResult(
        "iperf3-json",
        version,
        with_commands(results, commands, failed),
        tuple(dict.fromkeys(errors)),
    )


def _result(document: Document) -> Result:
    flows = list(_flows(document)) or list(_unfinished(document))
    if _on_server(document) and TERMINATED in (document.error or ""):
        flows = [at_rate_of_intervals(flow) for flow in flows]
    warnings = ([document.error] if document.error else []) + ([CUT] if document.cut else [])
    return Result(
        flows=[flow for flow in flows if flow.bytes],
        params=params_of(document, flows),
        completeness="partial" if warnings else "whole",
        warnings=tuple(warnings),
        target=target_of(document),
        client=client_of(document),
        lines=document.lines,
    )


def _commands(text: str) -> list[Invocation]:
    """Return the commands around the documents, without titles and options inside documents."""
    commands: list[Invocation] = []
    if "iperf3 " not in text and "iperf3.exe" not in text:
        return commands
    for line in lines_of(text):
        if "iperf3" in line.text and not line.text.lstrip().startswith(('"', "{")):
            commands += find_invocations(line.text, line.number)
    return commands


def _no_result_error(errors: list[str], *, cut: bool) -> Exception:
    if errors:
        return ToolError(f"iperf3 said: {errors[-1]}")
    return OutputError("The JSON is cut off before its first interval." if cut else NOTHING)


def _version(document: Document) -> str | None:
    words = str(document.start.get("version", "")).split()
    return words[1][:32] if len(words) > 1 and words[0] == "iperf" else None


def _flows(document: Document) -> Iterator[Flow]:
    """Yield the sums of `end`: the counts of each end in each direction."""
    end = document.end
    for suffix in ("", "_bidir_reverse"):
        reverse = document.reverse is not bool(suffix)
        pairs = [
            ("send", end.get(f"sum_sent{suffix}")),
            ("receive", end.get(f"sum_received{suffix}")),
        ]
        if not any(mapping(total) for _, total in pairs) and not suffix:
            # UDP before iperf3 3.2: one sum, the sender's bytes with the receiver's losses.
            pairs = [("send", end.get("sum"))]
        for operation, total in pairs:
            row = _row("SUM", total)
            if row is not None and row.bytes:
                yield _flow(document, operation, row, reverse, suffix)


def _flow(
    document: Document, operation: str, total: IntervalRow, reverse: bool, suffix: str
) -> Flow:
    streams = _streams(document, operation, reverse)
    local = operation == ("receive" if reverse else "send")
    key = f"sum{suffix}"
    return Flow(
        operation,
        "reverse" if reverse else "forward",
        "udp" if total.datagrams is not None else protocol_of(document),
        streams or [total],
        total,
        _rows(document, key) if local is not _on_server(document) else (),
        _values(document, operation, reverse),
        parallel=len(streams) or None,
    )


def _on_server(document: Document) -> bool:
    return "accepted_connection" in document.start


def _streams(document: Document, operation: str, reverse: bool) -> list[IntervalRow]:
    """Return the parallel streams of one direction.

    In a bidirectional test `sender` separates the directions.
    """
    streams = []
    bidirectional = document.bidirectional
    for stream in items(document.end.get("streams")):
        side = "sender" if operation == "send" else "receiver"
        part = mapping(stream).get(side) or mapping(stream).get("udp")
        row = _row(str(mapping(part).get("socket", "")), part)
        if row is not None and (
            not bidirectional or bool(mapping(part).get("sender")) is not reverse
        ):
            streams.append(row)
    return streams


def _row(name: str, raw: Any) -> IntervalRow | None:
    raw = mapping(raw)
    bits, seconds = number(raw.get("bits_per_second")), number(raw.get("seconds"))
    start = number(raw.get("start")) or 0.0
    if bits is None and seconds is None:
        return None
    jitter = number(raw.get("jitter_ms"))
    packets = _whole(raw.get("packets"))
    return IntervalRow(
        id=name[:16],
        start=start,
        end=start + (seconds or 0.0),
        bytes=number(raw.get("bytes")) or 0.0,
        rate=None if bits is None or bits < 0 else bits / 8,
        omitted=raw.get("omitted") is True,
        retransmits=_whole(raw.get("retransmits")),
        jitter=None if jitter is None else jitter * 1e6,
        lost=_whole(raw.get("lost_packets")),
        datagrams=packets,
    )


def _whole(value: Any) -> int | None:
    count = number(value)
    return max(0, int(count)) if count is not None else None


def _rows(document: Document, key: str) -> list[IntervalRow]:
    """Return the sums of the intervals, with TCP's state from the streams of the same direction."""
    rows: list[IntervalRow] = []
    for interval in document.intervals:
        row = _row("SUM", interval.get(key))
        is_repeated = row and rows and (row.start, row.end) == (rows[-1].start, rows[-1].end)
        if row is not None and not is_repeated:
            sends = mapping(interval.get(key)).get("sender")
            streams = [mapping(stream) for stream in items(interval.get("streams"))]
            same_direction = [stream for stream in streams if stream.get("sender") == sends]
            trip, window = _average(same_direction, "rtt"), _average(same_direction, "snd_cwnd")
            rows.append(replace(row, round_trip=trip and 1000 * trip, window=window))
    return rows


def _average(streams: list[Object], name: str) -> float | None:
    """Return the mean over the streams with a value; 0 stands for an unknown value."""
    values = [value for stream in streams if (value := number(stream.get(name)))]
    return sum(values) / len(values) if values else None


def _values(document: Document, operation: str, reverse: bool) -> Values:
    """Return CPU in percent, round trips in ns, congestion window in bytes, congestion control."""
    cpu = mapping(document.end.get("cpu_utilization_percent"))
    values: Values = {f"cpu_{name}": number(cpu.get(name)) for name in _CPU}
    if operation == "send":
        senders = _senders(document, reverse)
        for name, key in _TRIPS.items():
            trip = _average(senders, key)
            values[name] = trip and 1000 * trip
        values["congestion_window"] = _average(senders, "max_snd_cwnd")
    congestion = document.end.get("sender_tcp_congestion")
    return values | ({"congestion": congestion[:32]} if isinstance(congestion, str) else {})


def _senders(document: Document, reverse: bool) -> list[Object]:
    """Return the sending ends of the streams of one direction."""
    streams = items(document.end.get("streams"))
    senders = [mapping(mapping(stream).get("sender")) for stream in streams]
    if not document.bidirectional:
        return senders
    return [sender for sender in senders if bool(sender.get("sender")) is not reverse]


def _unfinished(document: Document) -> Iterator[Flow]:
    """Yield the sums of the intervals of a document without its end."""
    document.cut = True
    for key in ("sum", "sum_bidir_reverse"):
        rows = _rows(document, key)
        if rows:
            reverse = document.reverse is not key.endswith("reverse")
            sends = reverse is _on_server(document)
            yield Flow(
                "send" if sends else "receive",
                "reverse" if reverse else "forward",
                protocol_of(document),
                [joined(rows)],
                intervals=rows,
            )
