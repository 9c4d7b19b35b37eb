"""iperf3 -J: the figures of every document (iperf_api.c: iperf_json_finish).

They are those of `end`; a document that was cut off, or that ended with an error, gives what its
intervals say.
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
from .totals import NOTHING, Flow, Found, Result, at_rate_of_intervals
from .wrapped import lines_of

CUT = "The JSON is cut off: the figures are those of its intervals."
_CPU = ("host_total", "host_user", "host_system", "remote_total", "remote_user", "remote_system")
_TRIPS = {
    "round_trip": "mean_rtt",
    "round_trip_min": "min_rtt",
    "round_trip_max": "max_rtt",
}


def parse_json(text: str) -> Found:
    """Every document of a text. Raises ToolError or OutputError."""
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
        raise _nothing(errors, cut=cut)
    commands = _commands(text)
    return Found(
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
    """The commands around the documents. A title or the options in a document are none."""
    found: list[Invocation] = []
    if "iperf3 " not in text and "iperf3.exe" not in text:
        return found
    for line in lines_of(text):
        if "iperf3" in line.text and not line.text.lstrip().startswith(('"', "{")):
            found += find_invocations(line.text, line.number)
    return found


def _nothing(errors: list[str], *, cut: bool) -> Exception:
    if errors:
        return ToolError(f"iperf3 said: {errors[-1]}")
    return OutputError("The JSON is cut off before its first interval." if cut else NOTHING)


def _version(document: Document) -> str | None:
    words = str(document.start.get("version", "")).split()
    return words[1][:32] if len(words) > 1 and words[0] == "iperf" else None


def _flows(document: Document) -> Iterator[Flow]:
    """The sums of `end`: what each end counted, in each direction."""
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
    """The parallel streams of one direction; `sender` tells them apart in a bidirectional test."""
    found = []
    both = document.both
    for stream in items(document.end.get("streams")):
        side = "sender" if operation == "send" else "receiver"
        part = mapping(stream).get(side) or mapping(stream).get("udp")
        row = _row(str(mapping(part).get("socket", "")), part)
        if row is not None and (not both or bool(mapping(part).get("sender")) is not reverse):
            found.append(row)
    return found


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
    known = number(value)
    return max(0, int(known)) if known is not None else None


def _rows(document: Document, key: str) -> list[IntervalRow]:
    """The sums of the intervals, with TCP's state from the streams of the same direction."""
    rows: list[IntervalRow] = []
    for interval in document.intervals:
        row = _row("SUM", interval.get(key))
        again = row and rows and (row.start, row.end) == (rows[-1].start, rows[-1].end)
        if row is not None and not again:
            sends = mapping(interval.get(key)).get("sender")
            streams = [mapping(stream) for stream in items(interval.get("streams"))]
            of_it = [stream for stream in streams if stream.get("sender") == sends]
            trip, window = _average(of_it, "rtt"), _average(of_it, "snd_cwnd")
            rows.append(replace(row, round_trip=trip and 1000 * trip, window=window))
    return rows


def _average(streams: list[Object], name: str) -> float | None:
    """The mean of what the streams say; 0 is what an end says that does not know."""
    known = [found for stream in streams if (found := number(stream.get(name)))]
    return sum(known) / len(known) if known else None


def _values(document: Document, operation: str, reverse: bool) -> Values:
    """CPU in percent, round trips in ns, congestion window in bytes, congestion control."""
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
    """The sending ends of the streams of one direction, as iperf3 sums them up."""
    streams = items(document.end.get("streams"))
    found = [mapping(mapping(stream).get("sender")) for stream in streams]
    if not document.both:
        return found
    return [sender for sender in found if bool(sender.get("sender")) is not reverse]


def _unfinished(document: Document) -> Iterator[Flow]:
    """A document without its end: the intervals' sums."""
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
