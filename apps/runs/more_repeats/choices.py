"""Between what an ended run can be decided by more blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apps.plans.cases.exchange import HOST, PARAM, TARGET, TUNING, factor_words
from apps.runs.models import Member, Run
from apps.runs.more_repeats.adding import may_repeat


def deciding_choices(run: Run, swept: Iterable[str]) -> list[tuple[str, str]]:
    """Factors of which the run has several levels, with words for them; none for one that has not
    ended or goes on in rounds. `swept`: the parameters of its sweeps.
    """
    if not may_repeat(run) or run.plan_copy.rounds:
        return []
    return [(factor, factor_words(factor)) for factor in _factors(run, swept)]


def _factors(run: Run, swept: Iterable[str]) -> Iterator[str]:
    if len(set(run.tunings.order_by().values_list("name", flat=True))) > 1:
        yield TUNING
    members = Member.objects.filter(run_target__run=run).values_list("run_target_id", "host_id")
    places = set(members)
    if len({target for target, _host in places}) > 1:
        yield TARGET
        if len({host for _target, host in places}) > 1:
            yield HOST
    yield from (f"{PARAM}{name}" for name in sorted(swept))
