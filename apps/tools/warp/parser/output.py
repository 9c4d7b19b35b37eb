"""Parse the reports of warp: of a run, and of `warp analyze`, since 0.3.

Each operation has a heading, its average rate, and latencies of its requests. Rates are of the time
in which all threads were active, as warp computes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from apps.tools.errors import OutputError
from apps.tools.param_values import parse_size
from apps.tools.parse_result import Latency, Measurement, Output, Parsed
from apps.tools.text import MAX_OUTPUT, TOO_LARGE, as_text, parse_number
from apps.tools.values import Parameters, Values

from .recognition import HEADING

OPERATIONS = (
    *("put", "get", "stat", "list", "delete", "putpart", "multipart", "append", "retention"),
    *("versioned", "total"),
)
END = "Cleanup Done"
UNITS = {"B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3, "TiB": 1024**4}
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6}
NS = 1e9
_RATE = re.compile(
    r"^ ?\* Average: {1,3}(?:(?P<size>[\d.]{1,20}) ?(?P<unit>[KMGT]?i?B)/s, )?"
    r"(?P<objects>[\d.]{1,20}) obj/s"
)
_REQUESTS = re.compile(r"^ ?\* (?:Reqs: )?(?P<values>Avg: .{1,400})$")
_FIRST_BYTE = re.compile(r"^ ?\* TTFB: (?P<values>.{1,400})$")
_VALUE = re.compile(r"(?P<name>[A-Z][A-Za-z]+|[\d.]+(?:%|th)): (?P<text>[\d.hmsuµ]{1,30})")
_WINDOW = re.compile(r"^Throughput, split into (\d{1,7}) x ([\d.hmsuµ]{1,20}):")
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|ms|µs|us|m|s)")
_RAN = re.compile(r"\bRan:? ([\d.hmsuµ]{1,30})")
_HOSTS = re.compile(r"\bHosts: (\d{1,6})\b")
_OBJECTS = re.compile(r"\bSize: (\d{1,15}) bytes\b")
_COMMAND = re.compile(r"(?:^|[\s/+])warp(?:\.exe)? (?P<words>[a-z-]{2,30}(?: [^\r\n]{1,2000})?)$")
_OBJECT_SIZE = re.compile(r"-{1,2}obj\.size[= ](\S{1,20})")
_SIZE = re.compile(r"(\d{1,12})(?:([kKmMgGtT])(i?)[bB]?|[bB])?")


def parse_output(output: Output) -> Parsed:
    """Parse an import's "stdout".

    Raises: OutputError.
    """
    data = output.files.get("stdout", b"")
    if not data.strip():
        raise OutputError("The file is empty.")
    if len(data) > MAX_OUTPUT:
        raise OutputError(TOO_LARGE)
    text = as_text(data)
    results = list(_measurements(text))
    if not results:
        raise OutputError("There is no report of warp with a rate in this output.")
    is_whole = any(line.strip() == END for line in text.split("\n")[-20:])
    return Parsed(
        tool="warp",
        format="text",
        version=None,
        measurements=tuple(results),
        completeness="whole" if is_whole else "unknown",
    )


def _measurements(text: str) -> Iterator[Measurement]:
    params: Parameters = {}
    section: list[str] = []
    # An incomplete last line is left out: a number in it may be cut off.
    for line in text.split("\n")[:-1]:
        if command := _COMMAND.search(line.rstrip()):
            params = _command_params(command["words"])
        if HEADING.match(line):
            yield from _measurement(section, params)
            section = []
        section.append(line.rstrip())
    yield from _measurement(section, params)


def _command_params(words: str) -> Parameters:
    size = _OBJECT_SIZE.search(words)
    match = _SIZE.fullmatch(size[1]) if size else None
    if match is None or "obj.randsize" in words:
        return {}
    # warp reads 1MB as 10^6 bytes and 1MiB as 2^20 (humanize).
    letter, power = match[2] or "", "kmgt".find((match[2] or "").lower()) + 1
    factor = 1000**power if letter and not match[3] else 1024**power
    try:
        return {"object_size": parse_size(match[1]) * factor}
    except ValueError:
        return {}


def _measurement(section: list[str], command: Parameters) -> Iterator[Measurement]:
    """Yield the result of one operation, if the section has its average rate."""
    heading = HEADING.match(section[0]) if section else None
    rate = next((match for match in map(_RATE.match, section) if match), None)
    if heading is None or rate is None:
        return
    operation = heading["operation"].lower()
    reqs = next((match for match in map(_REQUESTS.match, section) if match), None)
    unit = UNITS.get(rate["unit"] or "")
    size = parse_number(rate["size"] or "")
    params: Parameters = {"operation": operation, "concurrency": int(heading["concurrency"])}
    if hosts := _HOSTS.search(heading["rest"]):
        params["hosts"] = int(hosts[1])
    if one_size := _OBJECTS.search(heading["rest"]):
        command = {"object_size": int(one_size[1])}
    yield Measurement(
        operation=operation,
        bandwidth=size * unit if size is not None and unit else None,
        iops=parse_number(rate["objects"]),
        latency=_latency(_values(reqs["values"]) if reqs else {}),
        params=params | command,
        values=_more(section, heading["rest"]),
    )


def _latency(values: Mapping[str, float]) -> Latency:
    """Return the latencies of whole requests, up to their last byte."""
    percentiles = {name[:-1]: value for name, value in values.items() if name.endswith("%")}
    return Latency(
        min=values.get("Fastest"),
        mean=values.get("Avg"),
        max=values.get("Slowest"),
        stddev=values.get("StdDev"),
        percentiles=percentiles,
    )


def _more(section: list[str], rest: str) -> Values:
    values: Values = {}
    if ran := _RAN.search(rest):
        seconds = _seconds(ran[1].rstrip("."))
        values |= {} if seconds is None else {"elapsed_seconds": seconds}
    first_byte = next((match for match in map(_FIRST_BYTE.match, section) if match), None)
    if first_byte:
        values["first_byte_latency"] = _values(first_byte["values"])
    window = next((match for match in map(_WINDOW.match, section) if match), None)
    if window:
        values["windows"] = {"count": int(window[1]), "seconds": _seconds(window[2])}
    return values


def _values(text: str) -> dict[str, float]:
    """Return "Avg: 7.5ms, 50%: 6.2ms" in ns by name."""
    found: dict[str, float] = {}
    for match in _VALUE.finditer(text):
        seconds = _seconds(match["text"])
        if seconds is not None:
            found.setdefault(match["name"], round(seconds * NS, 3))
    return found


def _seconds(text: str) -> float | None:
    """Return the seconds of "4m57s", "1.028s" or "7.5ms"; None for other text."""
    parts = _DURATION.findall(text)
    if not parts or "".join(digits + unit for digits, unit in parts) != text:
        return None
    return sum(float(digits) * _SECONDS[unit] for digits, unit in parts)
