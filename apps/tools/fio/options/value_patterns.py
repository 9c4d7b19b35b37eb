"""Patterns of option values that are neither a number nor a choice.

A value is one argument and names no file: no pattern matches a blank, a quote, a dollar sign, a
leading dash or a path.
"""

from __future__ import annotations

from typing import NamedTuple

_SIZE = r"\d{1,12}[kKmMgG]?"
_PERCENT = r"\d{1,3}(?:\.\d{1,4})?"
_SPLIT = rf"{_SIZE}(?:/\d{{1,3}})?(?::{_SIZE}(?:/\d{{1,3}})?){{0,63}}"
_RANGE = rf"{_SIZE}-{_SIZE}"
_DECIMAL = r"\d{1,6}(?:\.\d{1,6})?"
_ZONES = rf"{_PERCENT}/{_PERCENT}(?::{_PERCENT}/{_PERCENT}){{0,63}}"
_SHARES = rf"{_PERCENT}/{_SIZE}(?::{_PERCENT}/{_SIZE}){{0,63}}"


class ValuePattern(NamedTuple):
    """Regular expression of a whole value, and a matching example."""

    pattern: str
    example: str


BSSPLIT = ValuePattern(rf"{_SPLIT}(?:,{_SPLIT}){{0,2}}", "4k/60:64k/40")
BSRANGE = ValuePattern(rf"{_RANGE}(?:,{_RANGE}){{0,2}}", "4k-64k")
DISTRIBUTION = ValuePattern(
    rf"random|(?:zipf|pareto|normal):{_DECIMAL}(?::{_DECIMAL})?"
    rf"|zoned:{_ZONES}(?:,{_ZONES}){{0,2}}|zoned_abs:{_SHARES}(?:,{_SHARES}){{0,2}}",
    "zipf:1.2",
)
FILE_ORDER = ValuePattern(
    rf"(?:random|roundrobin|sequential)(?::\d{{1,9}})?|(?:zipf|pareto|normal|gauss):{_DECIMAL}",
    "roundrobin:1",
)
PATTERN = ValuePattern(r"0x[0-9a-fA-F]{1,256}|\d{1,19}|%o", "0xdeadbeef")
SYNC_RANGE = ValuePattern(
    r"(?:wait_before|write|wait_after)(?:,(?:wait_before|write|wait_after)){0,2}:\d{1,9}",
    "write:8",
)
STEADY = ValuePattern(rf"(?:iops|bw)(?:_slope)?:{_DECIMAL}%?", "iops:5%")
NODES = ValuePattern(r"all|\d{1,3}(?:-\d{1,3})?(?:,\d{1,3}(?:-\d{1,3})?){0,31}", "0")
MEMORY_POLICY = ValuePattern(
    r"default|local|(?:prefer:\d{1,3})"
    r"|(?:bind|interleave):\d{1,3}(?:-\d{1,3})?(?:,\d{1,3}(?:-\d{1,3})?){0,31}",
    "bind:0",
)
# Reclaim unit handles are 16 bits; fio takes up to 128 identifiers (FIO_MAX_DP_IDS).
IDENTIFIERS = ValuePattern(r"\d{1,5}(?:-\d{1,5})?(?:,\d{1,5}(?:-\d{1,5})?){0,127}", "0-3")
SHARE = ValuePattern(r"0\.\d{1,4}", "0.07")
_CHECK = "(?:GUARD|REFTAG|APPTAG)"
PROTECTION = ValuePattern(rf"{_CHECK}(?:,{_CHECK}){{0,2}}", "GUARD")
NUMBER = ValuePattern(_DECIMAL, "0.5")
