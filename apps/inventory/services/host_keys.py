"""Host keys: presented, compared by a user, pinned. A host with another key is not used."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError
from apps.inventory.models import Host
from apps.inventory.selectors.host_batches import revoked_keys_of
from apps.inventory.selectors.inventory import fingerprint
from apps.inventory.services.asking import check_ask
from apps.inventory.services.checks import check_done
from apps.inventory.services.owned_rows import require_reachable
from apps.tools.messages import message


@transaction.atomic
def host_key_scan_request(*, host: Host, user: User) -> None:
    """Forget the pinned key and read the presented one; it must be confirmed again."""
    require_role(user, Role.ADMIN)
    require_reachable(host)
    if host.is_local:
        raise ServiceError(_("This machine is not reached over SSH, so it has no host key."))
    audit_record(
        user=user, action="forget host key", subject=host, fingerprint=fingerprint(host.host_key)
    )
    Host.objects.filter(pk=host.pk).update(host_key="", presented_host_key="")
    host.refresh_from_db()
    check_ask(host)


@transaction.atomic
def host_key_offered(*, host: Host, line: str) -> None:
    """Store the presented key for confirmation by a user; never replace a pinned one."""
    Host.objects.filter(pk=host.pk, host_key="").update(
        presented_host_key=line,
        health=Host.Health.UNCHECKED,
        health_kind="key_unknown",
        health_text=message("Its host key waits to be compared and confirmed."),
        checked_at=timezone.now(),
    )
    check_done(host)


@transaction.atomic
def host_key_accept(*, host: Host, fingerprint: str, user: User) -> Host:
    """Pin the presented key, if it is the one whose fingerprint the user compared.

    Raises: ServiceError (409) if the host has presented another key since, none, or a revoked one.
    """
    require_role(user, Role.ADMIN)
    host = Host.objects.select_for_update().get(pk=host.pk)
    if not host.presented_host_key:
        raise ServiceError(_("No key waits to be confirmed. Check the host first."))
    if _fingerprint(host.presented_host_key) != fingerprint.strip():
        raise ServiceError(
            _("The host has shown another key since. Compare the fingerprint that is shown now."),
            {"fingerprint": _("Not the key that waits.")},
        )
    _pin(host, host.presented_host_key)
    audit_record(user=user, action="accept host key", subject=host, fingerprint=fingerprint)
    check_ask(host)
    return host


@transaction.atomic
def host_key_trust(*, host: Host, line: str, user: User, source: str) -> Host:
    """Pin a key that the admin has from a trusted text, before the host presents one.

    `source`: for the audit log. A pinned key is never replaced.
    Raises: ServiceError (409) if the host has a pinned key, or the key is revoked.
    """
    require_role(user, Role.ADMIN)
    require_reachable(host)
    host = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    if host.host_key:
        raise ServiceError(_("%(name)s has a pinned key already.") % {"name": host.name})
    _pin(host, line)
    audit_record(
        user=user,
        action="accept host key",
        subject=host,
        fingerprint=_fingerprint(line),
        source=source,
    )
    check_ask(host)
    return host


@transaction.atomic
def host_key_certified(*, host: Host, line: str) -> None:
    """Pin the key that a stored certificate authority vouches for; never replace a pinned one."""
    locked = Host.objects.select_for_update(of=("self",)).get(pk=host.pk)
    if not locked.host_key:
        _pin(locked, line)
        audit_record(
            user=None,
            action="accept host key",
            subject=locked,
            fingerprint=_fingerprint(line),
            source="certificate authority",
        )
    check_ask(locked)


def _pin(host: Host, line: str) -> None:
    if line in revoked_keys_of(host):
        raise ServiceError(_("Its key is revoked."))
    host.host_key, host.presented_host_key, host.health_kind = line, "", ""
    host.save(update_fields=["host_key", "presented_host_key", "health_kind", "updated_at"])


_fingerprint = fingerprint  # the parameter above bears the same name, for callers' sake
