"""Create and delete baselines."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.common.services import names_touch
from apps.inventory.models import Disk, DiskModel, Target
from apps.results.models import Baseline
from apps.results.selectors.results import comparable_summaries
from apps.runs.models import Case, Run


@dataclass(frozen=True)
class BaselineDraft:
    """Run or case, and the target or disk model of its baseline."""

    run: Run
    name: str
    target: Target | None = None
    disk_model: DiskModel | None = None
    case: Case | None = None
    note: str = ""
    team: Team | None = None


@transaction.atomic
def baseline_create(*, user: User, draft: BaselineDraft) -> Baseline:
    """Create a baseline.

    Raises:
        PermissionDenied: for viewers.
        ServiceError: (400) for results of another target, (409) for a name that is taken.
    """
    require_role(user, Role.OPERATOR)
    wrong = _faults(draft)
    if fault := team_fault(draft.team, user):
        wrong["team"] = fault
    if wrong:
        raise ServiceError(next(iter(wrong.values())), wrong, status=400)
    row = Baseline(
        owner=user,
        team=draft.team,
        name=draft.name,
        note=draft.note,
        run=draft.run,
        case=draft.case,
        target=draft.target,
        disk_model=draft.disk_model,
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        words = _("There is a baseline of this name already.")
        raise ServiceError(words, {"name": words}) from error
    audit_record(user=user, action="create", subject=row)
    names_touch()
    return row


@transaction.atomic
def baseline_delete(*, baseline: Baseline, user: User) -> None:
    """Delete a baseline; its results stay.

    Raises:
        PermissionDenied: for users who may not edit it.
    """
    baseline = lock_editable(baseline, user)
    audit_record(user=user, action="delete", subject=baseline)
    baseline.delete()
    names_touch()


def _faults(draft: BaselineDraft) -> dict[str, str]:
    if not draft.name.strip():
        return {"name": _("A baseline has a name.")}
    if (draft.target is None) == (draft.disk_model is None):
        return {"target": _("A baseline is of a target or of a disk model: name one of them.")}
    if draft.case is not None and draft.case.run_id != draft.run.pk:
        return {"case": _("This test is of another run.")}
    rows = comparable_summaries().filter(run=draft.run)
    if draft.case is not None:
        rows = rows.filter(case=draft.case)
    if draft.target is not None and not rows.filter(target=draft.target).exists():
        return {"target": _("There is no result of it here that comparisons may use.")}
    disks = Disk.objects.filter(model=draft.disk_model).values("target")
    if draft.disk_model is not None and not rows.filter(target__in=disks).exists():
        return {"disk_model": _("There is no result of such a disk here that comparisons may use.")}
    return {}
