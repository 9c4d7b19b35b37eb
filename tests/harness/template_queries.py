"""Fail a test whose template runs a query: views fetch, templates show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.template.base import Template
from django.template.context import Context

Execute = Callable[[str, Any, bool, dict[str, Any]], Any]


class QueryInTemplate(AssertionError):
    """A template ran this query while it was rendered."""


@pytest.fixture(autouse=True, scope="session")
def _templates_without_queries() -> Iterator[None]:
    render = Template._render
    open_templates: list[str] = []

    def guarded(template: Template, context: Context) -> Any:
        if open_templates:
            return render(template, context)
        open_templates.append(str(template.name))
        try:
            with connection.execute_wrapper(refuse):
                return render(template, context)
        finally:
            open_templates.pop()

    def refuse(_execute: Execute, sql: str, *_arguments: Any) -> Any:
        raise QueryInTemplate(f"{open_templates[0]}: {sql}")

    Template._render = guarded
    yield
    Template._render = render
