"""Start, cancel and decide acceptances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.acceptance.domain.rules import findings_of, verdict_of
from apps.acceptance.domain.steps import MIN_SAMPLED_BYTES
from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.acceptance.schemas import SAMPLE, AcceptanceProfile
from apps.acceptance.selectors.acceptances import accepted_disks, in_open_acceptance
from apps.acceptance.services.evidence import evidence_of, reading_of
from apps.acceptance.services.runs import fill_launch
from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.selectors import team_fault
from apps.accounts.services import audit_record
from apps.common.database.locks import advisory_lock
from apps.common.errors import ServiceError, from_validation_error
from apps.inventory.models import Disk
from apps.runs.models import Run
from apps.runs.services.runs import run_cancel
from apps.tools.messages import message

MAX_DISKS = 256


@dataclass(frozen=True)
class AcceptanceDraft:
    """What is accepted, and how. Disks have their hosts and models loaded."""

    name: str
    disks: Sequence[Disk]
    profile: AcceptanceProfile = field(default_factory=AcceptanceProfile)
    team: Team | None = None
    confirm_wipe: bool = False


@transaction.atomic
def acceptance_start(*, user: User, draft: AcceptanceDraft) -> Acceptance:
    """Store an acceptance and launch its fill, which destroys what is on the disks.

    Raises:
        PermissionDenied: below disk owner.
        ServiceError: (400) for invalid fields; others of a launch.
    """
    require_role(user, Role.DISK_OWNER)
    advisory_lock("start an acceptance")
    if faults := _faults(user, draft):
        raise ServiceError(" ".join(faults.values()), faults, status=400)
    acceptance = Acceptance(
        owner=user,
        team=draft.team,
        name=draft.name.strip(),
        profile=draft.profile,
        wipe_confirmed=draft.confirm_wipe,
    )
    try:
        acceptance.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    acceptance.save()
    AcceptedDisk.objects.bulk_create(
        AcceptedDisk(
            acceptance=acceptance, disk=disk, label=label_of(disk), before=reading_of(disk)
        )
        for disk in draft.disks
    )
    acceptance.fill_run = fill_launch(acceptance, draft.disks)
    acceptance.save(update_fields=["fill_run", "updated_at"])
    audit_record(
        user=user,
        action="launch",
        subject=acceptance,
        disks=[str(disk) for disk in draft.disks],
        wipe=draft.confirm_wipe,
    )
    return acceptance


def label_of(disk: Disk) -> str:
    """Return the short name of a disk in messages: host, and bay or device."""
    name = disk.known.bay or disk.device_path.removeprefix("/dev/")
    return f"{disk.host.name} {name}"[:120]


@transaction.atomic
def acceptance_cancel(*, acceptance: Acceptance, user: User) -> Acceptance:
    """End an acceptance and cancel its run. Disks without a verdict stay undecided.

    Raises: PermissionDenied; ServiceError if it has ended.
    """
    row = lock_editable(acceptance, user)
    if not row.is_open:
        raise ServiceError(_("This acceptance has ended already."))
    if row.current_run is not None:
        run_cancel(run=row.current_run, user=user)
    acceptance_end(row, cancelled=message("cancelled by %(who)s", who=user.username))
    audit_record(user=user, action="cancel", subject=row)
    return row


@transaction.atomic
def acceptance_decide(*, acceptance: Acceptance, user: User) -> Acceptance:
    """Apply the rules again, for example after failed cases were retried.

    Raises: PermissionDenied; ServiceError while it is open.
    """
    row = lock_editable(acceptance, user)
    if row.state != Acceptance.State.ENDED:
        raise ServiceError(_("Only an acceptance that has ended is decided again."))
    findings_store(row)
    audit_record(user=user, action="change", subject=row)
    return row


@transaction.atomic
def acceptance_delete(*, acceptance: Acceptance, user: User) -> None:
    """Delete an acceptance that has ended, with the sheets of its disks; its runs stay.

    Raises: PermissionDenied; ServiceError while it is open.
    """
    row = lock_editable(acceptance, user)
    if row.is_open:
        raise ServiceError(_("Cancel this acceptance before you delete it."))
    verdicts = {one.label: one.verdict for one in accepted_disks(row)}
    audit_record(user=user, action="delete", subject=row, disks=verdicts)
    row.delete()


def acceptance_measure(row: Acceptance, run: Run) -> None:
    """Enter the stage of the standard four tests, which `run` measures, of a locked acceptance."""
    row.state, row.measure_run, row.reason = Acceptance.State.MEASURING, run, ""
    row.save(update_fields=["state", "measure_run", "reason", "updated_at"])


def acceptance_end(row: Acceptance, *, cancelled: str = "") -> None:
    """End a locked acceptance with verdicts, or cancelled for a reason without."""
    if not cancelled:
        findings_store(row)
    row.state = Acceptance.State.CANCELLED if cancelled else Acceptance.State.ENDED
    row.reason = cancelled
    row.ended_at = timezone.now()
    row.save(update_fields=["state", "reason", "ended_at", "updated_at"])


def findings_store(acceptance: Acceptance) -> None:
    """Store findings and verdict of each disk."""
    evidence = {one.disk: one for one in evidence_of(acceptance)}
    findings = findings_of(list(evidence.values()), acceptance.profile)
    rows = accepted_disks(acceptance)
    for row in rows:
        row.before, row.after = evidence[row.disk_id].before, evidence[row.disk_id].after
        row.findings = findings[row.disk_id]
        row.verdict = verdict_of(row.findings)
    AcceptedDisk.objects.bulk_update(rows, ["before", "after", "findings", "verdict"])


def _faults(user: User, draft: AcceptanceDraft) -> dict[str, str]:
    faults = {}
    if text := _disks_fault(draft.disks):
        faults["disks"] = text
    elif text := _sample_fault(draft):
        faults["coverage"] = text
    if text := team_fault(draft.team, user):
        faults["team"] = text
    if draft.confirm_wipe and not user.is_disk_owner:
        faults["confirm_wipe"] = _("Only a disk owner may confirm a wipe.")
    return faults


def _disks_fault(disks: Sequence[Disk]) -> str:
    if not disks:
        return _("Choose at least one disk.")
    if len(disks) > MAX_DISKS:
        return _("At most %(count)d disks.") % {"count": MAX_DISKS}
    claims = [disk.claim for disk in disks]
    if len(set(claims)) < len(claims):
        return _("A disk is there twice, or seen by two hosts.")
    unfit = next(filter(None, map(_disk_fault, disks)), "")
    if unfit or not (busy := in_open_acceptance(disks)):
        return unfit
    text = _("%(disk)s is part of “%(name)s”, which has not ended.")
    return text % {"disk": busy[0].disk, "name": busy[0].acceptance}


def _disk_fault(disk: Disk) -> str:
    if not disk.is_enrolled:
        return _("%(disk)s is not enrolled as expendable. Enrol it first.") % {"disk": disk}
    if not disk.device_path:
        return _("%(disk)s was not there when its host was last checked.") % {"disk": disk}
    if disk.array is not None:
        return _("%(disk)s is an array: its drives are not visible.") % {"disk": disk}
    return ""


def _sample_fault(draft: AcceptanceDraft) -> str:
    if draft.profile.coverage != SAMPLE:
        return ""
    sizes = {disk.size for disk in draft.disks}
    if len(sizes) > 1:
        return _("A sample needs disks of one size: start an acceptance for each size.")
    if min(sizes) < MIN_SAMPLED_BYTES:
        return _("A sample needs disks of at least 42 GB.")
    return ""
