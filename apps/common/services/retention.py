"""Retention rules: how long the rows of a model stay (docs/operations/retention.md)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Model, QuerySet

BATCH_ROWS = 5_000

log = logging.getLogger(__name__)


class Due(NamedTuple):
    """Number of rows that a rule deletes or deleted, and a remark about them."""

    rows: int = 0
    remark: str = ""


@dataclass(frozen=True, kw_only=True)
class RetentionRule:
    """How long the rows of a model stay (`period`), and what deletes them.

    `task`: name of the daily task, or the write that applies the rule; empty if no row is deleted
    by a rule. `setting`: environment variable that changes the rule.
    """

    model: type[Model]
    period: str
    task: str = ""
    setting: str = ""
    due: Callable[[], Due] = Due
    apply: Callable[[], Due] = Due


def due_rows(
    model: type[Model], period: str, rows: Callable[[], QuerySet[Any]], *, task: str
) -> RetentionRule:
    """Return a rule that deletes the rows of a query. `rows` is called for each evaluation."""
    return RetentionRule(
        model=model,
        period=period,
        task=task,
        due=lambda: Due(rows().count()),
        apply=lambda: Due(rows_delete(rows())),
    )


def rows_delete(rows: QuerySet[Any]) -> int:
    """Delete the rows of a query in batches, each in its own transaction. Return their number."""
    count = 0
    while keys := list(rows.values_list("pk", flat=True)[:BATCH_ROWS]):
        rows.model._default_manager.filter(pk__in=keys).delete()
        count += len(keys)
    return count


def retention_apply(rules: Iterable[RetentionRule]) -> None:
    """Apply rules in turn and log what each deleted."""
    for rule in rules:
        done = rule.apply()
        if done.rows:
            log.info("retention of %s: %s rows. %s", rule.model._meta.label, *done)
