"""Parsers of request bodies, with a nesting limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError

DEEPEST = 32
"""Maximum nesting. The deepest valid body, a plan's steps with sweeps, has five levels."""


class JSONParser(parsers.JSONParser):
    """DRF's parser with a nesting limit.

    A few kilobytes of brackets exhaust Python's stack: 400 instead of 500.
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
    """Return True if lists and objects are nested in more than `levels` levels."""
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
