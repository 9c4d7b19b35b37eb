"""Lines around the rows that state parameters: iperf3 -V, the header of iperf 2."""

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
_WANTED = re.compile(rf"requested\s{{1,4}}{_SIZE}")
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
    """Whether a line states parameters; they are noted with the test."""
    found = next((known for read in _READERS if (known := read(line)) is not None), None)
    if found is None:
        return False
    if found.get("protocol") == "udp":
        test.protocol = "UDP"
    test.stated |= found
    return True


def _starting(line: str) -> Parameters | None:
    found = _STARTING.search(line)
    if not found:
        return None
    numbers = {name: int(found[name]) for name in ("streams", "length", "omit")}
    tos = int(found["tos"] or 0)
    return {
        "protocol": found["protocol"].lower(),
        **numbers,
        _AMOUNTS[found["what"]]: int(found["amount"]),
        **({"tos": tos} if tos else {}),
    }


def _target(line: str) -> Parameters | None:
    found = _TARGET.search(line)
    return rate_param(int(found[1])) if found else None


def _mss(line: str) -> Parameters | None:
    found = _MSS.search(line)
    return {"mss": int(found[1] or found[2])} if found else None


def _congestion(line: str) -> Parameters | None:
    found = _CONGESTION.search(line)
    return {"congestion": found[1] or found[2]} if found else None


def _window(line: str) -> Parameters | None:
    """The size that was asked for; the system may give another one. The default is none."""
    found = _WINDOW.search(line)
    if not found:
        return None
    if "(default)" in found["rest"]:
        return {}
    return {"window": _bytes(_WANTED.search(found["rest"]) or found)}


def _writes(line: str) -> Parameters | None:
    found = _WRITES.search(line)
    return {"length": _bytes(found)} if found else None


def _sending(line: str) -> Parameters | None:
    """Length and rate of the datagrams."""
    found = _SENDING.search(line)
    if not found:
        return None
    length = int(found[1])
    return {"length": length} | rate_of_gap(length, float(found[2] or 0))


def _tos(line: str) -> Parameters | None:
    found = _TOS.search(line)
    if not found:
        return None
    tos = int(found["tos"], 16)
    return {"no_delay": found["nagle"] == "off", **({"tos": tos} if tos else {})}


def _bytes(found: re.Match[str]) -> int:
    return round(float(found["size"]) * _UNITS[found["unit"]])


_READERS = (_starting, _target, _mss, _congestion, _window, _writes, _sending, _tos)
