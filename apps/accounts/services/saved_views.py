"""Saved views of lists."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.accounts.models import DefaultView, SavedView, Team, User
from apps.accounts.permissions import require_editable
from apps.accounts.selectors import team_fault
from apps.common.domain.navigation import LISTS
from apps.common.errors import ServiceError, from_validation_error

POSITIONS = ("before", "after", "view")
MAX_VIEWS = 200
"""Limit of the views of one user."""


@transaction.atomic
def saved_view_create(
    *, user: User, page: str, name: str, query: str, team: Team | None, is_default: bool
) -> SavedView:
    """Save the query of a list under a name.

    Raises: ServiceError for an unknown list, a query without a filter or order, an existing name,
    a foreign team, and too many views.
    """
    view = SavedView(owner=user, page=page, name=name, query=query_without_position(query))
    view.team = team
    _check(view, user)
    try:
        view.full_clean()
    except ValidationError as error:
        raise from_validation_error(error) from error
    view.save()
    if is_default:
        default_view_set(user=user, view=view, is_default=True)
    return view


@transaction.atomic
def saved_view_delete(*, view: SavedView, user: User) -> None:
    """Delete an own view. Raises: PermissionDenied for the view of another user."""
    require_editable(view, user)
    view.delete()


@transaction.atomic
def default_view_set(*, user: User, view: SavedView, is_default: bool) -> None:
    """Open the list with this view for the user, or with all rows."""
    if is_default:
        DefaultView.objects.update_or_create(user=user, page=view.page, defaults={"view": view})
    else:
        DefaultView.objects.filter(user=user, view=view).delete()


def query_without_position(query: str) -> str:
    """Return the query of a list's first page, without empty parameters."""
    result = QueryDict(mutable=True)
    for name, values in QueryDict(query.removeprefix("?")).lists():
        if name not in POSITIONS and any(values):
            result.setlist(name, [value for value in values if value])
    return result.urlencode()


def _check(view: SavedView, user: User) -> None:
    if view.page not in LISTS:
        raise ServiceError(_("There is no such list."))
    if not view.query:
        raise ServiceError(_("Filter or sort the list first; a view stores that."))
    if fault := team_fault(view.team, user):
        raise ServiceError(fault, {"team": fault})
    if SavedView.objects.filter(owner=user).count() >= MAX_VIEWS:
        raise ServiceError(_("You have 200 views. Delete one first."))
