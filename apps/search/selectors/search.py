"""Search rows of all kinds by words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db.models import QuerySet
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from apps.search.domain.terms import number_of, terms_of
from apps.search.selectors.kinds import (
    KINDS,
    METRIC_KIND,
    RESULT_KINDS,
    ResultKind,
    SearchKind,
)
from apps.search.selectors.matching import kind_holds, with_stems
from apps.search.selectors.metrics import metric_address, metrics_holding
from apps.search.selectors.runs import runs_holding

LONGEST = 100  # characters of the search text that are used
MOST_WORDS = 8
LIKE_ENOUGH = 0.5
"""Minimum pg_trgm word similarity, 0 to 1, of a name that is offered without a match."""
SHORTEST_LIKE = 4  # characters: shorter words have too few trigrams


@dataclass(frozen=True)
class SearchResult:
    """Match: page, name, and a line about it. `id`: primary key of a row; None of a metric."""

    kind: ResultKind
    id: int | None
    name: str
    about: str
    address: str


@dataclass(frozen=True)
class Hits:
    """First matches of a kind.

    `more`: further matches exist. `alike`: matches by similarity, because none contains the words.
    """

    kind: ResultKind
    results: tuple[SearchResult, ...]
    more: bool
    alike: bool


def search(text: str, *, kinds: Collection[str] = tuple(RESULT_KINDS), most: int) -> list[Hits]:
    """Return rows that contain every word of `text` or a synonym, at most `most` of each kind.

    Without a match, return rows with a similar name. A number, "#5" or "run 5" finds the run,
    "case 5" the case. Kinds without a match are omitted; without words the list is empty.
    """
    words = words_of(text)
    searched = [KINDS[key] for key in KINDS if key in kinds]
    if not words:
        return []
    held = [_hits(kind, _holding(kind, words, most), most) for kind in searched]
    if METRIC_KIND.key in kinds:
        held.append(_metric_hits(words, most))
    if not any(hits.results for hits in held):
        held = [_hits(kind, _alike(kind, " ".join(words)), most, alike=True) for kind in searched]
    return [hits for hits in held if hits.results]


def words_of(text: str) -> list[str]:
    """Return the search words, at most eight."""
    return text.replace("\0", "")[:LONGEST].split()[:MOST_WORDS]


def _hits(kind: SearchKind, rows: QuerySet[Any], most: int, *, alike: bool = False) -> Hits:
    first = list(rows[: most + 1])
    names = kind.shown(first[:most])
    result = tuple(
        SearchResult(kind, row.pk, names[row.pk], kind.about(row), kind.address(row))
        for row in first[:most]
    )
    return Hits(kind, result, len(first) > most, alike)


def _metric_hits(words: Sequence[str], most: int) -> Hits:
    metrics = metrics_holding(terms_of(words))
    result = tuple(
        SearchResult(METRIC_KIND, None, str(_(metric.label)), "", metric_address(metric))
        for metric in metrics[:most]
    )
    return Hits(METRIC_KIND, result, len(metrics) > most, alike=False)


def suggestions(text: str, *, most: int) -> list[Hits]:
    """Return at most `most` matches in all, shared evenly between the kinds that match."""
    hits = search(text, most=most)
    numbers = [0] * len(hits)
    left = min(most, sum(len(one.results) for one in hits))
    while left:
        for index, one in enumerate(hits):
            if left and numbers[index] < len(one.results):
                numbers[index] += 1
                left -= 1
    return [
        replace(one, results=one.results[:number])
        for one, number in zip(hits, numbers, strict=True)
        if number
    ]


def _holding(kind: SearchKind, words: Sequence[str], most: int) -> QuerySet[Any]:
    terms = terms_of(words)
    number = number_of(words, kind.key)
    named = kind.rows().filter(pk=number) if number is not None else kind.rows().none()
    if not kind.names or named:
        return named
    if kind.key == "runs":
        return runs_holding(kind, terms, most + 1)
    rows = with_stems(kind.rows(), kind)
    for term in terms:
        rows = rows.filter(kind_holds(kind, term))
    return rows


def _alike(kind: SearchKind, text: str) -> QuerySet[Any]:
    rows = kind.rows()
    if len(text) < SHORTEST_LIKE or not kind.names:
        return rows.none()
    likeness = [TrigramWordSimilarity(text, name) for name in kind.names]
    best = Greatest(*likeness) if len(likeness) > 1 else likeness[0]
    alike: QuerySet[Any] = rows.annotate(likeness=best).filter(likeness__gte=LIKE_ENOUGH)
    return alike.order_by("-likeness")
