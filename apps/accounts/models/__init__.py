"""Users with a role, teams, saved views, API tokens, sessions, and the audit log."""

from apps.accounts.models.audit import AuditEntry
from apps.accounts.models.logins import ApiToken, Session
from apps.accounts.models.owned import OwnedModel
from apps.accounts.models.people import RANK, SESSION_SALT, AnyUser, Role, Team, User
from apps.accounts.models.saved_views import DefaultView, SavedView

__all__ = [
    "RANK",
    "SESSION_SALT",
    "AnyUser",
    "ApiToken",
    "AuditEntry",
    "DefaultView",
    "OwnedModel",
    "Role",
    "SavedView",
    "Session",
    "Team",
    "User",
]
