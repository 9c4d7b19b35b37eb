"""Parsers of request bodies, with limits of nesting and of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from rest_framework import parsers
from rest_framework.exceptions import ParseError

DEEPEST = 32
"""Maximum nesting. The deepest valid body, a plan's steps with sweeps, has five levels."""
MOST_VALUES = 150_000
"""Values of a body. The longest valid one, the names of the files of an import, has half of them.

Each value is checked by a field, so millions of short ones would occupy a thread for minutes.
"""


class JSONParser(parsers.JSONParser):
    """DRF's parser with limits of nesting and of values.

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
        if _has_more_values(body, MOST_VALUES):
            most = f"{MOST_VALUES:,}"
            raise ParseError(_("The JSON has more than %(most)s values.") % {"most": most})
        return body


def is_deeper(value: Any, levels: int) -> bool:
    """Return True if lists and objects are nested in more than `levels` levels."""
    layer = [value]
    for _level in range(levels):
        layer = [inner for outer in layer for inner in _inside(outer)]
        if not layer:
            return False
    return any(isinstance(item, dict | list) for item in layer)


def _has_more_values(value: Any, most: int) -> bool:
    """Return True if lists and objects have more than `most` values, those of inner ones too."""
    layer, count = [value], 0
    while layer and count <= most:
        layer = [inner for outer in layer for inner in _inside(outer)]
        count += len(layer)
    return count > most


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _too_deep() -> ParseError:
    return ParseError(
        _("The JSON is nested too deeply: more than %(levels)d levels.") % {"levels": DEEPEST}
    )
