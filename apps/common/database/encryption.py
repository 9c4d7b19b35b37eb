"""Secrets at rest, encrypted with BENCHLAB_ENCRYPTION_KEYS and bound to their context.

The first key of the comma-separated list encrypts, all decrypt; a new key goes first
(docs/operations/secrets.md). A value decrypts only with the context of its encryption
("credential.key:17"), so a value copied to another row or column is refused. That is the associated
data of an AEAD (RFC 5116, section 2.1), which Fernet lacks.
"""

from __future__ import annotations

import hmac

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

_END = b"\0"


class SecretUnreadable(Exception):
    """Value that no key decrypts, or that belongs to another context."""


def encrypt(text: str, context: str) -> bytes:
    """Encrypt `text` and bind it to `context`, which must not contain NUL."""
    if "\0" in context or not context:
        raise ValueError("A context is a non-empty text without NUL.")
    return _keys().encrypt(context.encode() + _END + text.encode())


def decrypt(value: bytes | memoryview, context: str) -> str:
    """Return the text that was encrypted for `context`. Raises: SecretUnreadable."""
    try:
        plain = _keys().decrypt(bytes(value))
    except InvalidToken as error:
        raise SecretUnreadable(
            "No key of BENCHLAB_ENCRYPTION_KEYS opens this secret. "
            "Put back the key it was encrypted with."
        ) from error
    bound_to, _end, text = plain.partition(_END)
    if not hmac.compare_digest(bound_to, context.encode()):
        raise SecretUnreadable("This secret was stored for another place and is not used here.")
    return text.decode()


def reencrypt(value: bytes | memoryview) -> bytes:
    """Encrypt the same secret with the newest key. Raises: SecretUnreadable."""
    try:
        return _keys().rotate(bytes(value))
    except InvalidToken as error:
        raise SecretUnreadable("No key of BENCHLAB_ENCRYPTION_KEYS opens this secret.") from error


def _keys() -> MultiFernet:
    keys = [Fernet(key.strip()) for key in settings.BENCHLAB_ENCRYPTION_KEYS if key.strip()]
    return MultiFernet(keys)
