"""Fail a test whose template runs a query: views fetch, templates show.

Excepted are form fields, whose choices Django fetches when it renders them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from django.db import connection
from django.template.base import Template
from django.template.context import Context

EXCEPTED = "django.forms."
Execute = Callable[[str, Any, bool, dict[str, Any]], Any]


class QueryInTemplate(AssertionError):
    """A template ran this query while it was rendered."""


@pytest.fixture(autouse=True, scope="session")
def _templates_without_queries() -> Iterator[None]:
    # django-stubs leaves this method out, which Django's own test runner replaces as well.
    render = Template._render  # type: ignore[attr-defined] # as above
    open_templates: list[str] = []
    refused: list[str] = []

    def guarded(template: Template, context: Context) -> Any:
        if open_templates:
            return render(template, context)
        open_templates.append(str(template.name))
        refused.clear()
        try:
            with connection.execute_wrapper(refuse):
                text = render(template, context)
        finally:
            open_templates.pop()
        if refused:  # `{% if rows or x %}` catches the exception of the query
            raise QueryInTemplate(f"{template.name}: {refused[0]}")
        return text

    def refuse(execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if _is_excepted():
            return execute(sql, params, many, context)
        refused.append(sql)
        raise QueryInTemplate(f"{open_templates[0]}: {sql}")

    Template._render = guarded  # type: ignore[attr-defined] # as above
    yield
    Template._render = render  # type: ignore[attr-defined] # as above


def _is_excepted() -> bool:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(EXCEPTED):
            return True
        frame = frame.f_back
    return False
