"""What django-allauth's second factors take from benchlab: encryption and names."""

from __future__ import annotations

from urllib.parse import urlsplit

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from apps.common.database.encryption import decrypt, encrypt

RECOVERY_CODES = "recovery codes"
"""Context of the encryption; TOTP secrets have one with their user."""


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc] # allauth ships no type information
    def encrypt(self, text: str) -> str:
        return encrypt(text, RECOVERY_CODES).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text.encode(), RECOVERY_CODES)

    def get_totp_issuer(self) -> str:
        return f"benchlab {rp_id()}"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": rp_id(), "name": "benchlab"}


def rp_id() -> str:
    """Return the domain of passkeys: that of BENCHLAB_PUBLIC_URL, else of the request."""
    public = urlsplit(settings.PUBLIC_URL).hostname
    return public or context.request.get_host().partition(":")[0]
