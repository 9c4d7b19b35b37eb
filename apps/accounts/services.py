"""Writes about people: the audit record, users and teams, tokens."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext as _

from apps.accounts.models import ApiToken, AuditEntry, Role, Team, User
from apps.common.errors import Refused, refusal
from apps.common.request import current_address


def audit_record(
    *, user: User | None, verb: str, subject: models.Model | str, address: str = "", **detail: Any
) -> AuditEntry:
    """Remember one act. `subject` is the row it was done to, or a noun where there is no row.

    `address` is the caller's when it is not given; `detail` must be JSON and never holds a secret.
    """
    row = subject if isinstance(subject, models.Model) else None
    return AuditEntry.objects.create(
        user=user,
        username=user.username if user else "benchlab",
        address=address or current_address(),
        verb=verb,
        noun=row._meta.model_name or "" if row is not None else str(subject),
        noun_id=str(row.pk)[:64] if row is not None else "",
        label=str(row)[:200] if row is not None else "",
        detail=detail,
    )


@transaction.atomic
def first_admin_create(*, username: str, password: str) -> tuple[User, bool]:
    """The first admin, made only while no admin exists. Returns the admin and whether it was made
    now."""
    admin = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
    if admin is not None:
        return admin, False
    admin = User(username=username, role=Role.ADMIN, is_staff=True, is_superuser=True)
    admin.set_password(password)
    admin.full_clean()
    admin.save()
    audit_record(user=None, verb="create", subject=admin)
    return admin, True


@transaction.atomic
def user_save(*, user: User, by: User, teams: Iterable[Team], password: str = "") -> User:
    """Make or change a user. `password`: empty keeps the present one.

    An admin may use the administration pages, so the two flags Django has for that follow the role.
    Refuses to leave benchlab without an admin. Raises Refused.
    """
    is_new = user.pk is None
    _keep_one_admin(user)
    user.is_staff = user.is_superuser = user.role == Role.ADMIN
    if password:
        user.set_password(password)
    elif is_new:
        user.set_unusable_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise refusal(error) from error
    user.save()
    user.teams.set(teams)
    audit_record(
        user=by,
        verb="create" if is_new else "change",
        subject=user,
        role=user.role,
        active=user.is_active,
        teams=sorted(team.name for team in teams),
        new_password=bool(password),
    )
    return user


def _keep_one_admin(user: User) -> None:
    stays_admin = user.role == Role.ADMIN and user.is_active
    if user.pk is None or stays_admin:
        return
    admins = User.objects.select_for_update().filter(role=Role.ADMIN, is_active=True)
    if {row.pk for row in admins} == {user.pk}:
        raise Refused(
            _("This is the last admin. Make another user an admin first."),
            {"role": _("benchlab needs an admin.")},
        )


@transaction.atomic
def team_save(*, team: Team, by: User) -> Team:
    """Make or rename a team. Raises Refused for a name that is taken."""
    is_new = team.pk is None
    try:
        team.full_clean()
    except ValidationError as error:
        raise refusal(error) from error
    team.save()
    audit_record(user=by, verb="create" if is_new else "change", subject=team)
    return team


@transaction.atomic
def team_delete(*, team: Team, by: User) -> None:
    """What the team owned stays with its owner alone."""
    audit_record(user=by, verb="delete", subject=team)
    team.delete()


@transaction.atomic
def token_create(
    *, user: User, name: str, read_only: bool = False, days: int | None = None
) -> tuple[ApiToken, str]:
    """A new API token and its secret, which can never be shown again. `days` None: it does not
    expire."""
    expiry = timedelta(days=days) if days else None
    token, secret = ApiToken.objects.create(
        user=user, expiry=expiry, name=name, read_only=read_only
    )
    audit_record(user=user, verb="create", subject=token, read_only=read_only, days=days)
    return token, secret


@transaction.atomic
def token_revoke(*, token: ApiToken, by: User) -> None:
    """From now on the token opens nothing."""
    audit_record(user=by, verb="revoke", subject=token, owner=token.user.username)
    token.delete()
