"""Rules of sign-on: what the claims of an OpenID Connect provider grant.

Source of the claims: OpenID Connect Core 1.0, section 2 (ID token) and 5.3 (UserInfo).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

ROLE_NAMES = ("viewer", "operator", "disk_owner", "admin")
"""Values of apps.accounts.models.Role, the weakest first."""
MAX_GROUPS = 200
MAX_TEAM_NAME = 60
CLOCK_SKEW_SECONDS = 60
"""Largest accepted difference between the provider's clock and this one."""
ROUNDING_SECONDS = 1
"""Claims hold whole seconds."""
MAX_TIME = 1e11
"""Seconds since 1970; in the year 5138."""
NAMING_CLAIMS = ("preferred_username", "email", "sub")

Claims = Mapping[str, Any]


class SignOnRefused(Exception):
    """Refused sign-on; `reason` is a key of apps.accounts.oidc.refusals.MESSAGES."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        # Part of it may be what the browser sent; PostgreSQL refuses NUL.
        self.reason = reason
        self.detail = "".join(letter for letter in detail if letter.isprintable())[:200]


@dataclass(frozen=True)
class SignOn:
    """Settings of the provider and of what its groups grant."""

    issuer: str
    client_id: str
    client_secret: str = ""
    name: str = "OpenID Connect"
    groups_claim: str = "groups"
    roles: tuple[tuple[str, str], ...] = ()
    team_prefix: str = ""
    no_group: str = "refuse"
    acr_values: str = ""


@dataclass(frozen=True)
class Grant:
    """What a sign-on sets: None leaves role or teams to the admins of benchlab."""

    role: str | None
    teams: tuple[str, ...] | None


def parse_role_rules(text: str) -> tuple[tuple[str, str], ...]:
    """Parse `/storage-admins=admin, /storage=operator`. Raises: ValueError."""
    rules = []
    for item in filter(None, (part.strip() for part in text.split(","))):
        group, sign, role = item.rpartition("=")
        if not sign or not group.strip() or role.strip() not in ROLE_NAMES:
            names = ", ".join(ROLE_NAMES)
            raise ValueError(f"{item!r} is not GROUP=ROLE with one of the roles {names}.")
        rules.append((group.strip(), role.strip()))
    return tuple(rules)


def claim_at(claims: Claims, path: str) -> Any:
    """Return the value of a claim or dotted path; None without one.

    A claim whose name contains dots is read before the path.
    """
    value: Any = claims.get(path)
    if value is None:
        value = claims
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
    return value


def groups_in(claims: Claims, path: str) -> list[str] | None:
    """Return the groups at a claim or dotted path; None if there is no such claim.

    Raises: SignOnRefused for values that are no groups, too many groups, and for a distributed
    claim (`_claim_names`, OpenID Connect Core 1.0, section 5.6.2), which Azure sends instead of
    many groups.
    """
    value = claim_at(claims, path)
    elsewhere = claims.get("_claim_names")
    if value is None and isinstance(elsewhere, Mapping) and path in elsewhere:
        raise SignOnRefused("too_many_groups")
    if value is None:
        return None
    groups = [value] if isinstance(value, str) else value
    if not isinstance(groups, list) or not all(is_text(group) for group in groups):
        raise SignOnRefused("bad_groups")
    if len(groups) > MAX_GROUPS:
        raise SignOnRefused("too_many_groups")
    return groups


def grant_of(groups: Iterable[str] | None, sign_on: SignOn) -> Grant:
    """Return what the groups grant.

    Raises: SignOnRefused without a group that has a role; without the claim also if it sets teams
    only, because a claim that went missing would empty them.
    """
    present = set(groups or ())
    if groups is None and sign_on.team_prefix and sign_on.no_group == "refuse":
        raise SignOnRefused("no_groups")
    teams = _teams(present, sign_on.team_prefix) if sign_on.team_prefix else None
    if not sign_on.roles:
        return Grant(None, teams)
    granted = [role for group, role in sign_on.roles if group in present]
    if not granted and sign_on.no_group == "refuse":
        raise SignOnRefused("no_groups" if groups is None else "no_role")
    return Grant(max(granted, key=ROLE_NAMES.index, default="viewer"), teams)


def _teams(groups: Iterable[str], prefix: str) -> tuple[str, ...]:
    names = {group.removeprefix(prefix).strip() for group in groups if group.startswith(prefix)}
    return tuple(
        sorted(name for name in names if 0 < len(name) <= MAX_TEAM_NAME and name.isprintable())
    )


def username_in(claims: Claims) -> str:
    """Return the login name for a new account; "" if no claim has one."""
    names = (claims.get(name) for name in NAMING_CLAIMS)
    return next((name.strip() for name in names if isinstance(name, str) and name.strip()), "")


def has_wanted_acr(claims: Claims, sign_on: SignOn) -> bool:
    """Return True if the person authenticated in one of the ways of BENCHLAB_OIDC_ACR_VALUES.

    A provider may ignore `acr_values` of a request (OpenID Connect Core 1.0, section 3.1.2.1).
    """
    wanted = sign_on.acr_values.split()
    return not wanted or claims.get("acr") in wanted


def authenticated_at(claims: Claims, now: float) -> float | None:
    """Return when the person authenticated, by this machine's clock; None if unknown.

    `iat` is the moment of the token, so its difference to `now` is the provider's clock error.
    An `auth_time` after `iat` is a contradiction and counts as unknown.
    """
    issued, authenticated = _number(claims.get("iat")), _number(claims.get("auth_time"))
    if issued is None or authenticated is None:
        return None
    if authenticated > issued + ROUNDING_SECONDS or abs(issued - now) > CLOCK_SKEW_SECONDS:
        return None
    return authenticated - issued + now


def is_time(value: Any) -> TypeGuard[float]:
    """Return True for a NumericDate (RFC 7519, section 2); JSON knows 1e999, which is infinite."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MAX_TIME


def is_text(value: Any) -> TypeGuard[str]:
    """Return True for a string of printable characters: PostgreSQL refuses NUL and surrogates."""
    return isinstance(value, str) and value.isprintable()


def _number(value: Any) -> float | None:
    return float(value) if is_time(value) else None
