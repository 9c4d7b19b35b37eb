"""The rate that a UDP sender was asked for, as far as printed figures show it: Mbit/s."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from apps.tools.values import Parameters

from .invocation import UDP_RATE, rate_param
from .totals import Flow

# Half of the last digit of a time between two datagrams.
_HALF_DIGIT = 0.005
_BINARY = 1024 * 1024
# Rates that people ask for, times a power of ten. A sender keeps its rate to one percent.
_ROUND = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 7.5, 8.0, 9.0)
_KEPT = 0.01


def rate_of_gap(length: int, gap: float) -> Parameters:
    """The shortest rate with which datagrams of `length` bytes are `gap` microseconds apart."""
    if gap <= 0:
        return {}
    bits = 8e6 * length / gap
    error = bits * _HALF_DIGIT / gap
    for unit in (1, _BINARY):
        for digits in range(1, 5):
            rounded = _rounded(bits / unit, digits) * unit
            if abs(rounded - bits) <= error:
                return rate_param(rounded)
    return rate_param(_rounded(bits, 3))


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def rate_of_sender(flows: Sequence[Flow]) -> Parameters:
    """The rate of each stream, where it was sent with a round one."""
    if not flows or any(flow.protocol != "udp" or not flow.connections for flow in flows):
        return {}
    of_senders = [flow for flow in flows if flow.operation == "send"]
    rates = [row.rate for flow in of_senders for row in flow.streams] or _before_loss(flows)
    streams = sum(flow.connections for flow in of_senders or flows)
    bits = 8 * sum(rate or 0.0 for rate in rates) / streams
    if not bits:
        return {}
    if abs(bits - UDP_RATE) <= UDP_RATE * _KEPT / 2:
        return rate_param(UDP_RATE)
    power = 10.0 ** floor(log10(bits))
    nearest = min((*_ROUND, 10.0), key=lambda digits: abs(digits * power - bits)) * power
    return rate_param(nearest) if abs(nearest - bits) <= _KEPT * bits else {}


def _before_loss(flows: Sequence[Flow]) -> list[float | None]:
    """Rates of the senders, from what a receiver counted and missed."""
    return [
        row.rate * row.datagrams / (row.datagrams - row.lost)
        for flow in flows
        for row in flow.streams
        if row.rate and row.datagrams and row.lost is not None and row.lost < row.datagrams
    ]
