"""Between what an ended run can be decided by more blocks, and what was decided last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import Count

from apps.plans.schemas.factors import HOST, PARAM, TARGET, TUNING, factor_words
from apps.runs.models import Run, RunExtension, RunTargetMember
from apps.runs.services.extension import may_repeat


class Decisions(NamedTuple):
    """Of a run: the factor of its newest limits ("" without any), the words of its rules' newest
    answer, and how many names of tunings, targets with members and hosts of them it has.
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


def deciding_choices(run: Run, found: Decisions, swept: Iterable[str]) -> list[tuple[str, str]]:
    """Factors of which the run has several levels, with words for them; none for one that has not
    ended or goes on in rounds. `swept`: the parameters of its sweeps.
    """
    if not may_repeat(run) or run.spec.steady_state:
        return []
    return [(factor, factor_words(factor)) for factor in _factors(found, swept)]


def _factors(found: Decisions, swept: Iterable[str]) -> Iterator[str]:
    if found.tunings > 1:
        yield TUNING
    if found.targets > 1:
        yield TARGET
        if found.hosts > 1:
            yield HOST
    yield from (f"{PARAM}{name}" for name in sorted(swept))
