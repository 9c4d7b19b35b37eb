"""Advice on parameters of rados bench."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.advice import LONG_ENOUGH_SECONDS, ParamAdvice
from apps.tools.messages import message

from .params import RadosParams


def advice_for(params: RadosParams) -> Iterator[ParamAdvice]:
    """Yield the advice on one test."""
    if params.seconds < LONG_ENOUGH_SECONDS:
        yield ParamAdvice(
            "seconds",
            LONG_ENOUGH_SECONDS,
            message("Each operation lasts only %(seconds)d s.", seconds=params.seconds),
            message("A flush of a journal or a slow OSD stalls it for seconds."),
        )
    if "seq" in params.steps and params.writes and params.lasts("write") <= params.seconds:
        yield ParamAdvice(
            "write_seconds",
            3 * max(params.seconds, LONG_ENOUGH_SECONDS),
            message("seq reads what %(n)d s of writing left.", n=params.lasts("write")),
            message("Reads are faster than writes, so seq runs out of objects before its time."),
        )
