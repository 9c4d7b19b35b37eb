"""Between what an ended run can be decided by more blocks, and what was decided last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db import connection

from apps.common.stored.sentences import read
from apps.plans.cases.exchange import HOST, PARAM, TARGET, TUNING, factor_words
from apps.runs.models import Run
from apps.runs.more_repeats.adding import may_repeat

# One query in place of four, written out: a run's page asks it each time, and Django takes longer
# to put it together than PostgreSQL to answer.
_MEMBERS = "runs_member m JOIN runs_runtarget t ON t.id = m.run_target_id AND t.run_id = %(run)s"
DECISIONS = f"""
SELECT
    (SELECT factor FROM runs_until WHERE run_id = %(run)s ORDER BY addition DESC LIMIT 1),
    (SELECT reason FROM runs_decision WHERE run_id = %(run)s ORDER BY position DESC LIMIT 1),
    (SELECT count(DISTINCT name) FROM runs_runtuning WHERE run_id = %(run)s),
    (SELECT count(DISTINCT m.run_target_id) FROM {_MEMBERS}),
    (SELECT count(DISTINCT m.host_id) FROM {_MEMBERS})
""".strip()


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
    """One query; most runs have neither limits nor answers."""
    with connection.cursor() as cursor:
        cursor.execute(DECISIONS, {"run": run.pk})
        factor, stored, *levels = cursor.fetchall()[0]
    return Decisions(factor or "", read(stored or ""), *levels)


def deciding_choices(run: Run, found: Decisions, swept: Iterable[str]) -> list[tuple[str, str]]:
    """Factors of which the run has several levels, with words for them; none for one that has not
    ended or goes on in rounds. `swept`: the parameters of its sweeps.
    """
    if not may_repeat(run) or run.plan_copy.rounds:
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
