"""Add repeats to an ended run: its tests, on its frozen targets and tunings, in new blocks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.hints import send
from apps.plans.domain.expand import MAX_CASES
from apps.plans.domain.stopping_rule_checks import limit_errors, too_few_levels
from apps.plans.schemas.plan import MAX_REPEATS
from apps.plans.schemas.stopping import PrecisionLimits
from apps.runs.models import FINAL_RUN, Case, Run, RunExtension
from apps.runs.selectors.extension_blocks import (
    ExistingCases,
    block_after,
    block_size,
    cases_after,
    existing_cases,
    factor_of,
    levels_in,
    only_of,
)
from apps.runs.services.extension_rows import extension_create
from apps.runs.services.queueing import run_queue_again
from apps.runs.services.runs import event_record
from apps.runs.services.transitions import preconditioning_reset
from apps.runs.services.versions import runs_touch
from apps.tools.messages import TranslatableMessage, message, plural_message

MAX_SELECTED_CASES = 4_096
"""Cases that can be named at once: a table of 64 by 64 values."""


def may_repeat(run: Run) -> bool:
    """Return True if repeats can be added to the run."""
    return run.is_final and not run.is_imported


@transaction.atomic
def repeats_add(
    *,
    run: Run,
    user: User,
    repeats: int = 0,
    until: PrecisionLimits | None = None,
    of: Collection[int] = (),
) -> Run:
    """Queue `repeats` of the tests of an ended run in new blocks, of all or of those of cases `of`.

    With `until` one block is queued; more follow until all comparisons are decided, at most
    `until.max_blocks`. The run loses its wipe confirmation, which was for the disks at the launch.

    Raises:
        PermissionDenied: for users who may not edit the run.
        ServiceError: for a run that has not ended or was imported, or invalid limits.
    """
    run = lock_editable(run, user)
    if run.state not in FINAL_RUN:
        raise ServiceError(_("This run has not ended yet; repeats are added to what has ended."))
    if run.is_imported:
        raise ServiceError(_("These results were imported: there is nothing to run again."))
    before = _before(run, until, of)
    if until is not None:
        _check_until(run, before, until)
        repeats = block_size(run, before)
    if not 1 <= repeats <= MAX_REPEATS:
        words = _("Between 1 and %(most)s repeats can be added at once.") % {"most": MAX_REPEATS}
        raise ServiceError(words, {"repeats": words}, status=400)
    add = cases_after if until is None else block_after
    cases = add(run, before, repeats)
    if run.case_count + len(cases) > MAX_CASES:
        most = f"{MAX_CASES:,}"
        words = _("The run would have more than %(most)s cases: add fewer.") % {"most": most}
        raise ServiceError(words, {"repeats": words}, status=400)
    Case.objects.bulk_create(cases, batch_size=2_000)
    preconditioning_reset(run.cases.all())
    _record(run, before, cases, user, repeats, until)
    _queue(run, cases, user)
    text = _event_text(user.username, repeats, len(before.tests) if of else None)
    if until is not None:
        text = message("%(who)s adds blocks until precise enough", who=user.username)
    event_record(run, "repeats", text)
    audit_record(user=user, action="add repeats", subject=run, repeats=repeats, cases=len(cases))
    runs_touch([run.pk])
    transaction.on_commit(lambda: send("execution.reconcile_run", run.pk))
    return run


def _before(run: Run, until: PrecisionLimits | None, of: Collection[int]) -> ExistingCases:
    if not of:
        return existing_cases(run, until.factor if until else factor_of(run))
    if until is not None:
        words = _("Blocks of every test are added until all comparisons are precise enough.")
        raise ServiceError(words, {"cases": words}, status=400)
    return only_of(run, existing_cases(run, factor_of(run)), of)


def _event_text(who: str, repeats: int, tests: int | None) -> TranslatableMessage:
    if tests is None:
        return plural_message(
            "%(who)s adds %(count)d repeat of every test",
            "%(who)s adds %(count)d repeats of every test",
            repeats,
            who=who,
        )
    return plural_message(
        "%(who)s adds %(repeats)s repeats of %(count)d test",
        "%(who)s adds %(repeats)s repeats of %(count)d tests",
        tests,
        who=who,
        repeats=repeats,
    )


def _record(
    run: Run,
    before: ExistingCases,
    cases: Sequence[Case],
    user: User,
    repeats: int,
    until: PrecisionLimits | None,
) -> None:
    first_block = before.block + 1 if before.block else 0
    fields = {"repeats": repeats, "cases": len(cases), "first_block": first_block, "by": user}
    if until is None:
        last_block = max(case.block for case in cases)
        extension_create(run, RunExtension.Kind.REPEATS, last_block=last_block, **fields)
        return
    extension_create(
        run,
        RunExtension.Kind.UNTIL,
        precision_percent=until.precision_percent,
        max_hours=until.max_hours,
        factor=until.factor,
        last_block=first_block + until.max_blocks - 1,
        **fields,
    )


def _check_until(run: Run, before: ExistingCases, until: PrecisionLimits) -> None:
    wrong = limit_errors(until)
    if run.spec.steady_state:
        # Rounds are repeats over time: they drift on purpose until the disk is steady.
        wrong["precision_percent"] = _(
            "Rounds go on until the disk is steady: they decide nothing."
        )
    elif not before.block:
        wrong["precision_percent"] = _("A precision limit needs interleaved blocks.")
    elif "factor" not in wrong and levels_in(before, until.factor) < 2:
        wrong["factor"] = too_few_levels(until.factor)
    if wrong:
        raise ServiceError(next(iter(wrong.values())), wrong, status=400)


def _queue(run: Run, cases: Sequence[Case], user: User) -> None:
    run_queue_again(run, user)
    run.case_count += len(cases)
    run.expected_seconds += sum(case.expected_seconds for case in cases)
    run.save(update_fields=["case_count", "expected_seconds"])
