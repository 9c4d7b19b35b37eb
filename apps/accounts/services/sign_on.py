"""Sign-on through the OpenID Connect provider: accounts, roles and teams.

People are matched by issuer and subject. A name or e-mail address never finds an account, because
whoever chooses them at the provider would take it.
"""

from __future__ import annotations

import logging
from datetime import timedelta

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.domain.sign_on import (
    Claims,
    Grant,
    SignOn,
    SignOnRefused,
    grant_of,
    groups_in,
    is_text,
    username_in,
)
from apps.accounts.models import Role, Session, Team, User
from apps.accounts.selectors import can_log_in_locally
from apps.accounts.services.audit import BENCHLAB, audit_record
from apps.accounts.services.last_admin import is_last_admin
from apps.accounts.services.throttling import REFUSED_SIGN_ON, is_refusal_throttled
from apps.accounts.services.tokens import tokens_end
from apps.common.database.locks import advisory_lock
from apps.common.errors import ServiceError
from apps.common.services import names_touch
from apps.common.web.request import current_address

log = logging.getLogger(__name__)
LAST_ADMIN_STAYS = "keep the last admin"
"""Action in the audit log."""


@transaction.atomic
def signed_on(*, claims: Claims, sign_on: SignOn) -> User:
    """Return the user of verified claims, with the role and teams of the person's groups.

    The first sign-on creates the account. Raises: SignOnRefused.
    """
    subject = str(claims["sub"])
    advisory_lock(f"sign-on {sign_on.issuer} {subject}")
    groups = groups_in(claims, sign_on.groups_claim)
    account = _account(sign_on.issuer, subject)
    if account is not None and not account.user.is_active:
        raise SignOnRefused("inactive", account.user.username)
    grant = grant_of(groups, sign_on)
    user = account.user if account is not None else _new_user(claims)
    _grant(user, grant)
    account = account or SocialAccount(provider=sign_on.issuer, uid=subject, user=user)
    _remember(account, subject, groups)
    return user


@transaction.atomic
def sign_on_join(*, user: User, claims: Claims, sign_on: SignOn) -> None:
    """Join a local account with the person of the claims. Raises: SignOnRefused."""
    subject = str(claims["sub"])
    advisory_lock(f"sign-on {sign_on.issuer} {subject}")
    if _account(sign_on.issuer, subject) is not None:
        raise SignOnRefused("joined")
    groups = groups_in(claims, sign_on.groups_claim)
    grant = grant_of(groups, sign_on)
    locked = User.objects.select_for_update().get(pk=user.pk)
    if SocialAccount.objects.filter(user=locked).exists():
        raise SignOnRefused("other_person")
    _grant(locked, grant)
    _remember(SocialAccount(provider=sign_on.issuer, uid=subject, user=locked), subject, groups)
    audit_record(user=user, action="join sign-on", subject=locked, subject_id=subject)


@transaction.atomic
def sign_on_leave(*, user: User) -> None:
    """Separate the own account from the provider; it becomes a local account.

    Raises: ServiceError if its owner could not log in any more.
    """
    if not can_log_in_locally(user):
        raise ServiceError(_("You could not log in with a password. Ask an admin."))
    _separate(user, user)


@transaction.atomic
def user_separate(*, user: User, by: User | None) -> None:
    """Separate a user's account from the provider, as an admin. Sessions and API tokens end."""
    _separate(user, by)
    user.session_epoch += 1
    user.save(update_fields=["session_epoch"])
    tokens_end(user=user, by=by)


def _separate(user: User, by: User | None) -> None:
    SocialAccount.objects.filter(user=user).delete()
    user.signed_on_at = None
    user.save(update_fields=["signed_on_at"])
    audit_record(user=by, action="leave sign-on", subject=user)


def is_same_person(*, user: User, claims: Claims, sign_on: SignOn) -> bool:
    """Return True if the claims are about this user."""
    account = _account(sign_on.issuer, str(claims["sub"]))
    return account is not None and account.user_id == user.pk


def sign_on_refused(*, user: User | None, refusal: SignOnRefused) -> bool:
    """Record a refused sign-on. Return False if there were too many: the log alone has it."""
    address, username = current_address(), user.username if user else BENCHLAB
    if is_refusal_throttled(username=username, address=address):
        log.warning("refused a sign-on from %s: %s", address, refusal.reason)
        return False
    audit_record(
        user=user,
        action=REFUSED_SIGN_ON,
        subject="user",
        reason=refusal.reason,
        detail=refusal.detail,
    )
    return True


@transaction.atomic
def provider_logout(*, claims: Claims, sign_on: SignOn) -> int:
    """End all sessions of the person of a verified logout token. Return the number of users.

    The epoch ends sessions, not API tokens, which end BENCHLAB_OIDC_TOKEN_DAYS after the sign-on.
    """
    users = User.objects.none()
    if subject := claims.get("sub"):
        accounts = SocialAccount.objects.filter(provider=sign_on.issuer, uid=subject)
        users = User.objects.filter(pk__in=accounts.values("user"))
    elif sid := claims.get("sid"):
        sessions = Session.objects.filter(provider_session=str(sid))
        users = User.objects.filter(pk__in=sessions.values("user"))
    people = list(users.select_for_update(of=("self",)).order_by("pk"))
    for user in people:
        user.session_epoch += 1
        user.save(update_fields=["session_epoch"])
        Session.objects.filter(user=user).delete()
        audit_record(user=None, action="log out at the provider", subject=user)
    return len(people)


def tokens_have_ended(user: User) -> bool:
    """Return True if the user's last sign-on is too old for API tokens."""
    if user.signed_on_at is None:
        return False
    return user.signed_on_at < timezone.now() - timedelta(days=settings.BENCHLAB_OIDC_TOKEN_DAYS)


def _account(issuer: str, subject: str) -> SocialAccount | None:
    rows = SocialAccount.objects.select_related("user").filter(provider=issuer, uid=subject)
    row: SocialAccount | None = rows.first()
    return row


def _new_user(claims: Claims) -> User:
    username = username_in(claims)
    if not is_text(username):
        raise SignOnRefused("username")
    if User.objects.filter(username__iexact=username).exists():
        raise SignOnRefused("taken", username)
    user = User(username=username, role=Role.VIEWER)
    if claims.get("email_verified") is True and isinstance(claims.get("email"), str):
        user.email = claims["email"]
    user.set_unusable_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise SignOnRefused("username", username) from error
    user.save()
    audit_record(user=None, action="create", subject=user, role=user.role)
    names_touch()
    return user


def _grant(user: User, grant: Grant) -> None:
    before = (user.role, _team_names(user))
    user.role = _permitted_role(user, grant.role) or user.role
    user.signed_on_at = timezone.now()
    user.save(update_fields=["role", "signed_on_at"])
    if grant.teams is not None:
        user.teams.set([_team(name) for name in grant.teams])
    after = (user.role, _team_names(user))
    if before != after:
        audit_record(
            user=None, action="change", subject=user, role=after[0], teams=after[1], by_groups=True
        )
        names_touch()


def _permitted_role(user: User, role: str | None) -> str | None:
    """Return the granted role; that of an admin for the last active admin, with an audit entry."""
    if role is None or role == Role.ADMIN or user.role != Role.ADMIN or not is_last_admin(user):
        return role
    audit_record(user=None, action=LAST_ADMIN_STAYS, subject=user, role_of_groups=role)
    return user.role


def _team(name: str) -> Team:
    team, is_new = Team.objects.get_or_create(name=name)
    if is_new:
        audit_record(user=None, action="create", subject=team, by_groups=True)
    return team


def _team_names(user: User) -> list[str]:
    return sorted(user.teams.values_list("name", flat=True))


def _remember(account: SocialAccount, subject: str, groups: list[str] | None) -> None:
    """Store issuer, subject and groups; the other claims are not stored."""
    account.extra_data = {"iss": account.provider, "sub": subject, "groups": groups or []}
    account.save()
