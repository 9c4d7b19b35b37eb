"""`manage.py makemessages`: as Django's, and finds the messages of stored sentences too."""

from __future__ import annotations

from django.core.management.commands import makemessages

KEYWORDS = (
    *("--keyword=message", "--keyword=plural_message:1,2"),
    *("--keyword=lazy", "--keyword=_lazy"),
)
"""apps.tools.messages, where `message(NAME)` has its text marked with gettext_noop; and the
names under which modules import gettext_lazy beside gettext.
"""


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]
