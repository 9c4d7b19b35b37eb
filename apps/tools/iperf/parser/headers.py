"""Parse lines around the rows that contain parameters: iperf3 -V, the header of iperf 2."""

from __future__ import annotations

import re

from apps.tools.values import Parameters

from .calls import Test
from .invocation import rate_param
from .rates import rate_of_gap

_SIZE = r"(?P<size>\d{1,12}(?:\.\d{1,3})?) ?(?P<unit>[KMG]?)Byte"
_STARTING = re.compile(
    r"Starting Test: protocol: (?P<protocol>\w{1,8}), (?P<streams>\d{1,6}) streams, "
    r"(?P<length>\d{1,9}) byte blocks, omitting (?P<omit>\d{1,6}) seconds?, "
    r"(?P<amount>\d{1,18}) (?P<what>second test|bytes to send|blocks to send)"
    r"(?:, tos (?P<tos>\d{1,3}))?"
)
_TARGET = re.compile(r"(?:^|\s)Target Bitrate: (\d{1,15})\s*$")
_MSS = re.compile(r"(?:^|\s)TCP MSS: (\d{1,6})\s*$|(?:^|\s)MSS req size (\d{1,6}) bytes")
_CONGESTION = re.compile(
    r"(?:^|\s)snd_tcp_congestion (\w{1,32})|(?:^|\s)TCP congestion control set to (\w{1,32})"
)
_WINDOW = re.compile(rf"(?:^|\s)(?:TCP window|UDP buffer) size:\s{{1,4}}{_SIZE}(?P<rest>.*)")
_REQUESTED = re.compile(rf"requested\s{{1,4}}{_SIZE}")
_WRITES = re.compile(rf"(?:^|\s)Write buffer size:\s{{1,4}}{_SIZE}")
_SENDING = re.compile(
    r"(?:^|\s)Sending (\d{1,6}) byte datagrams(?:, IPG target: (\d{1,9}(?:\.\d{1,6})?) us)?"
)
_TOS = re.compile(
    r"(?:^|\s)TOS set to 0x(?P<tos>[0-9a-f]{1,4})(?: and nodelay)? \(Nagle (?P<nagle>on|off)\)"
)
_AMOUNTS = {"second test": "seconds", "bytes to send": "bytes", "blocks to send": "blocks"}
_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def read_header(line: str, test: Test) -> bool:
    """Add the parameters of a line to the test; return False for any other line."""
    params = next((params for read in _READERS if (params := read(line)) is not None), None)
    if params is None:
        return False
    if params.get("protocol") == "udp":
        test.protocol = "UDP"
    test.stated |= params
    return True


def _starting(line: str) -> Parameters | None:
    match = _STARTING.search(line)
    if not match:
        return None
    numbers = {name: int(match[name]) for name in ("streams", "length", "omit")}
    tos = int(match["tos"] or 0)
    return {
        "protocol": match["protocol"].lower(),
        **numbers,
        _AMOUNTS[match["what"]]: int(match["amount"]),
        **({"tos": tos} if tos else {}),
    }


def _target(line: str) -> Parameters | None:
    match = _TARGET.search(line)
    return rate_param(int(match[1])) if match else None


def _mss(line: str) -> Parameters | None:
    match = _MSS.search(line)
    return {"mss": int(match[1] or match[2])} if match else None


def _congestion(line: str) -> Parameters | None:
    match = _CONGESTION.search(line)
    return {"congestion": match[1] or match[2]} if match else None


def _window(line: str) -> Parameters | None:
    """Return the requested window size; the system may use another one. The default is omitted."""
    match = _WINDOW.search(line)
    if not match:
        return None
    if "(default)" in match["rest"]:
        return {}
    return {"window": _bytes(_REQUESTED.search(match["rest"]) or match)}


def _writes(line: str) -> Parameters | None:
    match = _WRITES.search(line)
    return {"length": _bytes(match)} if match else None


def _sending(line: str) -> Parameters | None:
    """Return length and rate of the datagrams."""
    match = _SENDING.search(line)
    if not match:
        return None
    length = int(match[1])
    return {"length": length} | rate_of_gap(length, float(match[2] or 0))


def _tos(line: str) -> Parameters | None:
    match = _TOS.search(line)
    if not match:
        return None
    tos = int(match["tos"], 16)
    return {"no_delay": match["nagle"] == "off", **({"tos": tos} if tos else {})}


def _bytes(match: re.Match[str]) -> int:
    return round(float(match["size"]) * _UNITS[match["unit"]])


_READERS = (_starting, _target, _mss, _congestion, _window, _writes, _sending, _tos)
