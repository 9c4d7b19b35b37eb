"""Advice on parameters of dd."""

from __future__ import annotations

from collections.abc import Iterator

from apps.tools.advice import ParamAdvice
from apps.tools.messages import message

from .params import DdParams


def advice_for(params: DdParams) -> Iterator[ParamAdvice]:
    """Yield the advice on one test."""
    if not (params.direct or params.dsync or params.sync or params.fdatasync or params.fsync):
        yield ParamAdvice(
            "direct",
            True,
            message("Buffered: the first bytes go to memory."),
            message("The time does not contain what the kernel writes back later."),
        )
