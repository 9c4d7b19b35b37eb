"""Parse what vdbench 5.04 prints: one result for each run definition (RD), from its average line.

The average leaves out the first intervals as vdbench does ("avg_2-5"). Response times are
milliseconds, MB are 2^20 bytes. Formatting without any operation is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.tools.errors import OutputError
from apps.tools.param_values import parse_size
from apps.tools.parse_result import Latency, Measurement, Output, Parsed, Series
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text
from apps.tools.values import Parameters, Values

from .columns import Row, columns_of, row_of
from .recognition import END, HEADING, START

MIB = 1024**2
MS = 1_000_000
DAY = 86_400
MAX_INTERVALS = 1_000_000
CUT = "The average of the last run definition is missing: vdbench was stopped or the text is cut."
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
_LOOP = re.compile(r"\b([a-z]{2,20})=([\w.,()]{1,40})")
_VERSION = re.compile(r"^Vdbench distribution: vdbench(\S{1,40})", re.MULTILINE)
_LOOP_PARAMS = {"rdpct": "read_percent", "seekpct": "seek_percent", "threads": "threads"}


@dataclass
class Definition:
    """One run definition with its intervals and its average."""

    name: str = ""
    loops: str = ""
    rows: list[Row] = field(default_factory=list)
    average: Row | None = None


def parse_output(output: Output) -> Parsed:
    """Parse an import's "stdout".

    Raises: OutputError.
    """
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise OutputError("The file is empty.")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    text = _TAG.sub("", as_text(data))
    definitions = list(_definitions(text))
    results = [each for one in definitions for each in _measurements(one)]
    if not results:
        raise OutputError("There is no average line of vdbench with any operation in this output.")
    version = _VERSION.search(text)
    ended = bool(END.search(text))
    # vdbench prints the average when a definition has ended.
    is_cut = not ended and bool(definitions[-1].rows) and definitions[-1].average is None
    return Parsed(
        tool="vdbench",
        format="text",
        version=version[1] if version else None,
        measurements=tuple(results),
        warnings=(CUT,) if is_cut else (),
        completeness="whole" if ended else "partial" if is_cut else "unknown",
    )


def _definitions(text: str) -> Iterator[Definition]:
    """Yield the run definitions. An incomplete last line is ignored."""
    current, columns, upper = Definition(), (), ""  # type: tuple[Definition, tuple[str, ...], str]
    for line in text.split("\n")[:-1]:
        if start := START.match(line):
            yield current
            name, _separator, rest = start["rest"].partition(";")
            current = Definition(name.strip()[:80], rest)
        elif heading := HEADING.match(line):
            upper = heading["columns"]
        elif upper:
            columns, upper = columns_of(upper, line), ""
        elif row := row_of(line, columns):
            if row.is_average:
                current.average = row
            elif len(current.rows) < MAX_INTERVALS:
                current.rows.append(row)
    yield current


def _measurements(one: Definition) -> Iterator[Measurement]:
    if one.average is None:
        return
    is_files = "reqstdops rate" in one.average.values
    results = _of_files(one.average) if is_files else _of_blocks(one.average)
    for operation, iops, bandwidth, latency, values in results:
        if iops:
            params = {"operation": operation, **_params(one, is_files=is_files)}
            yield Measurement(
                operation=operation,
                bandwidth=bandwidth,
                iops=iops,
                latency=latency,
                params=params,
                values={**values, "intervals": f"{one.average.first}-{one.average.last}"},
                series=tuple(_series(one.rows, operation, is_files=is_files)),
                job=one.name,
            )


_Result = tuple[str, float | None, float | None, Latency, Values]


def _of_blocks(row: Row) -> Iterator[_Result]:
    """Yield one result: vdbench prints the rate and MB/s of reads and writes together only."""
    values = row.values
    share = values.get("read pct", 0.0)
    operation = {100.0: "read", 0.0: "write"}.get(share, "mixed")
    maximum = values.get("resp max")
    if maximum is None:
        both = [values[name] for name in ("read max", "write max") if name in values]
        maximum = max(both, default=None)
    latency = Latency(
        mean=_ns(values.get("resp time")), max=_ns(maximum), stddev=_ns(values.get("resp stddev"))
    )
    more: Values = {"queue_depth": values.get("queue depth")}
    if operation == "mixed":
        more |= {
            "read_percent": share,
            "read_latency_mean": _ns(values.get("read resp")),
            "write_latency_mean": _ns(values.get("write resp")),
        }
    yield operation, values.get("i/o rate"), _bytes(values.get("MB/sec 1024**2")), latency, more


def _of_files(row: Row) -> Iterator[_Result]:
    """Yield the reads and the writes of a load on a file system."""
    values = row.values
    total: Values = {
        "requested_operations": values.get("reqstdops rate"),
        "requested_latency_mean": _ns(values.get("reqstdops resp")),
    }
    for name in ("read", "write"):
        latency = Latency(mean=_ns(values.get(f"{name} resp")))
        bandwidth = _bytes(values.get(f"mb/sec {name}"))
        yield name, values.get(f"{name} rate"), bandwidth, latency, total


def _params(one: Definition, *, is_files: bool) -> Parameters:
    """Return the bytes of one operation, the requested rate, and what the RD loops over."""
    assert one.average is not None  # only definitions with an average get here
    params = _transfer_size(one, "xfer size" if is_files else "bytes i/o")
    loops = one.loops.partition("For loops:")[2]
    for name, value in _LOOP.findall(loops):
        if name in _LOOP_PARAMS and value.isdecimal():
            params[_LOOP_PARAMS[name]] = int(value)
        elif name == "xfersize":
            params |= _size(value)
    rate = re.search(r"(?:I/O rate|fwdrate)[:=] ?(\d{1,12})\b", one.loops)
    return params | ({"rate": int(rate[1])} if rate else {})


def _transfer_size(one: Definition, column: str) -> Parameters:
    """Return the bytes of one operation; nothing for a mix of sizes.

    The average of a rate divided by another can miss the size by some bytes; intervals do not.
    """
    rows = [row.values.get(column) for row in (*one.rows, one.average) if row is not None]
    sizes = sorted(size for size in rows if size)
    size = int(sizes[len(sizes) // 2]) if sizes else 0
    return {"bs": size} if size and size % 512 == 0 else {}


def _size(text: str) -> Parameters:
    try:
        return {"bs": parse_size(text)}
    except ValueError:
        return {}


def _series(rows: Sequence[Row], operation: str, *, is_files: bool) -> Iterator[Series]:
    """Yield rate and bandwidth of consecutive intervals of one length."""
    if len(rows) < 2 or [row.first for row in rows] != list(
        range(rows[0].first, rows[0].first + len(rows))
    ):
        return
    seconds = (rows[-1].seconds - rows[0].seconds) % DAY / (len(rows) - 1)
    interval = float(round(seconds))
    if interval < 1:
        return
    names = (f"{operation} rate", f"mb/sec {operation}") if is_files else _BLOCK_NAMES
    start = (rows[0].first - 1) * interval
    iops = [row.values.get(names[0]) for row in rows]
    bandwidth = [_bytes(row.values.get(names[1])) for row in rows]
    yield Series("iops", iops, start, interval)
    yield Series("bandwidth", bandwidth, start, interval)


_BLOCK_NAMES = ("i/o rate", "MB/sec 1024**2")


def _ns(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds * MS, 3)


def _bytes(mib: float | None) -> float | None:
    return None if mib is None else mib * MIB
