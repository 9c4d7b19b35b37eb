"""Certificate authorities of host keys: an admin trusts all hosts that they sign."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.inventory.models import HostAuthority
from apps.remote.known_hosts import CertificateAuthority


@transaction.atomic
def host_authorities_add(
    *, user: User, authorities: Iterable[CertificateAuthority]
) -> list[HostAuthority]:
    """Store authorities; return the new ones. Raises: PermissionDenied below admin."""
    require_role(user, Role.ADMIN)
    added = []
    for one in authorities:
        row, is_new = HostAuthority.objects.get_or_create(
            patterns=one.patterns, public_key=one.key.line
        )
        if is_new:
            audit_record(user=user, action="create", subject=row, fingerprint=one.key.fingerprint)
            added.append(row)
    return added


@transaction.atomic
def host_authority_delete(*, user: User, authority: HostAuthority) -> None:
    """Delete an authority; keys that are pinned because of it stay pinned."""
    require_role(user, Role.ADMIN)
    authority = HostAuthority.objects.select_for_update().get(pk=authority.pk)
    audit_record(user=user, action="delete", subject=authority, public_key=authority.public_key)
    authority.delete()
