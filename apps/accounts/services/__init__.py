"""Services of accounts, one module per noun."""

from apps.accounts.services.audit import audit_record
from apps.accounts.services.people import (
    browser_preferences_save,
    first_admin_create,
    password_change,
    password_reset,
    preferences_save,
    team_delete,
    team_save,
    user_save,
)
from apps.accounts.services.saved_views import (
    default_view_set,
    saved_view_create,
    saved_view_delete,
)
from apps.accounts.services.throttling import (
    is_login_throttled,
    is_token_auth_throttled,
    login_failed,
    wrong_token_presented,
)
from apps.accounts.services.tokens import token_create, token_mark_used, token_revoke

__all__ = [
    "audit_record",
    "browser_preferences_save",
    "default_view_set",
    "first_admin_create",
    "is_login_throttled",
    "is_token_auth_throttled",
    "login_failed",
    "password_change",
    "password_reset",
    "preferences_save",
    "saved_view_create",
    "saved_view_delete",
    "team_delete",
    "team_save",
    "token_create",
    "token_mark_used",
    "token_revoke",
    "user_save",
    "wrong_token_presented",
]
