"""The lines of both iperfs' text output.

iperf 2 (Reporter / report formats) and iperf3 (iperf_locale.c) print the same row: an id, an
interval in seconds, a transfer and a rate. Transfers count in powers of 1024; rates in bits count
in powers of 1000, rates in bytes (-f K, -f M) in powers of 1024.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.tools.text import number

_ROW = re.compile(
    r"\[ *(?P<id>SUM[\w-]{0,8}|\*?\d{1,6})\](?:\[(?P<role>[TR]X)-(?P<side>[CS])\])?\s{1,6}"
    r"(?P<start>\d{1,9}\.\d{1,6})- *(?P<end>\d{1,9}\.\d{1,6})\s{1,6}sec\s{1,6}"
    r"(?P<moved>\d{1,15}(?:\.\d{1,6})?) ?(?P<moved_unit>[KMGTP]?)Bytes\s{1,6}"
    r"(?P<rate>\d{1,15}(?:\.\d{1,6})?|-?nan|-?inf) ?(?P<rate_unit>[KMGTP]?)(?P<what>bits|Bytes)/sec"
    r"(?P<rest>.*)"
)
_DATAGRAMS = re.compile(
    r"(?P<jitter>\d{1,15}\.\d{1,6})\s{1,4}ms\s{1,6}(?P<lost>-?\d{1,15})/ *(?P<total>-?\d{1,15})"
    r"\s{1,3}\((?P<share>[-+.\de]{1,12}|-?nan)%\)"
)
_RETRANSMITS = re.compile(r"^\s{1,12}(\d{1,12})(?=\s|$)")
_RETRIES = re.compile(r"^\s{1,12}\d{1,12}/\d{1,12}\s{1,12}(\d{1,12})(?=\s|$)")
# TCP's state with -e: Write/Err, Rtry, data in flight (2.2), Cwnd/RTT(var), packets in brackets.
# Its shape tells, as headings are not repeated when rows of both directions take turns.
_STATE = re.compile(
    r"^\s{1,12}\d{1,12}/\d{1,12}\s{1,12}(?P<retries>\d{1,12})\s{1,12}"
    r"(?:\d{1,12}K\(\d{1,9}\)/)?(?P<window>-?\d{1,12})K(?:\(\d{1,9}\))?/"
    r"(?P<trip>\d{1,12})(?:\(\d{1,12}\))? us"
)
_WINDOW = re.compile(
    r"^\s{1,12}\d{1,12}\s{1,6}(?P<size>\d{1,9}(?:\.\d{1,6})?) (?P<unit>[KMG]?)Bytes"
)
_ENDS = ("sender", "receiver", ")")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}

HEADING = re.compile(r"^(?:.{0,40}\s)?\[ *ID\].{0,20}Interval\s")
DASHES = re.compile(r"(?:^|\s)(?:- ){5,}-?\s*$")
RULE = re.compile(r"(?:^|\s)-{20,}\s*$")
CONNECTED = re.compile(
    r"\[ *(?P<id>\*?\d{1,6})\] local (?P<local>\S{1,64}) port (?P<lport>\d{1,5}) "
    r"connected (?P<word>with|to) (?P<remote>\S{1,64}) port (?P<rport>\d{1,5})(?P<rest>.*)"
)
CLIENT = re.compile(r"Client connecting to \S{1,255}, (?P<protocol>TCP|UDP) port (?P<port>\d{1,5})")
SERVER = re.compile(r"Server listening on (?P<protocol>TCP|UDP) port (?P<port>\d{1,5})")
CLIENT3 = re.compile(r"Connecting to host \S{1,255}, port \d{1,5}")
SERVER3 = re.compile(r"Server listening on \d{1,5}|Accepted connection from \S")
REVERSE = re.compile(r"Reverse mode, remote host")
REPORT = re.compile(r"\[ *(?P<id>\d{1,6})\] Server Report:")
DONE = re.compile(r"(?:^|\s)iperf Done\.")
VERSION = re.compile(r"(?:^|\s)iperf (?P<version>[23]\.\d[\w.+-]{0,20})")
PEER = re.compile(r"\(peer (?P<version>2\.\d[\w.+-]{0,20})\)")
ERROR = re.compile(
    r"(?:error - |(?:connect|write|read|bind|open) failed|unable to |interrupt - the client)"
)
REMARK = re.compile(r"WARNING: ")


@dataclass(frozen=True)
class IntervalRow:
    """One row: seconds, bytes, bytes/s; what follows the rate where the heading names it.

    `ends`: which end of the connection counted it, where iperf3 says so. `printed`: the rate as it
    stands there. `round_trip` in ns and `window` (congestion window) in bytes, as TCP had them.
    """

    id: str
    start: float
    end: float
    bytes: float
    rate: float | None
    role: str | None = None
    ends: str | None = None
    omitted: bool = False
    retransmits: int | None = None
    jitter: float | None = None
    lost: int | None = None
    datagrams: int | None = None
    printed: str | None = None
    round_trip: float | None = None
    window: float | None = None

    @property
    def total(self) -> bool:
        """The sum of parallel streams."""
        return self.id.startswith("SUM")

    @property
    def seconds(self) -> float:
        """The seconds it took."""
        return self.end - self.start


def row(line: str, heading: str, whole: bool = True) -> IntervalRow | None:
    """A row of the table under `heading`. Of a line that is not `whole` only what cannot be cut
    short counts."""
    found = _ROW.search(line)
    if not found:
        return None
    rest = found["rest"]
    if not whole and not rest.endswith(_ENDS):
        rest = ""
    datagrams = _DATAGRAMS.search(rest)
    state = _STATE.match(rest)
    words = rest.split()
    return IntervalRow(
        id=found["id"],
        start=float(found["start"]),
        end=float(found["end"]),
        bytes=float(found["moved"]) * float(1024 ** _POWERS[found["moved_unit"]]),
        rate=_rate(found),
        role=found["role"] and f"{found['role']}-{found['side']}",
        ends=next((word for word in words if word in _ENDS), None),
        omitted="(omitted)" in rest,
        retransmits=int(state["retries"]) if state else _retransmits(rest, heading),
        jitter=float(datagrams["jitter"]) * 1e6 if datagrams else None,
        lost=max(0, int(datagrams["lost"])) if datagrams else None,
        datagrams=_datagrams(datagrams, words, heading),
        printed=f"{found['rate']} {found['rate_unit']}{found['what']}/sec",
        round_trip=float(state["trip"]) * 1000 if state else None,
        window=_window2(state) if state else _window3(rest, heading),
    )


def _rate(found: re.Match[str]) -> float | None:
    """Bytes per second."""
    if "n" in found["rate"]:
        return None
    bits = found["what"] == "bits"
    base = 1000 if bits else 1024
    value = float(found["rate"]) * float(base ** _POWERS[found["rate_unit"]])
    # Rounding takes away what multiplying adds: 1.72 Gbits are 1720000000 bits.
    return number(round(value, 3) / (8 if bits else 1))


def _retransmits(rest: str, heading: str) -> int | None:
    found = None
    if "Retr" in heading:
        found = _RETRANSMITS.match(rest)
    elif "Rtry" in heading:
        found = _RETRIES.match(rest)
    return int(found[1]) if found else None


def _window2(state: re.Match[str]) -> float | None:
    """iperf 2's congestion window, in bytes; -1 is "not known"."""
    size = int(state["window"])
    return float(size * 1024) if size >= 0 else None


def _window3(rest: str, heading: str) -> float | None:
    """iperf3's congestion window, in bytes."""
    found = _WINDOW.match(rest) if "Cwnd" in heading else None
    return float(found["size"]) * float(1024 ** _POWERS[found["unit"]]) if found else None


def _datagrams(found: re.Match[str] | None, words: list[str], heading: str) -> int | None:
    if found:
        return max(0, int(found["total"]))
    counted = "Total Datagrams" in heading and bool(words) and words[0].isdecimal()
    return int(words[0]) if counted and len(words[0]) < 16 else None
