"""Sentences for refused sign-ons, by the reason of `SignOnRefused`."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

MESSAGES: dict[str, str | Promise] = {
    "state": _("This sign-on was used already, is too old, or began in another browser."),
    "cancelled": _("The sign-on was cancelled at the provider."),
    "provider": _("The provider refused the sign-on."),
    "away": _("The provider does not answer. Try again later, or log in with a password."),
    "code": _("The provider did not accept the code of this sign-on."),
    "token": _("The provider's token is not valid: wrong signature, issuer, audience or time."),
    "clock": _("The clocks of the provider and of benchlab differ by more than 60 s."),
    "subject": _("The provider answered for another person."),
    "stale": _("The provider did not check your identity again. Log in there once more."),
    "acr": _("The provider did not authenticate you in the way that an admin requires."),
    "no_groups": _(
        "The provider sent no groups. An admin checks BENCHLAB_OIDC_GROUPS_CLAIM and the client "
        "at the provider."
    ),
    "no_role": _("None of your groups may use benchlab. Ask an admin of the provider."),
    "bad_groups": _("The groups in BENCHLAB_OIDC_GROUPS_CLAIM are not a list of names."),
    "too_many_groups": _(
        "The provider has more than 200 groups for you. An admin limits them at the provider to "
        "those that BENCHLAB_OIDC_ROLES and BENCHLAB_OIDC_TEAMS name."
    ),
    "username": _(
        "The provider sent no usable login name. It is 1 to 150 letters, digits and @ . + - _."
    ),
    "taken": _(
        "An account with this login name exists. Its owner joins it on the page Account, Logins."
    ),
    "inactive": _("This account is disabled. Ask an admin of benchlab."),
    "joined": _("This person at the provider belongs to another account already."),
    "other_person": _("This account is joined with another person at the provider already."),
    "logout": _("The logout token is not valid."),
}
