"""Verification of the provider's tokens with PyJWT.

ID token: OpenID Connect Core 1.0, section 3.1.3.7. Logout token: OpenID Connect Back-Channel
Logout 1.0, section 2.6. allauth leaves out the signature of tokens that arrive over TLS, `nonce`,
`azp` and the clock; benchlab checks all of them.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Mapping
from typing import Any

import jwt

from apps.accounts.domain.sign_on import (
    CLOCK_SKEW_SECONDS,
    Claims,
    SignOnRefused,
    claim_at,
    is_text,
    is_time,
)
from apps.accounts.oidc.memory import remember_first
from apps.accounts.oidc.provider import fetch, key_set, metadata, sign_on_settings

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512",
              "ES256", "ES384", "ES512", "EdDSA")  # fmt: skip
"""Signatures with the provider's private key: neither `none` nor the shared secret (HS*)."""
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
MAX_SUBJECT = 191
"""Length of django-allauth's column; the standard permits 255."""
MAX_LOGOUT_AGE_SECONDS = 120
MEMORY_SECONDS = MAX_LOGOUT_AGE_SECONDS + 2 * CLOCK_SKEW_SECONDS
"""After this time the checks of `iat` refuse a token that is sent again."""


def verified_claims(tokens: Mapping[str, Any], nonce: str) -> Claims:
    """Return the claims of the ID token, completed by UserInfo. Raises: SignOnRefused."""
    claims = _decode(str(tokens.get("id_token") or ""), ["exp", "iat", "sub"])
    given = claims.get("nonce")
    if not nonce or not isinstance(given, str) or not hmac.compare_digest(given, nonce):
        raise SignOnRefused("token", "nonce")
    client_id = sign_on_settings().client_id
    audience = claims["aud"]
    is_for_several = isinstance(audience, list) and len(audience) > 1
    if claims.get("azp", None if is_for_several else client_id) != client_id:
        raise SignOnRefused("token", "azp")
    if _is_clock_off(claims):  # benchlab fetched this token a moment ago
        raise SignOnRefused("clock", "iat")
    _check_subject(claims)
    _check_once(claims)
    return _with_user_info(claims, tokens)


def verified_logout(token: str) -> Claims:
    """Return the claims of a logout token: `sub`, `sid` or both. Raises: SignOnRefused."""
    claims = _decode(token, ["iat", "jti"])
    events = claims.get("events")
    is_logout = isinstance(events, dict) and isinstance(events.get(LOGOUT_EVENT), dict)
    if not is_logout or "nonce" in claims or not (claims.get("sub") or claims.get("sid")):
        raise SignOnRefused("logout")
    if time.time() - claims["iat"] > MAX_LOGOUT_AGE_SECONDS:
        raise SignOnRefused("logout", "old")
    if claims.get("sub"):
        _check_subject(claims)
    _check_once(claims)
    return claims


def _decode(token: str, required: list[str]) -> dict[str, Any]:
    sign_on = sign_on_settings()
    metadata()  # refuses a provider that names another issuer
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            key=_key_of(token),
            algorithms=list(ALGORITHMS),
            issuer=sign_on.issuer,
            audience=sign_on.client_id,
            leeway=CLOCK_SKEW_SECONDS,
            options={"require": ["iss", "aud", *required]},
        )
    except (jwt.ImmatureSignatureError, jwt.ExpiredSignatureError) as error:
        # PyJWT verifies the signature before the times.
        claims = jwt.decode(token, options={"verify_signature": False})
        reason = "clock" if _is_clock_off(claims) else "token"
        raise SignOnRefused(reason, type(error).__name__) from error
    except (jwt.PyJWTError, ValueError, TypeError, ArithmeticError) as error:
        raise SignOnRefused("token", type(error).__name__) from error
    if not all(is_time(claims[name]) for name in ("iat", "exp") if name in claims):
        raise SignOnRefused("token", "iat or exp")
    return claims


def _is_clock_off(claims: Claims) -> bool:
    """Return True if the time of issue is more than the accepted difference from now."""
    issued = claims.get("iat")
    return is_time(issued) and abs(time.time() - issued) > CLOCK_SKEW_SECONDS


def _key_of(token: str) -> Any:
    """Return the key that the token names; new keys are fetched once."""
    header = jwt.get_unverified_header(token)
    if header.get("alg") not in ALGORITHMS:
        raise SignOnRefused("token", f"alg {header.get('alg')!r}")
    for is_refreshed in (False, True):
        keys = jwt.PyJWKSet.from_dict(dict(key_set(is_refreshed=is_refreshed))).keys
        signing = [key for key in keys if key.public_key_use in (None, "sig")]
        name = header.get("kid")
        matching = [key for key in signing if name is None or key.key_id == name]
        if len(matching) == 1:
            return matching[0].key
    raise SignOnRefused("token", "key")


def _check_subject(claims: Claims) -> None:
    subject = claims["sub"]
    if not is_text(subject) or not 0 < len(subject) <= MAX_SUBJECT:
        raise SignOnRefused("token", "sub")


def _check_once(claims: Claims) -> None:
    """Refuse a token that was used before, if it has an ID (RFC 7519, section 4.1.7)."""
    if name := claims.get("jti"):
        is_first = remember_first(f"jti {claims['iss']} {name}", 1, MEMORY_SECONDS)
        if not is_first:
            raise SignOnRefused("state", "jti")


def _with_user_info(claims: dict[str, Any], tokens: Mapping[str, Any]) -> Claims:
    """Add claims that only UserInfo has (section 5.3); those of the ID token come first."""
    path = sign_on_settings().groups_claim
    has_groups = claim_at(claims, path) is not None
    if has_groups and "preferred_username" in claims:
        return claims
    address = metadata().get("userinfo_endpoint")
    if not address:
        return claims
    header = {"Authorization": f"Bearer {tokens.get('access_token')}"}
    more = fetch(str(address), header)
    if more.get("sub") != claims["sub"]:
        raise SignOnRefused("subject")
    if not has_groups and claim_at(more, path) is not None:
        # The part of a dotted path that the ID token has would hide that of UserInfo.
        claims = {name: value for name, value in claims.items() if name != path.split(".")[0]}
    return {**more, **claims}
