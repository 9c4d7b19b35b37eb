"""Hold a host after faults of it in a row or by hand, and release it."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.tools.messages import plural_message

MAX_REASON = 200


@transaction.atomic
def host_faults_record(*, run_id: int, faulty: Collection[int], others: Collection[int]) -> None:
    """Count the fault of hosts at which a run ended, and put hosts with too many on hold.

    The count of `others` begins anew. Without a limit (0) nothing is held.
    """
    Host.objects.filter(pk__in=others, fault_count__gt=0).update(fault_count=0)
    limit = settings.BENCHLAB_HOST_HOLD_FAULTS
    if not faulty or limit < 1:
        return
    rows = Host.objects.select_for_update(of=("self",)).filter(pk__in=faulty).order_by("pk")
    for host in rows:
        Host.objects.filter(pk=host.pk).update(fault_count=F("fault_count") + 1)
        if host.fault_count + 1 >= limit and host.held_since is None:
            _hold(host, run_id, host.fault_count + 1)


def _hold(host: Host, run_id: int, count: int) -> None:
    host.held_since = timezone.now()
    host.hold_reason = plural_message(
        "%(count)d run ended by a fault of the host: run %(run)d",
        "%(count)d runs in a row ended by a fault of the host, the last one is run %(run)d",
        count,
        run=run_id,
    )
    host.save(update_fields=["held_since", "hold_reason", "updated_at"])
    audit_record(user=None, action="hold", subject=host, run=run_id, faults=count)


@transaction.atomic
def host_hold(*, host: Host, user: User, reason: str) -> Host:
    """Put a host on hold by hand, until an admin releases it; running runs go on.

    Raises: PermissionDenied below admin; ServiceError (400) without a reason, (409) if it is on
    hold or only in the archive.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON:
        text = _("Enter a reason of at most %(count)d characters.") % {"count": MAX_REASON}
        raise ServiceError(text, {"reason": text}, status=400)
    if not host.is_reachable_kind:
        raise ServiceError(_("This host is only in the archive: no test runs on it."))
    if host.held_since is not None:
        raise ServiceError(_("This host is on hold already."))
    host.held_since, host.hold_reason = timezone.now(), reason
    host.save(update_fields=["held_since", "hold_reason", "updated_at"])
    audit_record(user=user, action="hold", subject=host, reason=reason)
    return host


@transaction.atomic
def host_release(*, host: Host, user: User) -> Host:
    """End the hold of a host; runs may start on it again, and faults count anew.

    Raises: PermissionDenied below admin; ServiceError if it is not on hold.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    if host.held_since is None:
        raise ServiceError(_("This host is not on hold."))
    host.held_since, host.hold_reason, host.fault_count = None, "", 0
    host.save(update_fields=["held_since", "hold_reason", "fault_count", "updated_at"])
    audit_record(user=user, action="release", subject=host)
    return host
