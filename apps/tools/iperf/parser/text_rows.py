"""Parse the rows of both iperfs' text output.

iperf 2 (Reporter / report formats) and iperf3 (iperf_locale.c) print the same row: an id, an
interval in seconds, a transfer and a rate. Transfers are in powers of 1024; rates in bits are in
powers of 1000, rates in bytes (-f K, -f M) in powers of 1024.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.tools.text import number

_ROW = re.compile(
    r"\[ *(?P<id>SUM[\w-]{0,8}|\*?\d{1,6})\](?:\[(?P<role>[TR]X)-(?P<side>[CS])\])?"
    r"(?P<left>\s{1,6})(?P<start>\d{1,9}\.(?P<places>\d{1,6}))- *"
    r"(?P<end>\d{1,9}\.\d{1,6})(?P<right>\s{1,6})sec\s{1,6}"
    r"(?P<moved>\d{1,15}(?:\.\d{1,6})?) ?(?P<moved_unit>[KMGTP]?)Bytes\s{1,6}"
    r"(?P<rate>\d{1,15}(?:\.\d{1,6})?|-?nan|-?inf) ?(?P<rate_unit>[KMGTP]?)(?P<what>bits|Bytes)/sec"
    r"(?P<rest>.*)"
)
_DATAGRAMS = re.compile(
    r"(?P<jitter>\d{1,15}\.\d{1,6})\s{1,4}ms\s{1,6}(?P<lost>-?\d{1,15})/ *(?P<total>-?\d{1,15})"
)
_RETRANSMITS = re.compile(r"^\s{1,12}(\d{1,12})(?=\s|$)")
# A table filtered by grep has no heading; the format of a row identifies the column as well.
_BARE_RETRANSMITS = re.compile(
    r"^\s{1,12}(\d{1,12})\s{1,40}(?:sender\b|\d{1,9}(?:\.\d{1,6})? [KMG]?Bytes\s*$)"
)
_RETRIES = re.compile(r"^\s{1,12}\d{1,12}/\d{1,12}\s{1,12}(\d{1,12})(?=\s|$)")
# TCP's state with -e: Write/Err, Rtry, data in flight (2.2), Cwnd/RTT(var), packets in brackets.
# Detected by format, because headings are not repeated when rows of both directions alternate.
_STATE = re.compile(
    r"^\s{1,12}\d{1,12}/\d{1,12}\s{1,12}(?P<retries>\d{1,12})\s{1,12}"
    r"(?:\d{1,12}K\(\d{1,9}\)/)?(?P<window>-?\d{1,12})K(?:\(\d{1,9}\))?/"
    r"(?P<trip>\d{1,12})(?:\(\d{1,12}\))? us"
)
_WINDOW = re.compile(
    r"^\s{1,12}\d{1,12}\s{1,6}(?P<size>\d{1,9}(?:\.\d{1,6})?) (?P<unit>[KMG]?)Bytes"
)
_ENHANCED = ("Write/Err", "Reads", "Latency", "PPS", "NetPwr")
_OF_IPERF3 = ("Bitrate", "Retr")
_COLUMN = 6
_ENDS = ("sender", "receiver", ")")
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


@dataclass(frozen=True)
class IntervalRow:
    """One row: seconds, bytes, bytes/s, and the columns after the rate by the heading.

    - `ends`: the end of the connection that counted it, if iperf3 prints it.
    - `printed`: the rate as printed.
    - `generation`: 2 or 3, by its format.
    - `round_trip`: ns; `window`: congestion window in bytes.
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
    generation: int | None = None
    round_trip: float | None = None
    window: float | None = None

    @property
    def total(self) -> bool:
        """Return True for the sum of parallel streams."""
        return self.id.startswith("SUM")

    @property
    def bare(self) -> bool:
        """Return True if neither the counting end nor an omission is printed."""
        return self.ends is None and self.role is None and not self.omitted

    @property
    def parallel(self) -> int | None:
        """Return the number of streams in the name of a sum ("SUM-3")."""
        number = self.id.partition("-")[2]
        return int(number) if number.isdecimal() else None

    @property
    def seconds(self) -> float:
        """Return the duration in seconds."""
        return self.end - self.start


def row(line: str, heading: str, whole: bool = True) -> IntervalRow | None:
    """Parse a row of the table under `heading`.

    Of a line that is not `whole` only complete values are parsed.
    """
    match = _ROW.search(line)
    if not match:
        return None
    rest = match["rest"]
    if not whole and not rest.endswith(_ENDS):
        rest = ""
    datagrams = _DATAGRAMS.search(rest)
    state = _STATE.match(rest)
    words = rest.split()
    return IntervalRow(
        id=match["id"],
        start=float(match["start"]),
        end=float(match["end"]),
        bytes=float(match["moved"]) * float(1024 ** _POWERS[match["moved_unit"]]),
        rate=_rate(match),
        role=match["role"] and f"{match['role']}-{match['side']}",
        ends=next((word for word in words if word in _ENDS), None),
        omitted="(omitted)" in rest,
        retransmits=int(state["retries"]) if state else _retransmits(rest, heading),
        jitter=float(datagrams["jitter"]) * 1e6 if datagrams else None,
        lost=max(0, int(datagrams["lost"])) if datagrams else None,
        datagrams=_datagrams(datagrams, words, heading),
        printed=f"{match['rate']} {match['rate_unit']}{match['what']}/sec",
        generation=_generation(match, heading),
        round_trip=float(state["trip"]) * 1000 if state else None,
        window=_window2(state) if state else _window3(rest, heading),
    )


def _generation(match: re.Match[str], heading: str) -> int:
    """Return the program's version by the format of a row.

    iperf3 prints seconds with two decimals, in columns six wide. iperf 2 prints one or four, or two
    in its enhanced reports before 2.1 and, without columns, from 2.2 on.
    """
    if len(match["places"]) != 2:
        return 2
    enhanced = _STATE.match(match["rest"]) or any(word in heading for word in _ENHANCED)
    if enhanced:
        return 2
    has_iperf3_heading = any(word in heading for word in _OF_IPERF3)
    has_iperf3_words = match["role"] or not {*_ENDS, "ms", "(omitted)"}.isdisjoint(
        match["rest"].split()
    )
    narrow = len(match["left"]) == len(match["right"]) == 1 and len(match["start"]) < _COLUMN
    return 2 if narrow and not (has_iperf3_heading or has_iperf3_words) else 3


def _rate(match: re.Match[str]) -> float | None:
    """Return bytes per second."""
    if "n" in match["rate"]:
        return None
    bits = match["what"] == "bits"
    base = 1000 if bits else 1024
    value = float(match["rate"]) * float(base ** _POWERS[match["rate_unit"]])
    # Rounding removes the floating point error: 1.72 Gbits are 1720000000 bits.
    return number(round(value, 3) / (8 if bits else 1))


def _retransmits(rest: str, heading: str) -> int | None:
    match = None
    if "Retr" in heading:
        match = _RETRANSMITS.match(rest)
    elif "Rtry" in heading:
        match = _RETRIES.match(rest)
    elif not heading:
        match = _BARE_RETRANSMITS.match(rest)
    return int(match[1]) if match else None


def _window2(state: re.Match[str]) -> float | None:
    """Return iperf 2's congestion window in bytes; -1 is unknown."""
    size = int(state["window"])
    return float(size * 1024) if size >= 0 else None


def _window3(rest: str, heading: str) -> float | None:
    """Return iperf3's congestion window in bytes."""
    match = _WINDOW.match(rest) if "Cwnd" in heading else None
    return float(match["size"]) * float(1024 ** _POWERS[match["unit"]]) if match else None


def _datagrams(match: re.Match[str] | None, words: list[str], heading: str) -> int | None:
    if match:
        return max(0, int(match["total"]))
    counted = "Total Datagrams" in heading and bool(words) and words[0].isdecimal()
    return int(words[0]) if counted and len(words[0]) < 16 else None
