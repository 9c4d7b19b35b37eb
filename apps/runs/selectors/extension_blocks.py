"""Cases of additional blocks: the tests of a run again, on its frozen targets and tunings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from apps.common.errors import ServiceError
from apps.plans.domain.blocks import block_sizes
from apps.plans.domain.case_order import draw_block, draw_block_by_tuning
from apps.plans.domain.exchangeable_levels import max_levels, permutation_groups, permutation_key
from apps.plans.schemas.factors import HOST, PARAM, TUNING
from apps.runs.models import Case, Purpose, Run, RunExtension, RunTargetMember
from apps.tuning.schemas.settings import restarted_kinds


@dataclass(frozen=True)
class ExistingCases:
    """Tests of a run in the order of the plan, and its last block, repeat and sequence.

    A test has one case per tuning, with all other cases that are permuted in the same block.
    """

    tests: list[list[Case]]
    block: int
    repeat: int
    sequence: int


def factor_of(run: Run) -> str:
    """Return the factor of the newest limits; tunings if there are none."""
    limits = run.extensions.filter(kind=RunExtension.Kind.UNTIL)
    newest = limits.order_by("-position").first()
    return newest.factor if newest else TUNING


def existing_cases(run: Run, factor: str = TUNING) -> ExistingCases:
    """Return the tests of a run; cases within a test differ in the level of this factor.

    Raises:
        ServiceError: for a run without cases.
    """
    cases = run.cases.filter(purpose=Purpose.MEASURE)
    rows = list(
        cases.select_related("run_tuning", "requested_tuning", "workload").order_by("sequence")
    )
    if not rows:
        raise ServiceError(_("This run has no cases: there is nothing to repeat."))
    first: dict[tuple[str, int, int, int], Case] = {}
    for case in rows:
        key = case.step_name, case.workload_id, case.run_target_id, case.tuning_to_apply.pk
        first.setdefault(key, case)
    tests = permutation_groups(first.values(), lambda case: _exchange_key(factor, case))
    return ExistingCases(
        [sorted(test, key=lambda case: case.tuning_to_apply.position) for test in tests],
        max(case.block for case in rows),
        max(case.repeat for case in rows),
        rows[-1].sequence,
    )


def _exchange_key(factor: str, case: Case) -> object:
    return permutation_key(factor, case.step_name, case.tool, case.params, case.run_target_id)


def levels_in(before: ExistingCases, factor: str) -> int:
    """Return the largest number of levels of the factor in a test."""
    hosts = _first_hosts(before) if factor == HOST else {}

    def level(case: Case) -> object:
        if factor.startswith(PARAM):
            return str(case.params.get(factor.removeprefix(PARAM)))
        if factor == TUNING:
            return case.tuning_to_apply.pk
        return hosts.get(case.run_target_id, case.run_target_id)

    return max_levels(before.tests, level)


def _first_hosts(before: ExistingCases) -> dict[int, int]:
    """Return the first host of each target."""
    targets = {case.run_target_id for test in before.tests for case in test}
    rows = RunTargetMember.objects.filter(run_target__in=targets).order_by(
        "run_target_id", "position"
    )
    return dict(rows.distinct("run_target_id").values_list("run_target_id", "host_id"))


def only_of(run: Run, before: ExistingCases, cases: Collection[int]) -> ExistingCases:
    """Return only the tests of these cases, each under all its tunings, as levels need a baseline.

    Raises:
        ServiceError: (400) for a case that is no test of this run.
    """
    mine = run.cases.filter(purpose=Purpose.MEASURE, pk__in=cases)
    result = {row[0]: row[1:] for row in mine.values_list("pk", *_TEST)}
    if len(result) < len(set(cases)):
        words = _("Choose tests of this run.")
        raise ServiceError(words, {"cases": words}, status=400)
    wanted = set(result.values())
    tests = [
        [case for case in test if tuple(getattr(case, name) for name in _TEST) in wanted]
        for test in before.tests
    ]
    return replace(before, tests=[test for test in tests if test])


_TEST = ("step_name", "workload_id", "run_target_id")


def cases_after(run: Run, before: ExistingCases, repeats: int) -> list[Case]:
    """Return unsaved cases of more repeats of all tests, in blocks or as listed."""
    order = _interleaved(run, before, repeats) if before.block else _listed(before, repeats)
    return _rows(run, before, order)


def block_after(run: Run, before: ExistingCases, repeats: int) -> list[Case]:
    """Return unsaved cases of more repeats of all tests as one block."""
    return _rows(run, before, _block(run, before, before.block + 1, repeats, before.repeat))


def block_size(run: Run, before: ExistingCases) -> int:
    """Return the repeats of a tuning in one more block: as the largest at launch, at least 2.

    One if tunings restart daemons, as their tests then stand together.
    """
    if _shares_restarts(before):
        return 1
    tunings = max(map(len, before.tests))
    sizes = block_sizes(run.spec.planned_repeats, len(before.tests), tunings)
    return max(2, *sizes)


Order = Iterator[tuple[Case, int, int]]
"""A case to repeat, its block and its repeat."""


def _rows(run: Run, before: ExistingCases, order: Order) -> list[Case]:
    return [
        Case(
            run=run,
            sequence=sequence,
            block=block,
            repeat=repeat,
            workload_id=like.workload_id,
            run_target_id=like.run_target_id,
            run_tuning=like.tuning_to_apply,
            background_id=like.background_id,
            step_name=like.step_name,
            expected_seconds=like.expected_seconds,
        )
        for sequence, (like, block, repeat) in enumerate(order, before.sequence + 1)
    ]


def _interleaved(run: Run, before: ExistingCases, repeats: int) -> Order:
    tunings = max(map(len, before.tests))
    done = before.repeat
    shares = _shares_restarts(before)
    sizes = block_sizes(repeats, len(before.tests), tunings, shares_restarts=shares)
    for block, size in enumerate(sizes, before.block + 1):
        yield from _block(run, before, block, size, done)
        done += size


def _block(run: Run, before: ExistingCases, block: int, size: int, done: int) -> Order:
    """Yield a block in random order, drawn as the blocks of the plan."""
    repeats: Counter[int] = Counter()
    drawn = draw_block(before.tests, size, seed=run.seed, block=block)
    if size == 1 and _shares_restarts(before):
        drawn = draw_block_by_tuning(before.tests, _tuning_and_target, seed=run.seed, block=block)
    for case in drawn:
        repeats[case.pk] += 1
        yield case, block, done + repeats[case.pk]


def _tuning_and_target(case: Case) -> tuple[int, int]:
    return case.tuning_to_apply.pk, case.run_target_id


def _shares_restarts(before: ExistingCases) -> bool:
    """Return True if a tuning restarts daemons, so that its tests stand together in a block."""
    tunings = {case.tuning_to_apply for test in before.tests for case in test}
    return any(restarted_kinds(tuning.settings) for tuning in tunings)


def _listed(before: ExistingCases, repeats: int) -> Order:
    for test in before.tests:
        for case in test:
            for more in range(1, repeats + 1):
                yield case, 0, before.repeat + more
