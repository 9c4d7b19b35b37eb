"""`manage.py makemessages`: as Django's, and finds the messages of stored sentences too."""

from __future__ import annotations

from django.core.management.commands import makemessages

KEYWORDS = ("--keyword=sentence", "--keyword=counted:1,2")
"""apps.tools.sentences; `sentence(NAME)` has its message marked with gettext_noop."""


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]
