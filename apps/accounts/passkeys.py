"""Passkeys (Web Authentication Level 2): registration and assertion through django-allauth.

The challenge is in the session. A malformed or wrong response is None, never an exception.
"""

from __future__ import annotations

import json
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from cryptography.exceptions import InvalidSignature
from django.core.exceptions import ValidationError

from apps.accounts.models import User

MAX_BYTES = 20_000
BAD_RESPONSE = (
    ValueError, TypeError, KeyError, AttributeError, IndexError, InvalidSignature, ValidationError,
    RecursionError,
)  # fmt: skip

Options = dict[str, Any]


def registration_options(user: User) -> Options:
    """Return the options of `navigator.credentials.create`."""
    return _plain(auth.begin_registration(user, False))


def verified_registration(text: str) -> dict[str, Any] | None:
    """Return the credential to store; None if it is not an answer to this session's options."""
    try:
        credential = _credential(text)
        auth.parse_registration_response(credential)
        auth.complete_registration(credential)
    except BAD_RESPONSE:
        auth.clear_state()
        return None
    return credential


def assertion_options(user: User) -> Options:
    """Return the options of `navigator.credentials.get`, for the user's passkeys."""
    return _plain(auth.begin_authentication(user))


def verified_assertion(user: User, text: str) -> Authenticator | None:
    """Return the user's passkey that signed this session's challenge; None if there is none."""
    try:
        credential = _credential(text)
        auth.parse_authentication_response(credential)
        return auth.complete_authentication(user, credential)
    except BAD_RESPONSE:
        auth.clear_state()
        return None


def _credential(text: str) -> dict[str, Any]:
    if len(text) > MAX_BYTES:
        raise ValueError("too long")
    credential = json.loads(text)
    if not isinstance(credential, dict):
        raise ValueError("no object")
    return credential


def _plain(options: dict[str, Any]) -> Options:
    """Return options of plain JSON types, as a template writes them."""
    plain: Options = json.loads(json.dumps(options, default=dict))
    return plain
