"""Conditions of columns that hold a search term.

Indexes of trigrams serve them, of character pairs for scripts beyond ASCII.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import StrIndex, Upper
from django.db.models.lookups import GreaterThan

from apps.common.database.character_pairs import SHORTEST, CharacterPairs, has_pairs
from apps.search.domain.terms import Term
from apps.search.selectors.kinds import SearchKind

STEMS = "english"


def with_stems(rows: QuerySet[Any], kind: SearchKind) -> QuerySet[Any]:
    """Annotate the word stems and character pairs that `kind_holds` compares."""
    for text in kind.texts:
        rows = rows.annotate(**{f"{text}_stems": SearchVector(text, config=STEMS)})
    for column in kind.paired:
        rows = rows.annotate(**{f"{column}_pairs": CharacterPairs(column)})
    return rows


def kind_holds(kind: SearchKind, term: Term) -> Q:
    """Return the condition of rows of the kind whose own columns hold the term."""
    condition = columns_hold((*kind.names, *kind.texts), term, kind.paired)
    # Other scripts have no English stems, and their vectors would be computed for every row.
    for text in kind.texts if term.text.isascii() else ():
        condition |= Q(**{f"{text}_stems": SearchQuery(term.text, config=STEMS)})
    if kind.tags:
        for text in term.texts:
            condition |= Q(**{f"{kind.tags}__contains": [text.lower()]})
    return condition


def columns_hold(columns: Sequence[str], term: Term, paired: Sequence[str] = ()) -> Q:
    """Return the condition that one of the columns holds the term or a synonym.

    `paired`: columns with annotated character pairs.
    """
    parts = [
        _holds(column, part, paired=column in paired) for column in columns for part in term.parts
    ]
    for column in columns:
        for start in term.starts:
            parts.append(Q(**{f"{column}__istartswith": start}))
            parts.append(Q(**{f"{column}__icontains": f" {start}"}))
    return reduce(or_, parts)


def _holds(column: str, text: str, *, paired: bool) -> Q:
    if not paired or not has_pairs(text):
        return Q(**{f"{column}__icontains": text})
    pairs = Q(**{f"{column}_pairs__contains": CharacterPairs(Value(text))})
    if len(text) == SHORTEST:
        return pairs
    # Not LIKE: the planner would scan the whole index of trigrams, which Chinese text has none of.
    position = StrIndex(Upper(column), Upper(Value(text)))
    return pairs & Q(GreaterThan(position, 0))
