"""Derive the requested rate of a UDP sender in Mbit/s from printed values."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from apps.tools.values import Parameters

from .invocation import UDP_RATE, rate_param
from .totals import Flow

# Half of the last digit of a time between two datagrams.
_HALF_DIGIT = 0.005
_BINARY = 1024 * 1024
# Round rates, times a power of ten. The rate of a sender deviates by at most 1 %.
_ROUND = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 7.5, 8.0, 9.0)
_MAX_DEVIATION = 0.01


def rate_of_gap(length: int, gap: float) -> Parameters:
    """Return the rate of datagrams of `length` bytes that are `gap` microseconds apart.

    It is the one with the fewest digits.
    """
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
    """Return the rate of each stream if it is a round one."""
    if not flows or any(flow.protocol != "udp" or not flow.connections for flow in flows):
        return {}
    sender_flows = [flow for flow in flows if flow.operation == "send"]
    rates = [row.rate for flow in sender_flows for row in flow.streams] or _before_loss(flows)
    streams = sum(flow.connections for flow in sender_flows or flows)
    bits = 8 * sum(rate or 0.0 for rate in rates) / streams
    if not bits:
        return {}
    if abs(bits - UDP_RATE) <= UDP_RATE * _MAX_DEVIATION / 2:
        return rate_param(UDP_RATE)
    power = 10.0 ** floor(log10(bits))
    nearest = min((*_ROUND, 10.0), key=lambda digits: abs(digits * power - bits)) * power
    return rate_param(nearest) if abs(nearest - bits) <= _MAX_DEVIATION * bits else {}


def _before_loss(flows: Sequence[Flow]) -> list[float | None]:
    """Return the senders' rates from the received and lost datagrams."""
    return [
        row.rate * row.datagrams / (row.datagrams - row.lost)
        for flow in flows
        for row in flow.streams
        if row.rate and row.datagrams and row.lost is not None and row.lost < row.datagrams
    ]
