"""Reading what scripts send: documents, not nested without end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError

DEEPEST = 32
"""Levels; the deepest body anybody needs, a plan's list of steps with sweeps, has five."""


class JSONParser(parsers.JSONParser):
    """DRF's own, which lets a few kilobytes of brackets exhaust Python's stack: 400, not a defect
    of ours.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            body: Any = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise _too_deep() from error
        if is_deeper(body, DEEPEST):
            raise _too_deep()
        return body


def is_deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects lie inside one another in more than `levels` levels."""
    layer = [value]
    for _level in range(levels):
        layer = [inner for outer in layer for inner in _inside(outer)]
        if not layer:
            return False
    return any(isinstance(item, dict | list) for item in layer)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _too_deep() -> ParseError:
    return ParseError(
        _("The JSON is nested too deeply: more than %(levels)d levels.") % {"levels": DEEPEST}
    )
