"""Forms of accounts, one module a subject."""

from apps.accounts.forms.login import (
    ConfirmForm,
    LoginForm,
    OwnPasswordForm,
    PasskeyForm,
    SecondStepForm,
    TotpForm,
)
from apps.accounts.forms.people import (
    PreferencesForm,
    SavedViewForm,
    TeamForm,
    UserForm,
    team_field,
)
from apps.accounts.forms.tokens import TokenForm

__all__ = [
    "ConfirmForm",
    "LoginForm",
    "OwnPasswordForm",
    "PasskeyForm",
    "PreferencesForm",
    "SavedViewForm",
    "SecondStepForm",
    "TeamForm",
    "TokenForm",
    "TotpForm",
    "UserForm",
    "team_field",
]
