"""Factors that more blocks of a run can decide, and the last decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import Count

from apps.plans.schemas.factors import HOST, PARAM, TARGET, TUNING, factor_words
from apps.runs.models import Run, RunExtension, RunTargetMember
from apps.runs.services.extension import may_repeat


class Decisions(NamedTuple):
    """Last decision of a run: its factor, and the text of the newest decision of a rule.

    `tunings`, `targets`, `hosts`: number of levels.
    """

    factor: str
    newest: str
    tunings: int
    targets: int
    hosts: int


def decisions_of(run: Run) -> Decisions:
    members = RunTargetMember.objects.filter(run_target__run=run)
    newest = run.extensions.order_by("-position")
    factors = newest.filter(kind=RunExtension.Kind.UNTIL).values_list("factor", flat=True)
    reasons = newest.filter(kind=RunExtension.Kind.RULE).values_list("reason", flat=True)
    return Decisions(
        factor=factors.first() or "",
        newest=reasons.first() or "",
        tunings=run.tunings.values("name").distinct().count(),
        **members.aggregate(
            targets=Count("run_target", distinct=True), hosts=Count("host", distinct=True)
        ),
    )


def deciding_choices(run: Run, result: Decisions, swept: Iterable[str]) -> list[tuple[str, str]]:
    """Return the factors with several levels, with labels; empty for a running or steady-state run.

    `swept`: parameters of its sweeps.
    """
    if not may_repeat(run) or run.spec.steady_state:
        return []
    return [(factor, factor_words(factor)) for factor in _factors(result, swept)]


def _factors(result: Decisions, swept: Iterable[str]) -> Iterator[str]:
    if result.tunings > 1:
        yield TUNING
    if result.targets > 1:
        yield TARGET
        if result.hosts > 1:
            yield HOST
    yield from (f"{PARAM}{name}" for name in sorted(swept))
