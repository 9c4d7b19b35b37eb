"""Second factors of local accounts: codes of an app (TOTP), recovery codes, passkeys.

The cryptography is django-allauth's. TOTP codes are accepted one 30-second step early or late,
and once: allauth forgets a used code after 30 s, while one is valid for 90 s (RFC 6238, 5.2).
"""

from __future__ import annotations

import logging

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.accounts.selectors import has_second_factor
from apps.accounts.services.audit import audit_record
from apps.common.database.encryption import SecretUnreadable, decrypt, encrypt, reencrypt
from apps.common.errors import ServiceError

log = logging.getLogger(__name__)
Type = Authenticator.Type
USED_STEP = "used_step"


@transaction.atomic
def code_verify(*, user: User, code: str) -> str:
    """Verify a code of the app or a recovery code and use it up.

    Return "totp" or "recovery code"; "" if it is wrong.
    """
    code = "".join(code.split()).replace("-", "")[:40]
    rows = Authenticator.objects.select_for_update(of=("self",)).filter(user=user)
    for row in rows.filter(type=Type.TOTP):
        secret = _secret(row)
        step = _step_of(secret, code) if secret else None
        if step is not None and step > row.data.get(USED_STEP, 0):
            row.data[USED_STEP] = step
            row.last_used_at = timezone.now()
            row.save(update_fields=["data", "last_used_at"])
            return "totp"
    for row in rows.filter(type=Type.RECOVERY_CODES):
        if code and _is_recovery_code(row, code):
            audit_record(user=user, action="use a recovery code", subject=user)
            return "recovery code"
    return ""


@transaction.atomic
def totp_activate(*, user: User, secret: str, code: str) -> list[str]:
    """Add an app by its secret and first code. Return new recovery codes, if there were none.

    Raises: ServiceError (400) for a wrong code, and if there is an app.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if Authenticator.objects.filter(user=user, type=Type.TOTP).exists():
        raise ServiceError(_("You have an app. Remove it first."))
    step = _step_of(secret, "".join(code.split()))
    if step is None:
        text = _("This code is wrong. Check the clock of your phone.")
        raise ServiceError(text, {"code": text}, status=400)
    data = {"secret": encrypt(secret, _context(user.pk)).decode(), USED_STEP: step}
    Authenticator.objects.create(user=user, type=Type.TOTP, data=data)
    audit_record(user=user, action="add second factor", subject=user, kind="totp")
    return _first_recovery_codes(user)


@transaction.atomic
def passkey_add(*, user: User, name: str, credential: dict[str, object]) -> list[str]:
    """Store a verified passkey. Return new recovery codes, if there were none."""
    User.objects.select_for_update().get(pk=user.pk)
    data = {"name": name, "credential": credential}
    Authenticator.objects.create(user=user, type=Type.WEBAUTHN, data=data)
    audit_record(user=user, action="add second factor", subject=user, kind="passkey", name=name)
    return _first_recovery_codes(user)


def passkey_mark_used(*, passkey: Authenticator) -> None:
    """Record the last use."""
    passkey.record_usage()


@transaction.atomic
def second_factor_remove(*, user: User, factor: Authenticator) -> None:
    """Remove one; the last one takes the recovery codes with it."""
    User.objects.select_for_update().get(pk=user.pk)
    kind = str(factor.type)
    Authenticator.objects.filter(user=user, pk=factor.pk).delete()
    if not has_second_factor(user):
        Authenticator.objects.filter(user=user).delete()
    audit_record(user=user, action="remove second factor", subject=user, kind=kind)


@transaction.atomic
def recovery_codes_renew(*, user: User) -> list[str]:
    """Replace the recovery codes. Return the new ones."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user=user, type=Type.RECOVERY_CODES).delete()
    audit_record(user=user, action="renew recovery codes", subject=user)
    return _first_recovery_codes(user)


@transaction.atomic
def second_factors_reset(*, user: User, by: User | None) -> int:
    """Remove all second factors of a user who lost them; their sessions end. Return the number."""
    rows = Authenticator.objects.filter(user=user)
    count: int = rows.exclude(type=Type.RECOVERY_CODES).count()
    rows.delete()
    user.session_epoch += 1
    user.save(update_fields=["session_epoch"])
    audit_record(user=by, action="reset second factor", subject=user, factors=count)
    return count


@transaction.atomic
def second_factor_reencrypt(*, factor: Authenticator) -> None:
    """Encrypt the secret with the first key. Raises: SecretUnreadable."""
    row = Authenticator.objects.select_for_update().get(pk=factor.pk)
    name = "seed" if row.type == Type.RECOVERY_CODES else "secret"
    row.data[name] = reencrypt(row.data[name].encode()).decode()
    row.save(update_fields=["data"])


def _is_recovery_code(row: Authenticator, code: str) -> bool:
    try:
        return bool(row.wrap().validate_code(code))
    except SecretUnreadable as error:
        log.error("recovery codes %s: %s", row.pk, error)
        return False


def _first_recovery_codes(user: User) -> list[str]:
    if Authenticator.objects.filter(user=user, type=Type.RECOVERY_CODES).exists():
        return []
    codes: list[str] = RecoveryCodes.activate(user).generate_codes()
    return codes


def _step_of(secret: str, code: str) -> int | None:
    """Return the 30-second step of a valid code; None if it is wrong."""
    for step in yield_hotp_counters_from_time():
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step))):
            return int(step)
    return None


def _secret(row: Authenticator) -> str:
    """Return the secret; "" if no key opens it, or it was copied from another user's row."""
    try:
        return decrypt(row.data["secret"].encode(), _context(row.user_id))
    except SecretUnreadable as error:
        log.error("second factor %s: %s", row.pk, error)
        return ""


def _context(user_id: int) -> str:
    return f"totp:{user_id}"
