"""Rows of a model by a query that is written out, for what every request asks: Django takes several
times as long to put such a question together as PostgreSQL to answer it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model

AnyModel = TypeVar("AnyModel", bound=Model)


@cache
def columns_of(model: type[Model], alias: str) -> str:
    """All of a row's columns, for a SELECT in which its table is called `alias`."""
    return ", ".join(f'{alias}."{field.column}"' for field in model._meta.concrete_fields)


@cache
def _names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def row_of(model: type[AnyModel], values: Sequence[Any]) -> AnyModel | None:
    """The row with these values of its columns; None for that of an outer join which found none.
    No field of the model may need what it says converted.
    """
    pk = model._meta.concrete_fields.index(model._meta.pk)
    return None if values[pk] is None else model.from_db(connection.alias, _names(model), values)
