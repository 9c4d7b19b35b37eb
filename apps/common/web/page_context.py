"""Context that apps add to the pages of apps below them.

An app registers a function for a page with `page_context_register` in AppConfig.ready. The page's
view merges the result of `page_context` into its own context.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.utils.module_loading import import_string

ContextOf = Callable[[Any], Mapping[str, object]]

_PATHS: dict[str, list[str]] = {}


def page_context_register(page: str, path: str) -> None:
    """Register a function by its path ("apps.x.presenters.y.function"), imported on first use."""
    paths = _PATHS.setdefault(page, [])
    if path not in paths:
        paths.append(path)


def page_context(page: str, subject: object) -> dict[str, object]:
    """Return the context that apps above add to a page about `subject`."""
    context: dict[str, object] = {}
    for path in _PATHS.get(page, ()):
        context |= _loaded(path)(subject)
    return context


@cache
def _loaded(path: str) -> ContextOf:
    function: ContextOf = import_string(path)
    return function
