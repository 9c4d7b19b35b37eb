"""Pages of accounts."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import translation
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.filters import AUDIT_COLUMNS, TEAM_COLUMNS, USER_COLUMNS, AuditFilter
from apps.accounts.forms import (
    LoginForm,
    OwnPasswordForm,
    PreferencesForm,
    TeamForm,
    TokenForm,
    UserForm,
)
from apps.accounts.models import ApiToken, AuditEntry, Role, Team, User
from apps.accounts.oidc.provider import away_since
from apps.accounts.permissions import require_editable, role_required, user_of
from apps.accounts.presenters.audit import AuditRow
from apps.accounts.selectors import has_second_factor, teams_with_members, tokens_of, users_for_list
from apps.accounts.services import (
    browser_preferences_save,
    password_change,
    preferences_save,
    session_open,
    team_delete,
    team_save,
    token_create,
    token_revoke,
    user_save,
)
from apps.accounts.trusted_browsers import trust_browser
from apps.accounts.views.fresh_login import fresh_login_required
from apps.accounts.views.login_code import login_wait
from apps.common.domain.preferences import Preferences
from apps.common.errors import ServiceError
from apps.common.forms import Context, made
from apps.common.web.lists import list_page


class Login(LoginView):
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> Context:
        sign_on: SignOn | None = settings.OIDC
        return super().get_context_data(
            **kwargs,
            sign_on=sign_on,
            away_since=away_since() if sign_on else "",
            password_login=settings.BENCHLAB_PASSWORD_LOGIN,
        )

    def form_valid(self, form: Any) -> HttpResponse:
        user: User = form.get_user()
        if user.last_login is None:
            language = get_language_from_request(self.request)
            browser_preferences_save(
                user=user, language=language, time_zone=form.cleaned_data["time_zone"]
            )
        if has_second_factor(user):
            return login_wait(self.request, user, self.get_success_url())
        session_open(request=self.request, user=user, fresh_at=time.time())
        response = redirect(self.get_success_url())
        trust_browser(self.request, response, user.username)
        return response


class Logout(LogoutView):
    """Log out; the browser forgets pages that it stored (ended runs, with an ETag)."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().dispatch(request, *args, **kwargs)
        if request.method == "POST":
            response.headers["Clear-Site-Data"] = '"cache"'
        return response


class PasswordChange(PasswordChangeView):
    template_name = "accounts/own_form.html"
    form_class = OwnPasswordForm
    success_url = reverse_lazy("token_list")

    def get_context_data(self, **kwargs: Any) -> Context:
        words = {"title": _("Password"), "button": _("Change the password")}
        return super().get_context_data(**kwargs, **words, tabs=account_tabs(self.request))

    def form_valid(self, form: Any) -> HttpResponse:
        data = form.cleaned_data
        user = user_of(self.request)
        password_change(user=user, password=data["new_password1"], end_tokens=data["end_tokens"])
        update_session_auth_hash(self.request, user)
        text = _("The new password is in use from now on. Everywhere else you are logged out.")
        messages.success(self.request, text)
        return redirect(self.get_success_url())


def preferences(request: HttpRequest) -> HttpResponse:
    """Change language, units, time zone and table density."""
    user = user_of(request)
    form = PreferencesForm(request.POST or None, initial=asdict(user.preferences))
    if request.method == "POST" and form.is_valid():
        preferences_save(user=user, wanted=Preferences(**form.cleaned_data))
        translation.activate(form.cleaned_data["language"] or get_language_from_request(request))
        messages.success(request, _("Pages are shown like that from now on."))
        return redirect("preferences")
    words = {"title": _("Preferences"), "button": _("Save")}
    context = {"form": form, "tabs": account_tabs(request)} | words
    status = 400 if form.errors else 200
    return render(request, "accounts/own_form.html", context, status=status)


def account_tabs(request: HttpRequest) -> list[tuple[str, str, None]]:
    """Return the tabs: own pages, and those of admins."""
    names = [
        ("preferences", _("Preferences")),
        ("token_list", _("API tokens")),
        ("password_change", _("Password")),
        ("second_factor_list", _("Second factor")),
        ("login_list", _("Logins")),
    ]
    if user_of(request).is_admin:
        names += [
            ("user_list", _("Users")),
            ("team_list", _("Teams")),
            ("key_list", _("SSH keys")),
            ("audit_list", _("Audit record")),
        ]
    return [(reverse(name), label, None) for name, label in names]


@never_cache
@fresh_login_required()
def token_list(request: HttpRequest) -> HttpResponse:
    """List and create tokens.

    The response to the POST contains the new token's secret, which is stored nowhere.
    """
    user = user_of(request)
    form = TokenForm(request.POST or None, user=user)
    secret = ""
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        _token, secret = token_create(
            user=user,
            name=wanted["name"],
            read_only=wanted["read_only"],
            scope=wanted.get("scope", ApiToken.Scope.API),
            may_wipe=wanted["may_wipe"],
            days=wanted["days"],
        )
        form = TokenForm(user=user)
    context = {
        "form": form,
        "secret": secret,
        "tokens": list(tokens_of(user)),
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/token_list.html", context)


@require_POST
def token_revoke_page(request: HttpRequest, reference: str) -> HttpResponse:
    token = get_object_or_404(ApiToken.objects.select_related("user"), reference=reference)
    require_editable(token, request.user)
    user = user_of(request)
    own = token.user_id == user.pk
    token_revoke(token=token, by=user)
    messages.success(
        request, _("The token “%(name)s” opens nothing any more.") % {"name": token.name}
    )
    return redirect("token_list") if own else redirect("user_edit", pk=token.user_id)


@require_safe
@role_required(Role.ADMIN)
def user_list(request: HttpRequest) -> HttpResponse:
    page = list_page(users_for_list(), request, USER_COLUMNS, default="username")
    context = {"page": page, "tabs": account_tabs(request)}
    return render(request, "accounts/user_list.html", context)


@role_required(Role.ADMIN)
@fresh_login_required()
def user_add(request: HttpRequest) -> HttpResponse:
    return _user_form(request, User())


@role_required(Role.ADMIN)
@fresh_login_required()
def user_edit(request: HttpRequest, pk: int) -> HttpResponse:
    return _user_form(request, get_object_or_404(User, pk=pk))


def _user_form(request: HttpRequest, person: User) -> HttpResponse:
    form = UserForm(request.POST or None, instance=person)

    def save() -> User:
        data = form.cleaned_data
        return user_save(
            user=form.instance,
            by=user_of(request),
            teams=data["teams"],
            password=data["new_password"],
        )

    if made(form, save):
        if person == request.user:
            update_session_auth_hash(request, person)
        messages.success(request, _("%(name)s is saved.") % {"name": person.username})
        return redirect("user_list")
    tokens = list(tokens_of(person)) if person.pk else []
    context = {"form": form, "person": person, "tokens": tokens, "tabs": account_tabs(request)}
    context["has_factor"] = bool(person.pk) and has_second_factor(person)
    return render(request, "accounts/user_form.html", context)


@require_safe
@role_required(Role.ADMIN)
def team_list(request: HttpRequest) -> HttpResponse:
    page = list_page(teams_with_members(), request, TEAM_COLUMNS, default="name")
    context = {"page": page, "tabs": account_tabs(request)}
    return render(request, "accounts/team_list.html", context)


@role_required(Role.ADMIN)
def team_add(request: HttpRequest) -> HttpResponse:
    return _team_form(request, Team())


def _changes_retention(request: HttpRequest) -> bool:
    match = request.resolver_match
    assert match is not None, "a view has a match"
    team = get_object_or_404(Team, pk=match.kwargs["pk"])
    return "raw_retention_months" in TeamForm(request.POST, instance=team).changed_data


@role_required(Role.ADMIN)
@fresh_login_required(when=_changes_retention)
def team_edit(request: HttpRequest, pk: int) -> HttpResponse:
    return _team_form(request, get_object_or_404(Team, pk=pk))


def _team_form(request: HttpRequest, team: Team) -> HttpResponse:
    form = TeamForm(request.POST or None, instance=team)
    if request.method == "POST" and form.is_valid():
        team_save(team=form.instance, by=user_of(request))
        messages.success(request, _("The team is saved."))
        return redirect("team_list")
    members = list(team.members.order_by("username")) if team.pk else []
    context = {"form": form, "team": team, "members": members, "tabs": account_tabs(request)}
    return render(request, "accounts/team_form.html", context)


@role_required(Role.ADMIN)
@require_POST
@fresh_login_required()
def team_delete_page(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        team_delete(team=get_object_or_404(Team, pk=pk), by=user_of(request))
    except ServiceError as error:
        messages.error(request, error.message)
        return redirect("team_edit", pk)
    messages.success(request, _("The team is gone; what it owned stays with its owners."))
    return redirect("team_list")


@require_safe
@role_required(Role.ADMIN)
def audit_list(request: HttpRequest) -> HttpResponse:
    result = AuditFilter(request.GET, queryset=AuditEntry.objects.all())
    page = list_page(result.qs, request, AUDIT_COLUMNS)
    context = {
        "filter": result,
        "page": page,
        "entries": [AuditRow(entry) for entry in page.rows],
        "tabs": account_tabs(request),
    }
    return render(request, "accounts/audit_list.html", context)
