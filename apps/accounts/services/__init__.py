"""Services of accounts, one module per noun."""

from apps.accounts.services.audit import audit_record, refusal_record
from apps.accounts.services.logins import (
    other_sessions_end,
    session_confirm,
    session_end,
    session_open,
    user_sessions_end,
)
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
from apps.accounts.services.second_factor import (
    code_verify,
    passkey_add,
    passkey_mark_used,
    recovery_codes_renew,
    second_factor_reencrypt,
    second_factor_remove,
    second_factors_reset,
    totp_activate,
)
from apps.accounts.services.sign_on import (
    is_same_person,
    provider_logout,
    sign_on_join,
    sign_on_leave,
    sign_on_refused,
    signed_on,
    tokens_have_ended,
    user_separate,
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
    "code_verify",
    "default_view_set",
    "first_admin_create",
    "is_login_throttled",
    "is_same_person",
    "is_token_auth_throttled",
    "login_failed",
    "other_sessions_end",
    "passkey_add",
    "passkey_mark_used",
    "password_change",
    "password_reset",
    "preferences_save",
    "provider_logout",
    "recovery_codes_renew",
    "refusal_record",
    "saved_view_create",
    "saved_view_delete",
    "second_factor_reencrypt",
    "second_factor_remove",
    "second_factors_reset",
    "session_confirm",
    "session_end",
    "session_open",
    "sign_on_join",
    "sign_on_leave",
    "sign_on_refused",
    "signed_on",
    "team_delete",
    "team_save",
    "token_create",
    "token_mark_used",
    "token_revoke",
    "tokens_have_ended",
    "totp_activate",
    "user_save",
    "user_separate",
    "user_sessions_end",
    "wrong_token_presented",
]
