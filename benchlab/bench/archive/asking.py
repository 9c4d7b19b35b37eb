"""Costs of the lists' filters: each as a call of the API beside the list without a filter, and what
PostgreSQL reads for it. Nothing is taken from what a process keeps, so both are worked out.
"""

from __future__ import annotations

import time
from typing import Any, NotRequired, TypedDict

from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.accounts.models import User
from benchlab.bench.archive.reading import scans_of

Question = tuple[str, str, Any]
"""(list, filter, value); the filter "" is the whole list."""


class ToAsk(TypedDict):
    """A filled archive: by list and filter the values to ask for; runs of thousands of cases; the
    seconds that filling took.
    """

    lists: dict[str, dict[str, list[Any]]]
    large: int
    middle: int
    fill_seconds: NotRequired[float]
    cases: NotRequired[int]


class Asked(TypedDict):
    """A question's cost: seconds of each round, and rows that a step of its queries looked at."""

    list: str
    filter: str
    value: Any
    seconds: list[float]
    rows: int


def ask(asked: ToAsk, rounds: int) -> list[Asked]:
    """By list and filter: the seconds of each round, and the rows looked at. The rounds of a list's
    questions are interleaved with the list itself.
    """
    client = APIClient()
    client.force_authenticate(User.objects.order_by("pk")[0])
    told: list[Asked] = []
    for noun, filters in asked["lists"].items():
        wanted: list[Question] = [
            (noun, name, value) for name, values in filters.items() for value in values
        ]
        told += _list(client, [(noun, "", ""), *wanted], rounds)
    return told


def _list(client: APIClient, wanted: list[Question], rounds: int) -> list[Asked]:
    told: list[Asked] = [
        {"list": noun, "filter": name, "value": value, "seconds": [], "rows": _rows(client, *one)}
        for one in wanted
        for noun, name, value in [one]
    ]
    for _round in range(rounds):
        for row, one in zip(told, wanted, strict=True):
            row["seconds"].append(_timed(client, *one))
    return told


def _timed(client: APIClient, noun: str, name: str, value: Any) -> float:
    began = time.perf_counter()
    _get(client, noun, name, value)
    return time.perf_counter() - began


def _rows(client: APIClient, noun: str, name: str, value: Any) -> int:
    """The most rows that one step of a query looked at."""
    with CaptureQueriesContext(connection) as queries:
        _get(client, noun, name, value)
    return max((scan.rows for scan in scans_of(queries)), default=0)


def _get(client: APIClient, noun: str, name: str, value: Any) -> None:
    answer = client.get(f"/api/v1/{noun}/", {name: value} if name else {})
    if answer.status_code != 200:
        raise RuntimeError(f"{noun} {name}={value}: {answer.content!r}")
