"""Advice on parameters of iperf."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.advice import ParamAdvice, TestedTarget
from apps.tools.messages import message

from .params import IperfParams

FAST_BITS_PER_SECOND = 10e9
STREAMS, OMIT_SECONDS = 4, 3


def advice_for(params: IperfParams, target: TestedTarget) -> Iterator[ParamAdvice]:
    """Yield the advice on one test."""
    if params.protocol != "tcp":
        return
    link = target.link_bits_per_second
    if params.streams == 1 and link is not None and link >= FAST_BITS_PER_SECOND:
        yield ParamAdvice(
            "streams",
            STREAMS,
            message("One TCP stream over %(gbit)g Gbit/s.", gbit=link / 1e9),
            message("One stream measures a window and a CPU rather than the network."),
        )
    if params.omit == 0:
        yield ParamAdvice(
            "omit",
            OMIT_SECONDS,
            message("The slow start of TCP is measured as well."),
            message("The window grows during the first seconds."),
        )
