"""Certificate authorities of host keys, whose hosts an admin trusts, and revoked keys."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.inventory.models import HostAuthority
from apps.remote.known_hosts import CertificateAuthority, RevokedKey


@transaction.atomic
def host_authorities_add(
    *, user: User, authorities: Iterable[CertificateAuthority], revoked: Iterable[RevokedKey] = ()
) -> list[HostAuthority]:
    """Store authorities and revoked keys; return the new authorities.

    Raises: PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    added = []
    for one in (*authorities, *revoked):
        row, is_new = HostAuthority.objects.get_or_create(
            patterns=one.patterns, public_key=one.key.line, is_revoked=isinstance(one, RevokedKey)
        )
        if not is_new:
            continue
        audit_record(
            user=user,
            action="create",
            subject=row,
            fingerprint=one.key.fingerprint,
            revoked=row.is_revoked,
        )
        if not row.is_revoked:
            added.append(row)
    return added


@transaction.atomic
def host_authority_delete(*, user: User, authority: HostAuthority) -> None:
    """Delete an authority or a revocation; keys that are pinned because of it stay pinned."""
    require_role(user, Role.ADMIN)
    authority = HostAuthority.objects.select_for_update().get(pk=authority.pk)
    audit_record(
        user=user,
        action="delete",
        subject=authority,
        public_key=authority.public_key,
        revoked=authority.is_revoked,
    )
    authority.delete()
