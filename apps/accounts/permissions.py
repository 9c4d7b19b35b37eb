"""Permissions: every user reads everything; a change requires a role and often ownership."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from apps.accounts.fresh_login import has_wipe_right, needs_wipe_right
from apps.accounts.models import AnyUser, OwnedModel, Role, User

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


AnyRow = TypeVar("AnyRow", bound=OwnedModel)


class Editable(Protocol):
    """Row that decides who may change it."""

    def is_editable(self, user: AnyUser) -> bool: ...


def user_of(request: HttpRequest | Request) -> User:
    """Return the user of a request that requires a login."""
    assert isinstance(request.user, User)
    return request.user


class RolePermission(BasePermission):
    """Default permission of the API.

    A view names the role for writing as `write_role` (default: operator), or one per action in
    `action_roles`. A row's `is_editable` is checked as well, except for `role_only_actions`
    (enrolling a disk requires a role, not an admin). `fresh_actions` need a fresh login, or a
    token that may wipe.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        user = request.user
        if not isinstance(user, User) or not user.is_active:
            return False
        if request.method in SAFE_METHODS:
            return True
        role = write_role(view)
        if not user.has_role(role):
            self.message = needs_role(role)
            return False
        self.message = needs_wipe_right()
        is_fresh_action = getattr(view, "action", None) in getattr(view, "fresh_actions", ())
        return not is_fresh_action or has_wipe_right(request)

    def has_object_permission(self, request: Request, view: Any, obj: Any) -> bool:
        if request.method in SAFE_METHODS or not hasattr(obj, "is_editable"):
            return True
        if getattr(view, "action", None) in getattr(view, "role_only_actions", ()):
            return True
        self.message = not_yours()
        return bool(obj.is_editable(request.user))


def write_role(view: Any) -> Role:
    """Return the role that a view's unsafe methods require."""
    roles: dict[str, Role] = getattr(view, "action_roles", {})
    default: Role = getattr(view, "write_role", Role.OPERATOR)
    return roles.get(getattr(view, "action", None) or "", default)


def role_required(role: Role) -> Callable[[Page[P]], Page[P]]:
    """Restrict a page to `role` and above; others get the 403 page, which names the role."""

    def decorate(page: Page[P]) -> Page[P]:
        @wraps(page)
        def checked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not isinstance(request.user, User) or not request.user.has_role(role):
                raise PermissionDenied(needs_role(role))
            return page(request, *args, **kwargs)

        return cast("Page[P]", checked)

    return decorate


def require_role(user: AnyUser, role: Role) -> None:
    """Raise PermissionDenied, which names the required role, unless the user has it."""
    if not isinstance(user, User) or not user.has_role(role):
        raise PermissionDenied(needs_role(role))


def require_editable(row: Editable, user: AnyUser) -> None:
    """Raise PermissionDenied unless the user may change the row."""
    if not row.is_editable(user):
        raise PermissionDenied(not_yours())


def lock_editable(row: AnyRow, user: AnyUser) -> AnyRow:
    """Return the row, locked until the transaction ends, for a change by this user.

    Services check the locked row: owner and team may have changed since the caller read it.
    Raises: PermissionDenied for viewers and for users who may not change the row.
    """
    require_role(user, Role.OPERATOR)
    locked = type(row)._default_manager.select_for_update(of=("self",)).get(pk=row.pk)
    require_editable(locked, user)
    return locked


def needs_role(role: Role) -> str:
    return _("This needs the role “%(role)s”. An admin can give it to you.") % {"role": role.label}


def not_yours() -> str:
    return _("Only its owner, the owner's team and admins may change this.")
