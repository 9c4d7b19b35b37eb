"""Saved views of lists."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.accounts.forms import SavedViewForm
from apps.accounts.permissions import user_of
from apps.accounts.presenters.saved_views import ALL_ROWS
from apps.accounts.selectors import saved_views_of
from apps.accounts.services import default_view_set, saved_view_create, saved_view_delete
from apps.common.domain.navigation import LISTS
from apps.common.forms import made


@require_POST
def saved_view_add(request: HttpRequest) -> HttpResponse:
    """Save the view of a list; without success show the form with its errors."""
    user = user_of(request)
    form = SavedViewForm(request.POST, user=user)
    if view := made(form, lambda: saved_view_create(user=user, **form.cleaned_data)):
        messages.success(request, _("The view “%(name)s” is saved.") % {"name": view.name})
        return redirect(f"{reverse(view.page)}?{view.query}")
    page = request.POST.get("page")
    back = reverse(page if page in LISTS else "home")
    context = {"form": form, "back": back}
    return render(request, "accounts/saved_view_form.html", context, status=400)


@require_POST
def saved_view_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    view = get_object_or_404(saved_views_of(user), pk=pk)
    saved_view_delete(view=view, user=user)
    messages.success(request, _("The view “%(name)s” is deleted.") % {"name": view.name})
    return redirect(reverse(view.page) + ALL_ROWS)


@require_POST
def saved_view_default(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the list with this view (`default=1`), or with all rows."""
    user = user_of(request)
    view = get_object_or_404(saved_views_of(user), pk=pk)
    default_view_set(user=user, view=view, is_default=request.POST.get("default") == "1")
    return redirect(f"{reverse(view.page)}?{view.query}")
