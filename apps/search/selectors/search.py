"""Search rows of all kinds by words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db.models import Model, QuerySet
from django.db.models.functions import Greatest

from apps.common.domain.keys import parse_key
from apps.search.domain.terms import terms_of
from apps.search.selectors.kinds import KINDS, SearchKind
from apps.search.selectors.matching import kind_holds, with_stems
from apps.search.selectors.runs import runs_holding

LONGEST = 100  # characters of the search text that are used
MOST_WORDS = 8
LIKE_ENOUGH = 0.5
"""Minimum pg_trgm word similarity, 0 to 1, of a name that is offered without a match."""
SHORTEST_LIKE = 4  # characters: shorter words have too few trigrams


@dataclass(frozen=True)
class Found:
    """Matching row: page, name, and a line about it."""

    kind: SearchKind
    row: Model
    name: str

    @property
    def id(self) -> int:
        return int(self.row.pk)

    @property
    def about(self) -> str:
        return self.kind.about(self.row)

    @property
    def address(self) -> str:
        return self.kind.address(self.row)


@dataclass(frozen=True)
class Hits:
    """First matches of a kind.

    `more`: further matches exist. `alike`: matches by similarity, because none contains the words.
    """

    kind: SearchKind
    found: tuple[Found, ...]
    more: bool
    alike: bool


def search(text: str, *, kinds: Collection[str] = tuple(KINDS), most: int) -> list[Hits]:
    """Return rows that contain every word of `text` or a synonym, at most `most` of each kind.

    Without a match, return rows with a similar name. A run's number, with or without "#", lists the
    run first. Kinds without a match are omitted; without words the list is empty.
    """
    words = words_of(text)
    asked = [KINDS[key] for key in KINDS if key in kinds]
    if not words:
        return []
    held = [_hits(kind, _holding(kind, words, most), most) for kind in asked]
    if not any(hits.found for hits in held):
        held = [_hits(kind, _alike(kind, " ".join(words)), most, alike=True) for kind in asked]
    return [hits for hits in held if hits.found]


def words_of(text: str) -> list[str]:
    """Return the search words, at most eight."""
    return text.replace("\0", "")[:LONGEST].split()[:MOST_WORDS]


def _hits(kind: SearchKind, rows: QuerySet[Any], most: int, *, alike: bool = False) -> Hits:
    first = list(rows[: most + 1])
    names = kind.shown(first[:most])
    result = tuple(Found(kind, row, names[row.pk]) for row in first[:most])
    return Hits(kind, result, len(first) > most, alike)


def _holding(kind: SearchKind, words: Sequence[str], most: int) -> QuerySet[Any]:
    terms = terms_of(words)
    if kind.key == "runs":
        number = _number(words)
        named = kind.rows().filter(pk=number) if number is not None else None
        return named if named else runs_holding(kind, terms, most + 1)
    rows = with_stems(kind.rows(), kind)
    for term in terms:
        rows = rows.filter(kind_holds(kind, term))
    return rows


def _number(words: Sequence[str]) -> int | None:
    return parse_key(words[0].removeprefix("#")) or None if len(words) == 1 else None


def _alike(kind: SearchKind, text: str) -> QuerySet[Any]:
    rows = kind.rows()
    if len(text) < SHORTEST_LIKE:
        return rows.none()
    likeness = [TrigramWordSimilarity(text, name) for name in kind.names]
    best = Greatest(*likeness) if len(likeness) > 1 else likeness[0]
    alike: QuerySet[Any] = rows.annotate(likeness=best).filter(likeness__gte=LIKE_ENOUGH)
    return alike.order_by("-likeness")
