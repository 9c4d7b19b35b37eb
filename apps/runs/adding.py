"""More repeats of a run that has ended: the tests it had, on the targets and under the tunings that
it froze, in new blocks of the same run.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import Refused
from apps.inventory.hints import send
from apps.plans.cases.blocks import block_sizes
from apps.plans.cases.expand import MAX_CASES
from apps.runs.models import FINAL_RUN, Addition, Case, Run, RunState
from apps.runs.services import event_record
from apps.runs.transitions import run_step
from apps.tools.sentences import counted

MOST_REPEATS = 100


@dataclass(frozen=True)
class _Before:
    """The tests of a run: a case of each under each tuning, in the order of the plan (of one
    test all tunings together), its last block, repeat and position.
    """

    tests: list[list[Case]]
    block: int
    repeat: int
    position: int


@transaction.atomic
def repeats_add(*, run: Run, user: User, repeats: int) -> Run:
    """Queue `repeats` more of every test of an ended run, in blocks of their own. A confirmed wipe
    was for what the disks carried at the launch: it does not hold again.

    Raises PermissionDenied for a viewer, Refused for a run that has not ended or was imported.
    """
    require_role(user, Role.OPERATOR)
    run = Run.objects.select_for_update().get(pk=run.pk)
    if run.state not in FINAL_RUN:
        raise Refused(_("This run has not ended yet; repeats are added to what has ended."))
    if run.is_imported:
        raise Refused(_("These results were imported: there is nothing to run again."))
    before = _before(run)
    if not 1 <= repeats <= MOST_REPEATS:
        words = _("Between 1 and %(most)s repeats can be added at once.") % {"most": MOST_REPEATS}
        raise Refused(words, {"repeats": words}, status=400)
    cases = _cases(run, before, repeats)
    if run.case_count + len(cases) > MAX_CASES:
        most = f"{MAX_CASES:,}"
        words = _("The run would have more than %(most)s cases: add fewer.") % {"most": most}
        raise Refused(words, {"repeats": words}, status=400)
    Case.objects.bulk_create(cases, batch_size=2_000)
    _record(run, before, cases, user, repeats)
    _queue(run, cases)
    told = counted(
        "%(who)s adds %(count)d repeat of every test",
        "%(who)s adds %(count)d repeats of every test",
        repeats,
        who=user.username,
    )
    event_record(run, "repeats", told)
    audit_record(user=user, verb="add repeats", subject=run, repeats=repeats, cases=len(cases))
    transaction.on_commit(lambda: send("execution.advance", run.pk))
    return run


def _before(run: Run) -> _Before:
    rows = list(run.cases.select_related("run_tuning", "planned_tuning").order_by("position"))
    if not rows:
        raise Refused(_("This run has no cases: there is nothing to repeat."))
    first: dict[tuple[str, int, int, int], Case] = {}
    for case in rows:
        key = case.step_name, case.workload_id, case.run_target_id, case.asked_tuning.pk
        first.setdefault(key, case)
    tests: dict[tuple[str, int, int], list[Case]] = defaultdict(list)
    for (step, workload, target, _tuning), case in first.items():
        tests[step, workload, target].append(case)
    return _Before(
        [sorted(test, key=lambda case: case.asked_tuning.position) for test in tests.values()],
        max(case.block for case in rows),
        max(case.repeat for case in rows),
        rows[-1].position,
    )


def _cases(run: Run, before: _Before, repeats: int) -> list[Case]:
    """As the plan's cases were made (plans.cases.expand): interleaved in blocks, or as listed."""
    order = _interleaved(run, before, repeats) if before.block else _listed(before, repeats)
    return [
        Case(
            run=run,
            position=position,
            block=block,
            repeat=repeat,
            workload_id=like.workload_id,
            run_target_id=like.run_target_id,
            run_tuning=like.asked_tuning,
            step_name=like.step_name,
            expected_seconds=like.expected_seconds,
        )
        for position, (like, block, repeat) in enumerate(order, before.position + 1)
    ]


def _interleaved(run: Run, before: _Before, repeats: int) -> Iterator[tuple[Case, int, int]]:
    tunings = max(map(len, before.tests))
    done = before.repeat
    sizes = block_sizes(repeats, len(before.tests), tunings)
    for block, size in enumerate(sizes, before.block + 1):
        # Dice of its own for each block, as the plan's blocks have.
        dice = random.Random(f"{run.plan_copy.seed} {block}")
        for test in before.tests:
            slots = [(case, done + more) for more in range(1, size + 1) for case in test]
            dice.shuffle(slots)
            yield from ((case, block, repeat) for case, repeat in slots)
        done += size


def _listed(before: _Before, repeats: int) -> Iterator[tuple[Case, int, int]]:
    for test in before.tests:
        for case in test:
            for more in range(1, repeats + 1):
                yield case, 0, before.repeat + more


def _record(run: Run, before: _Before, cases: Sequence[Case], user: User, repeats: int) -> None:
    Addition.objects.create(
        run=run,
        position=run.additions.count() + 1,
        repeats=repeats,
        first_block=before.block + 1 if before.block else 0,
        last_block=max(case.block for case in cases),
        added_by=user,
    )


def _queue(run: Run, cases: Sequence[Case]) -> None:
    run.state, run.reason = run_step(run.state, RunState.QUEUED), ""
    run.finished_at = run.cancel_requested_at = run.cancel_requested_by = None
    run.wipe_confirmed_by = None
    run.case_count += len(cases)
    run.expected_seconds += sum(case.expected_seconds for case in cases)
    run.save()
