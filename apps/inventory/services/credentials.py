"""SSH keys. The private half is encrypted at rest and never shown again."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, User
from apps.accounts.permissions import require_role
from apps.accounts.services import audit_record
from apps.common.database.encryption import encrypt, reencrypt
from apps.common.errors import ServiceError, from_validation_error
from apps.inventory.models import Credential
from apps.inventory.selectors.inventory import key_context, passphrase_context
from apps.remote.errors import HostError
from apps.remote.keys import generate_key, login_key


@transaction.atomic
def credential_create(
    *, user: User, name: str, private_key: str = "", passphrase: str = ""
) -> Credential:
    """Create a key from OpenSSH or PEM text, or a new ed25519 pair if there is none.

    Raises: ServiceError (400) for an unusable key, a wrong passphrase or a name in use;
    PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    if private_key.strip():
        public = _public_half(private_key, passphrase)
    else:
        private_key, public = generate_key()
        passphrase = ""
    credential = Credential(name=name, public_key=public, encrypted_key=b"")
    try:
        credential.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    credential.save()
    credential.encrypted_key = encrypt(private_key, key_context(credential))
    if passphrase:
        credential.encrypted_passphrase = encrypt(passphrase, passphrase_context(credential))
    credential.save()
    audit_record(user=user, action="create", subject=credential, public_key=public)
    return credential


@transaction.atomic
def credential_delete(*, user: User, credential: Credential) -> None:
    """Delete a key.

    Raises: ServiceError while a host uses it; PermissionDenied below admin.
    """
    require_role(user, Role.ADMIN)
    credential = Credential.objects.select_for_update().get(pk=credential.pk)
    hosts = list(credential.hosts.order_by("name").values_list("name", flat=True))
    if hosts:
        text = _("It is still the key of %(hosts)s: give them another one first.")
        raise ServiceError(text % {"hosts": ", ".join(hosts)})
    audit_record(user=user, action="delete", subject=credential, public_key=credential.public_key)
    credential.delete()


@transaction.atomic
def credential_reencrypt(*, credential: Credential) -> None:
    """Encrypt key and passphrase with the present first key of BENCHLAB_ENCRYPTION_KEYS.

    Both or neither. Raises: SecretUnreadable if no key decrypts them; they stay unchanged.
    """
    row = Credential.objects.select_for_update().get(pk=credential.pk)
    row.encrypted_key = reencrypt(row.encrypted_key)
    if row.encrypted_passphrase:
        row.encrypted_passphrase = reencrypt(row.encrypted_passphrase)
    row.save(update_fields=["encrypted_key", "encrypted_passphrase", "updated_at"])
    audit_record(user=None, action="encrypt again", subject=row)


def _public_half(private_key: str, passphrase: str) -> str:
    try:
        key = login_key(private_key, passphrase or None, "benchlab")
    except HostError as error:
        message = _(
            "This is no private key that benchlab can use, or the passphrase does not open it."
        )
        raise ServiceError(message, {"private_key": message}, status=400) from error
    return key.export_public_key().decode("ascii").strip()
