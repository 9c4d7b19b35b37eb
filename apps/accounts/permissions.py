"""Rights: everybody logged in sees everything; changing takes a role and, for owned rows,
being its owner.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from apps.accounts.models import AnyUser, Role, User

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


class Editable(Protocol):
    """A row that knows who may change it."""

    def is_editable(self, user: AnyUser) -> bool: ...


def user_of(request: HttpRequest | Request) -> User:
    """Whoever sent a request that only people with an account may send (LoginRequiredMiddleware,
    RolePermission).
    """
    assert isinstance(request.user, User)
    return request.user


class RolePermission(BasePermission):
    """The API's default. A view names the role that may write as `write_role` (operator when it
    says nothing), an action another one in `action_roles`; a row with `is_editable` is asked as
    well, unless the action is in `role_only_actions` (enrolling a disk takes a role, not an
    admin).
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        user = request.user
        if not isinstance(user, User) or not user.is_active:
            return False
        if request.method in SAFE_METHODS:
            return True
        role = write_role(view)
        self.message = needs_role(role)
        return user.has_role(role)

    def has_object_permission(self, request: Request, view: Any, obj: Any) -> bool:
        if request.method in SAFE_METHODS or not hasattr(obj, "is_editable"):
            return True
        if getattr(view, "action", None) in getattr(view, "role_only_actions", ()):
            return True
        self.message = not_yours()
        return bool(obj.is_editable(request.user))


def write_role(view: Any) -> Role:
    """The role that a view's unsafe methods need."""
    roles: dict[str, Role] = getattr(view, "action_roles", {})
    default: Role = getattr(view, "write_role", Role.OPERATOR)
    return roles.get(getattr(view, "action", None) or "", default)


def role_required(role: Role) -> Callable[[Page[P]], Page[P]]:
    """For pages: others than `role` and above get the 403 page, which says which role is needed."""

    def decorate(page: Page[P]) -> Page[P]:
        @wraps(page)
        def checked(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not isinstance(request.user, User) or not request.user.has_role(role):
                raise PermissionDenied(needs_role(role))
            return page(request, *args, **kwargs)

        return cast("Page[P]", checked)

    return decorate


def require_role(user: AnyUser, role: Role) -> None:
    """For services, which commands and other apps call without a view: raises PermissionDenied,
    which says which role is needed.
    """
    if not isinstance(user, User) or not user.has_role(role):
        raise PermissionDenied(needs_role(role))


def require_editable(row: Editable, user: AnyUser) -> None:
    """For pages: raises PermissionDenied unless this user may change this row."""
    if not row.is_editable(user):
        raise PermissionDenied(not_yours())


def needs_role(role: Role) -> str:
    return _("This needs the role “%(role)s”. An admin can give it to you.") % {"role": role.label}


def not_yours() -> str:
    return _("Only its owner, the owner's team and admins may change this.")
