"""Conditions of columns that hold a search term; trigram indexes serve them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Q, QuerySet

from apps.search.domain.terms import Term
from apps.search.selectors.kinds import SearchKind

STEMS = "english"


def with_stems(rows: QuerySet[Any], kind: SearchKind) -> QuerySet[Any]:
    """Annotate the word stems that `kind_holds` compares."""
    for text in kind.texts:
        rows = rows.annotate(**{f"{text}_stems": SearchVector(text, config=STEMS)})
    return rows


def kind_holds(kind: SearchKind, term: Term) -> Q:
    """Return the condition of rows of the kind whose own columns hold the term."""
    condition = columns_hold((*kind.names, *kind.texts), term)
    # Other scripts have no English stems, and their vectors would be computed for every row.
    for text in kind.texts if term.text.isascii() else ():
        condition |= Q(**{f"{text}_stems": SearchQuery(term.text, config=STEMS)})
    if kind.tags:
        for text in term.texts:
            condition |= Q(**{f"{kind.tags}__contains": [text.lower()]})
    return condition


def columns_hold(columns: Iterable[str], term: Term) -> Q:
    """Return the condition that one of the columns holds the term or a synonym."""
    parts = [Q(**{f"{column}__icontains": part}) for column in columns for part in term.parts]
    for column in columns:
        for start in term.starts:
            parts.append(Q(**{f"{column}__istartswith": start}))
            parts.append(Q(**{f"{column}__icontains": f" {start}"}))
    return reduce(or_, parts)
