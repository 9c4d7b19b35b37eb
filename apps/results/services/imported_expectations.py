"""Set the expectations of an imported run, which has no plan that states them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.plans.domain.expectation_checks import expectation_faults
from apps.plans.domain.expectation_verdicts import is_either, limit_of
from apps.plans.domain.value_parser import MOST, words_of
from apps.results.schemas.imported_expectations import TargetExpectation
from apps.results.selectors.imported_expectations import target_names
from apps.results.services.summary_table import summaries_refresh
from apps.runs.models import Run, RunExpectation
from apps.runs.services.versions import runs_touch


@transaction.atomic
def imported_expectations_set(*, run: Run, user: User, wanted: Sequence[TargetExpectation]) -> Run:
    """Replace the expectations of an imported run and evaluate its results again.

    Raises: PermissionDenied; ServiceError (409) for a launched run, (400) for an impossible
    expectation or a target that the run does not have.
    """
    locked = lock_editable(run, user)
    if not locked.is_imported:
        text = _("A launched run keeps the expectations of its plan.")
        raise ServiceError(text, status=409)
    faults = list(_faults(wanted, target_names(locked)))
    if faults:
        raise ServiceError(faults[0], {"expectations": " ".join(faults)}, status=400)
    RunExpectation.objects.filter(run_target__run=locked).delete()
    RunExpectation.objects.bulk_create(_rows(locked, wanted), batch_size=2_000)
    summaries_refresh(locked.cases.values_list("pk", flat=True))
    details = [f"{one.target}: {words_of(one.expected)}".removeprefix(": ") for one in wanted]
    audit_record(user=user, action="change", subject=locked, expectations=details)
    runs_touch([locked.pk])
    return locked


def _faults(wanted: Sequence[TargetExpectation], targets: Sequence[str]) -> Iterator[str]:
    if len(wanted) > MOST:
        yield _("An imported run has at most %(most)s expectations.") % {"most": MOST}
    for one in wanted:
        if one.target and one.target not in targets:
            yield _("The run has no target “%(name)s”; it has %(known)s.") % {
                "name": one.target,
                "known": ", ".join(targets),
            }
        if one.expected.value is None:
            yield _("An expectation needs a value.")
            continue
        yield from expectation_faults("", one.expected)


def _rows(run: Run, wanted: Sequence[TargetExpectation]) -> Iterator[RunExpectation]:
    measured = run.cases.order_by("run_target", "workload", "step_name").values_list(
        "run_target", "run_target__name", "workload", "step_name"
    )
    for run_target, name, workload, step_name in measured.distinct():
        for position, one in enumerate(wanted):
            expected = one.expected
            if one.target not in ("", name) or expected.value is None:
                continue
            yield RunExpectation(
                run_target_id=run_target,
                workload_id=workload,
                step_name=step_name,
                position=position,
                metric=expected.metric,
                operation=expected.operation,
                direction=expected.direction,
                value=expected.value,
                unit=expected.unit,
                tolerance=expected.tolerance,
                source=expected.source,
                bound=limit_of(expected.value, expected.direction, expected.tolerance),
                either=is_either(expected),
            )
