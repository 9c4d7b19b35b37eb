"""URLs of login, own account, and administration."""

from __future__ import annotations

from django.urls import path

from apps.accounts import views
from apps.accounts.views import login_code, logins, saved_views, second_factor, sign_on

urlpatterns = [
    path("login/", views.Login.as_view(), name="login"),
    path("logout/", views.Logout.as_view(), name="logout"),
    path("login/code/", login_code.login_code, name="login_code"),
    path("login/sign-on/", sign_on.sign_on, name="sign_on"),
    path("login/sign-on/callback/", sign_on.sign_on_callback, name="sign_on_callback"),
    path("login/sign-on/confirm/", sign_on.sign_on_confirm, name="sign_on_confirm"),
    path("login/sign-on/logout/", sign_on.provider_logout_endpoint, name="provider_logout"),
    path("account/second-factor/", second_factor.second_factor_list, name="second_factor_list"),
    path("account/second-factor/app/", second_factor.totp_add, name="totp_add"),
    path("account/second-factor/passkey/", second_factor.passkey_add_page, name="passkey_add"),
    path(
        "account/second-factor/recovery-codes/",
        second_factor.recovery_codes_page,
        name="recovery_codes_renew",
    ),
    path(
        "account/second-factor/<int:pk>/remove/",
        second_factor.second_factor_remove_page,
        name="second_factor_remove",
    ),
    path("account/sign-on/join/", sign_on.sign_on_join_page, name="sign_on_join"),
    path("account/sign-on/leave/", sign_on.sign_on_leave_page, name="sign_on_leave"),
    path("account/logins/", logins.login_list, name="login_list"),
    path("account/logins/<uuid:reference>/end/", logins.login_end, name="login_end"),
    path("account/logins/end-others/", logins.logins_end_others, name="logins_end_others"),
    path("account/password/", views.PasswordChange.as_view(), name="password_change"),
    path("account/preferences/", views.preferences, name="preferences"),
    path("tokens/", views.token_list, name="token_list"),
    path("tokens/<uuid:reference>/revoke/", views.token_revoke_page, name="token_revoke"),
    path("users/", views.user_list, name="user_list"),
    path("users/add/", views.user_add, name="user_add"),
    path("users/<int:pk>/", views.user_edit, name="user_edit"),
    path("users/<int:pk>/end-logins/", logins.user_logins_end, name="user_logins_end"),
    path("users/<int:pk>/separate/", logins.user_separate_page, name="user_separate"),
    path(
        "users/<int:pk>/reset-second-factor/",
        logins.user_second_factor_reset,
        name="user_second_factor_reset",
    ),
    path("teams/", views.team_list, name="team_list"),
    path("teams/add/", views.team_add, name="team_add"),
    path("teams/<int:pk>/", views.team_edit, name="team_edit"),
    path("teams/<int:pk>/delete/", views.team_delete_page, name="team_delete"),
    path("saved-views/add/", saved_views.saved_view_add, name="saved_view_add"),
    path(
        "saved-views/<int:pk>/delete/", saved_views.saved_view_delete_page, name="saved_view_delete"
    ),
    path(
        "saved-views/<int:pk>/default/", saved_views.saved_view_default, name="saved_view_default"
    ),
    path("audit/", views.audit_list, name="audit_list"),
]
