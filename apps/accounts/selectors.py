"""Queries of users, teams and tokens."""

from __future__ import annotations

from allauth.mfa.app_settings import RECOVERY_CODE_COUNT
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.domain.sign_on import SignOnRefused, grant_of
from apps.accounts.models import (
    ApiToken,
    DefaultView,
    OwnedModel,
    Role,
    SavedView,
    Session,
    Team,
    User,
)


def tokens_of(user: User) -> QuerySet[ApiToken]:
    rows: QuerySet[ApiToken] = ApiToken.objects.filter(user=user).order_by("-created")
    return rows


def users_for_list() -> QuerySet[User]:
    """Return users with their teams and `has_factor`, the presence of a second factor."""
    factors = Authenticator.objects.filter(user=OuterRef("pk")).exclude(
        type=Authenticator.Type.RECOVERY_CODES
    )
    rows = User.objects.annotate(has_factor=Exists(factors))
    return rows.prefetch_related("teams")


def last_admin_beyond_groups() -> User | None:
    """Return the last active admin if the groups of the sign-on grant another role, else None."""
    admins = list(User.objects.filter(role=Role.ADMIN, is_active=True)[:2])
    if settings.OIDC is None or len(admins) != 1:
        return None
    account = SocialAccount.objects.filter(user=admins[0], provider=settings.OIDC.issuer).first()
    if account is None:
        return None
    try:
        role = grant_of(account.extra_data.get("groups"), settings.OIDC).role
    except SignOnRefused:
        return admins[0]
    return None if role in (None, Role.ADMIN) else admins[0]


def teams_with_members() -> QuerySet[Team]:
    return Team.objects.annotate(member_count=Count("members")).order_by("name")


def teams_of(user: User, now: Team | None = None) -> QuerySet[Team]:
    """Return the teams that a user may choose, and the row's present team `now`."""
    if user.is_admin:
        return Team.objects.all()
    return Team.objects.filter(Q(members=user) | Q(pk=now.pk if now else None)).distinct()


def team_fault(team: Team | None, user: User, row: OwnedModel | None = None) -> str:
    """Return why a user may not assign a team; empty if they may.

    `row`: the row with its present team, which only its owner and admins change.
    """
    if row is not None and row.pk is not None:
        if team == row.team:
            return ""
        if not (user.is_admin or row.owner_id == user.pk):
            return _("Only its owner and admins change the team.")
    if team is None or teams_of(user).filter(pk=team.pk).exists():
        return ""
    return _("Choose one of your own teams.")


def saved_views_of(user: User) -> QuerySet[SavedView]:
    """Return the views that a user may open: own ones and those of the user's teams."""
    teams = Team.objects.filter(members=user).order_by().values("pk")
    return SavedView.objects.filter(Q(owner=user) | Q(team__in=teams))


def saved_views_of_list(user: User, page: str) -> QuerySet[SavedView]:
    """Return the user's views of a list with their team and `is_default`."""
    defaults = DefaultView.objects.filter(user=user, page=page, view=OuterRef("pk"))
    rows = saved_views_of(user).filter(page=page).select_related("team")
    return rows.annotate(is_default=Exists(defaults))


def sessions_of(user: User) -> QuerySet[Session]:
    """Return the user's logins that are valid, the newest first."""
    rows = Session.objects.filter(user=user, expire_date__gt=timezone.now())
    return rows.filter(reference__isnull=False).order_by("-since", "session_key")


def second_factors_of(user: User) -> list[Authenticator]:
    """Return the user's app and passkeys, the oldest first."""
    return list(_second_factors(user).order_by("created_at", "pk"))


def has_second_factor(user: User) -> bool:
    """Return True if a login with the password needs a second factor."""
    return _second_factors(user).exists()


def recovery_codes_left(user: User) -> int:
    """Return the number of recovery codes that the user has not used."""
    rows = Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES)
    row = rows.first()
    if row is None:
        return 0
    return int(RECOVERY_CODE_COUNT) - int(row.data.get("used_mask", 0)).bit_count()


def has_passkey(user: User) -> bool:
    """Return True if the user has a passkey."""
    return _second_factors(user).filter(type=Authenticator.Type.WEBAUTHN).exists()


def is_second_factor_required(user: User) -> bool:
    """Return True if BENCHLAB_MFA asks this user for a second factor.

    The provider is responsible for those who come through it.
    """
    return not is_confirmed_by_provider(user) and _is_meant(settings.BENCHLAB_MFA, user)


def is_confirmed_by_provider(user: User) -> bool:
    """Return True if the provider confirms this user's identity."""
    return user.is_external and settings.OIDC is not None


def is_password_login_permitted(user: User) -> bool:
    """Return True if BENCHLAB_PASSWORD_LOGIN permits this user to log in with a password."""
    return _is_meant(settings.BENCHLAB_PASSWORD_LOGIN, user)


def can_log_in_locally(user: User) -> bool:
    """Return True if the user could log in with a password after leaving the provider."""
    return user.has_usable_password() and is_password_login_permitted(user)


def _is_meant(who: str, user: User) -> bool:
    return who == "everybody" or (who == "admins" and user.is_admin)


def _second_factors(user: User) -> QuerySet[Authenticator]:
    rows: QuerySet[Authenticator] = Authenticator.objects.filter(user=user)
    return rows.exclude(type=Authenticator.Type.RECOVERY_CODES)
