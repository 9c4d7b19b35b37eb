"""Saved views as a list shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest

from apps.accounts.models import SavedView, User
from apps.accounts.selectors import saved_views_of_list, teams_of
from apps.accounts.services.saved_views import query_without_position
from apps.common.domain.navigation import LISTS

ALL_ROWS = "?view=all"
"""Query that opens a list without the default view."""


@dataclass(frozen=True)
class SavedViews:
    """Menu of the saved views of a list.

    `query`: the present filter and order; `current`: the view that has it.
    """

    page: str
    query: str
    views: list[SavedView]
    teams: list[tuple[int, str]]
    current: SavedView | None

    @property
    def clear_url(self) -> str:
        return ALL_ROWS


def views_of_request(request: HttpRequest, user: User, page: str) -> list[SavedView]:
    """Return the user's views of the list; one query a request."""
    views: list[SavedView] | None = getattr(request, "saved_views", None)
    if views is None:
        views = list(saved_views_of_list(user, page))
        request.saved_views = views  # type: ignore[attr-defined] # read by the page after middleware
    return views


def saved_views(request: HttpRequest) -> Mapping[str, object]:
    """Return the menu of the request's list as context; empty for other pages."""
    user, match = getattr(request, "user", None), request.resolver_match
    page = match.url_name if match else ""
    if not isinstance(user, User) or page not in LISTS:
        return {}
    query = query_without_position(request.GET.urlencode())
    views = views_of_request(request, user, page)
    menu = SavedViews(
        page=page,
        query=query,
        views=views,
        teams=list(teams_of(user).values_list("pk", "name")) if query else [],
        current=next((view for view in views if view.query == query), None),
    )
    return {"saved_views": menu}
