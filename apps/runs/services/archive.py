"""Archive, restore and delete ended runs."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.accounts.permissions import lock_editable
from apps.accounts.services import audit_record
from apps.blobs.services.blobs import blobs_delete_unreferenced
from apps.common.errors import ServiceError
from apps.common.services import results_touch
from apps.runs.models import FINAL_ATTEMPT, Artifact, AttemptJob, Origin, Run
from apps.runs.selectors.unresponsive_hosts import abandoned_open
from apps.runs.services.runs import event_record
from apps.runs.services.versions import runs_touch
from apps.tools.messages import message

ARCHIVED = gettext_noop("archived by %(who)s")
RESTORED = gettext_noop("restored by %(who)s")


@transaction.atomic
def run_archive(*, run: Run, user: User, archived: bool = True) -> Run:
    """Hide an ended run from lists and pickers, or show it again; comparisons still use it.

    Raises:
        PermissionDenied: for users who may not edit the run.
        ServiceError: if the run has not ended.
    """
    run = lock_editable(run, user)
    if archived and not run.is_final:
        raise ServiceError(_("This run has not ended yet; cancel it first, or wait."))
    if archived == (run.archived_at is not None):
        return run
    run.archived_at = timezone.now() if archived else None
    run.save(update_fields=["archived_at", "updated_at"])
    verb = "archive" if archived else "restore"
    text = ARCHIVED if archived else RESTORED
    event_record(run, verb, message(text, who=user.username))
    audit_record(user=user, action=verb, subject=run)
    runs_touch([run.pk])
    return run


def may_delete(run: Run, user: User) -> bool:
    """Return True for the owner, if an operator, and for admins."""
    return user.is_admin or (user.is_operator and run.owner_id == user.pk)


@transaction.atomic
def run_delete(*, run: Run, user: User, name: str) -> None:
    """Delete a run with its cases, results, series and raw output; shared blobs stay.

    Raises:
        ServiceError: without permission, for a wrong `name`, or if the run is undeletable.
    """
    run = Run.objects.select_for_update().get(pk=run.pk)
    if not may_delete(run, user):
        raise ServiceError(_("Only its owner and admins may delete a run."), status=403)
    if name.strip() != run.name:
        text = _("Type the run's name, “%(name)s”, to delete it.") % {"name": run.name}
        raise ServiceError(text, {"name": text}, status=400)
    if why := undeletable(run):
        raise ServiceError(why)
    artifacts = Artifact.objects.filter(attempt__case__run=run)
    blobs = sorted(set(artifacts.order_by().values_list("blob_id", flat=True)) - {None})
    size = artifacts.aggregate(size=Sum("size"))["size"] or 0
    audit_record(
        user=user,
        action="delete",
        subject=run,
        cases=run.case_count,
        raw_bytes=size,
        state=run.state,
    )
    run.delete()
    results_touch()
    transaction.on_commit(lambda: blobs_delete_unreferenced(blobs))


def undeletable(run: Run) -> str:
    """Return why a run cannot be deleted now, else ""."""
    if not run.is_final:
        return _("This run has not ended yet; cancel it first, or wait.")
    if abandoned_open(run).exists():
        return _("Attempts of this run ended unconfirmed and may still run. Bring their hosts "
                 "back, or release their resources, before you delete it.")  # fmt: skip
    hosts = _hosts_with_folders(run)
    if hosts:
        text = _("Its job folders are still on %(hosts)s: they go with the next run there. Switch "
                 "a host off that does not come back.")  # fmt: skip
        return text % {"hosts": ", ".join(hosts)}
    return ""


def _hosts_with_folders(run: Run) -> list[str]:
    """Return enabled hosts that still have job directories of the run.

    Without the rows of the run nothing would delete them.
    """
    if run.origin != Origin.LAUNCHED:
        return []
    left = AttemptJob.objects.filter(
        Q(attempt__host_files_removed_at__isnull=True, attempt__contact_at__isnull=False),
        removed_from_host=False,
        attempt__case__run=run,
        attempt__state__in=FINAL_ATTEMPT,
        host__enabled=True,
    )
    return sorted(set(left.values_list("host__name", flat=True)))
