"""Scratch directories for tests of file systems."""

from __future__ import annotations

import posixpath

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import Role, Team, User
from apps.accounts.permissions import lock_editable, require_role
from apps.accounts.services import audit_record
from apps.common.errors import ServiceError, from_validation_error
from apps.common.services import names_touch
from apps.inventory.models import Directory, Host
from apps.inventory.services.owned_rows import (
    owned_delete,
    require_reachable,
    require_team,
)
from apps.remote.agent.targets.allowed_paths import FORBIDDEN, PARENTS, is_below


@transaction.atomic
def directory_create(*, host: Host, path: str, user: User, team: Team | None = None) -> Directory:
    """Create a scratch directory; tests use its subfolder `benchlab` only.

    Raises: ServiceError (400) for a path that is not absolute, contains "..", or belongs to the
    system, 409 for a host of the archive.
    """
    require_role(user, Role.OPERATOR)
    require_reachable(host)
    directory = Directory(host=host, path=_checked(path), owner=user)
    return _save(directory, user, "create", team)


@transaction.atomic
def directory_update(*, directory: Directory, user: User, team: Team | None) -> Directory:
    """Assign the directory to a team, or to its owner alone; its path cannot change."""
    directory = lock_editable(directory, user)
    return _save(directory, user, "change", team)


@transaction.atomic
def directory_delete(*, directory: Directory, user: User) -> None:
    """Delete the entry; nothing on the host is deleted.

    Raises: ServiceError while plans, runs or groups use it.
    """
    directory = lock_editable(directory, user)
    group = directory.groups.first()
    if group is not None:
        raise ServiceError(_("The group %(name)s has this directory.") % {"name": group.name})
    owned_delete(directory, user, in_use=_("Plans or runs use this directory, so it stays."))


def _save(directory: Directory, user: User, verb: str, team: Team | None) -> Directory:
    require_team(directory, user, team)
    directory.team = team
    try:
        directory.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    directory.save()
    audit_record(user=user, action=verb, subject=directory, team=team.name if team else None)
    names_touch()
    return directory


def _checked(path: str) -> str:
    path = path.strip()
    fault = ""
    if ".." in path.split("/") or not path.startswith("/"):
        fault = _("An absolute path that does not go upwards.")
    plain = posixpath.normpath("/" + path.lstrip("/"))
    if not fault and (plain in PARENTS or any(is_below(plain, top) for top in FORBIDDEN)):
        fault = _("This directory belongs to the system. Make one for tests, such as /srv/bench.")
    if fault:
        raise ServiceError(fault, {"path": fault}, status=400)
    return plain
