"""Create and change users and teams, and end access."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.services.audit import audit_record
from apps.accounts.services.last_admin import is_last_admin
from apps.accounts.services.tokens import tokens_end
from apps.common.domain.preferences import Preferences, zones
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import names_touch


@transaction.atomic
def first_admin_create(*, username: str, password: str) -> tuple[User, bool]:
    """Create the first admin unless one exists. Return the admin, and True if created."""
    admin = User.objects.filter(role=Role.ADMIN, is_active=True).order_by("pk").first()
    if admin is not None:
        return admin, False
    admin = User(username=username, role=Role.ADMIN)
    admin.set_password(password)
    admin.full_clean()
    admin.save()
    audit_record(user=None, action="create", subject=admin)
    return admin, True


def browser_preferences_save(*, user: User, language: str, time_zone: str) -> None:
    """Store what the browser of a first login tells; an unknown zone leaves UTC."""
    user.language = language
    if time_zone in zones():
        user.time_zone = time_zone
    user.save(update_fields=["language", "time_zone"])


def preferences_save(*, user: User, wanted: Preferences) -> None:
    """Store the preferences of a user's pages. Raises: ServiceError."""
    user.units, user.time_zone, user.density = wanted.units, wanted.time_zone, wanted.density
    user.language = wanted.language
    if wanted.time_zone not in zones():
        words = _("There is no such time zone.")
        raise ServiceError(words, {"time_zone": words}, status=400)
    user.save(update_fields=["units", "time_zone", "density", "language"])


@transaction.atomic
def user_save(*, user: User, by: User, teams: Iterable[Team], password: str = "") -> User:
    """Create or change a user. An empty `password` keeps the present one.

    A new password and deactivation revoke the user's sessions and API tokens. Raises: ServiceError,
    also if no admin would remain.
    """
    is_new = user.pk is None
    _keep_one_admin(user)
    ends = _loses_access(user, password)
    if password:
        user.set_password(password)
    elif is_new:
        user.set_unusable_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        raise from_validation_error(error) from error
    if ends:
        _end_access(user, by)
    user.save()
    user.teams.set(teams)
    audit_record(
        user=by,
        action="create" if is_new else "change",
        subject=user,
        role=user.role,
        active=user.is_active,
        teams=sorted(team.name for team in teams),
        new_password=bool(password),
    )
    names_touch()
    return user


@transaction.atomic
def password_reset(*, user: User, password: str, by: User | None = None) -> None:
    """Set another user's password; their sessions and API tokens end."""
    user.set_password(password)
    _end_access(user, by)
    user.save(update_fields=["password", "session_epoch"])
    audit_record(user=by, action="reset password", subject=user)


@transaction.atomic
def password_change(*, user: User, password: str, end_tokens: bool) -> None:
    """Set the user's own password.

    Sessions opened with the old password end, because their hashes depend on it; API tokens end if
    `end_tokens`.
    """
    user.set_password(password)
    user.save(update_fields=["password"])
    ended = tokens_end(user=user, by=user) if end_tokens else 0
    audit_record(user=user, action="change password", subject=user, tokens_revoked=ended)


def _loses_access(user: User, password: str) -> bool:
    before = User.objects.select_for_update().filter(pk=user.pk).first()
    if before is None:
        return False
    return bool(password) or (before.is_active and not user.is_active)


def _end_access(user: User, by: User | None) -> None:
    """Revoke sessions and API tokens. Sessions of an earlier epoch stay invalid for ever."""
    user.session_epoch += 1
    tokens_end(user=user, by=by)


def _keep_one_admin(user: User) -> None:
    stays_admin = user.role == Role.ADMIN and user.is_active
    if user.pk is None or stays_admin:
        return
    if is_last_admin(user):
        raise ServiceError(
            _("This is the last admin. Make another user an admin first."),
            {"role": _("benchlab needs an admin.")},
        )


@transaction.atomic
def team_save(*, team: Team, by: User) -> Team:
    """Create or rename a team. Raises: ServiceError for an existing name."""
    is_new = team.pk is None
    try:
        team.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    team.save()
    audit_record(user=by, action="create" if is_new else "change", subject=team)
    names_touch()
    return team


@transaction.atomic
def team_delete(*, team: Team, by: User) -> None:
    """Delete a team; its rows stay with their owners.

    Raises: ServiceError while rows protect it, such as approval policies for its runs.
    """
    audit_record(user=by, action="delete", subject=team)
    try:
        team.delete()
    except ProtectedError as error:
        names = ", ".join(sorted(map(str, error.protected_objects)))
        text = _("Approval policies are for the runs of this team: %(names)s. Delete them first.")
        raise ServiceError(text % {"names": names}) from error
    names_touch()
